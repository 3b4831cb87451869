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
    expect(first).toMatch(/── What comes next ──/);
  });
});
