import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

async function demo(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/demo/demo.ts'], {
    maxBuffer: 1e7,
  });
  return stdout;
}

describe('the demo', () => {
  test('comes out as narrated, twice the same, and names no temporary path', async () => {
    const [first, second] = await Promise.all([demo(), demo()]);
    expect(second).toBe(first);
    expect(first).not.toContain(tmpdir());
    expect(first).toContain('Half past two in Berlin, once more');
    expect(first).toContain('supersedes      4 older slots');
    expect(first).toContain(
      '21:15 UTC: backups fired: backups-orders-20261024211500, backups-photos-20261024211500\n',
    );
    expect(first).toContain('22:15 UTC: backups held by photos-by-hand (OtherRunActive)\n');
    expect(first).toContain('22:21 UTC: pruned by the retention of photos: backups-photos-20261024211500\n');
    expect(first).toMatch(/── What comes next ──/);
  });
});
