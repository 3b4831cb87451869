import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

function manifest(uid: string, cron = 'H 2 * * *'): string {
  return `apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: tank, namespace: orchard${uid}}
spec:
  policyRef: {name: tank-policy}
  schedule: {cron: ${cron}, jitter: 30m, timezone: UTC}
`;
}

async function shown(text: string, argv: readonly string[]): Promise<string> {
  const cwd = await temporaryFolder({ 'apps/tank/schedule.yaml': text });
  const { stdout } = await runMinutehand([...argv, '-f', 'apps', '-R', '--now', '2026-06-10T03:00:10Z'], {
    cwd,
  });
  return stdout;
}

describe('a schedule that no API has seen yet (pub-076)', () => {
  const RANGE = 'between Thu 2026-06-11 02:00 UTC and Thu 2026-06-11 03:28:59 UTC';

  test('has a range in the plan, and no minute is written down', async () => {
    const plan = await shown(manifest(''), ['plan']);
    expect(plan).toContain(`next ${RANGE}, fixed once the object has a uid`);
    expect(plan).toContain('No changes.');
    expect(await shown(manifest(''), ['plan'])).toBe(plan);
  });

  test('has ranges in the list of next slots and in the explanation', async () => {
    const next = await shown(manifest(''), ['next', '--count', '1']);
    expect(next).toContain('Thu 2026-06-11 02:00 to Thu 2026-06-11 03:28:59');
    expect(next).toContain('fixed once the object has a uid');
    const explained = await shown(manifest(''), ['explain', 'kopiasched/tank']);
    expect(explained).toContain('H 2 * * *, fixed once the object has a uid');
    expect(explained.replaceAll(/\s+/g, ' ')).toContain(RANGE);
  });

  test('has the exact slot once the uid is known', async () => {
    const next = await shown(manifest(', uid: 7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11'), [
      'next',
      '--count',
      '1',
    ]);
    // 02:06, and an offset of 373 s for that base slot.
    expect(next).toMatch(/Thu 2026-06-11 02:1\d/);
    expect(next).not.toContain('fixed once');
  });

  test('has the exact slot where neither H nor jitter follows from the uid', async () => {
    const plain = manifest('', '0 2 * * *').replace(', jitter: 30m', '');
    const plan = await shown(plain, ['plan']);
    expect(plan).toContain('nextSchedule: (none) → 2026-06-11T02:00:00Z');
    expect(plan).not.toContain('fixed once');
  });
});
