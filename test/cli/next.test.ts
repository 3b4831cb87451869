import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const FILES = {
  'a.json': list(
    cronJob('early', { spec: { schedule: '0 2 * * *', timeZone: 'Europe/Berlin' } }),
    policy('night', { spec: { schedule: '30 1 * * *' } }),
    policy('paused', { spec: { schedule: '0 0 * * *', suspend: true }, metadata: { labels: { tier: 'b' } } }),
    cronJob('early', { metadata: { namespace: 'quay', uid: 'uid-2' }, spec: { schedule: '0 12 * * *' } }),
  ),
};
const NOW = '2026-06-10T00:00:00Z';

async function next(...argv: readonly string[]): Promise<CliResult> {
  const cwd = await temporaryFolder(FILES);
  return runMinutehand(['next', '-f', '.', '--now', NOW, ...argv], { cwd });
}

interface Slots {
  readonly schedules: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly slots: readonly { readonly slot: string }[];
  }[];
}

async function slots(...argv: readonly string[]): Promise<readonly string[]> {
  const { schedules }: Slots = JSON.parse((await next(...argv, '-o', 'json')).stdout);
  return schedules.flatMap(({ namespace, name, slots: found }) =>
    found.map(({ slot }) => `${namespace}/${name} ${slot}`),
  );
}

describe('next', () => {
  test('shows the slots of all schedules in the order of time', async () => {
    const { stdout } = await next('--count', '1');
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^UTC +LOCAL +IN +OBJECT +NOTE$/),
      expect.stringMatching(/^Wed 2026-06-10 01:30 .* in 1 h 30 min +EtcdDefragPolicy vault-a\/night$/),
      expect.stringMatching(/^Wed 2026-06-10 12:00 .* in 12 h +CronJob quay\/early +observed$/),
      expect.stringMatching(/^Thu 2026-06-11 00:00 .* in 1 d +CronJob harbor\/early +observed$/),
      expect.stringMatching(/^Thu 2026-06-11 00:00 .* in 1 d +EtcdDefragPolicy vault-a\/paused +suspended$/),
      '',
    ]);
    expect(stdout).toContain('Thu 2026-06-11 02:00 +02:00 Europe/Berlin');
  });

  test('shows five of each unless --count says otherwise', async () => {
    expect(await slots('etcddefragpolicy/night')).toHaveLength(5);
    expect(await slots('etcddefragpolicy/night', '--count', '7')).toHaveLength(7);
  });

  test('with --for shows what lies within that time', async () => {
    expect(await slots('--for', '24h')).toEqual([
      'harbor/early 2026-06-11T00:00:00Z',
      'quay/early 2026-06-10T12:00:00Z',
      'vault-a/night 2026-06-10T01:30:00Z',
      'vault-a/paused 2026-06-11T00:00:00Z',
    ]);
  });

  test('with both shows what keeps within both', async () => {
    expect(await slots('cj/early', '-n', 'quay', '--for', '72h', '--count', '2')).toEqual([
      'quay/early 2026-06-10T12:00:00Z',
      'quay/early 2026-06-11T12:00:00Z',
    ]);
  });

  test('shows every namespace that has the name', async () => {
    expect(await slots('cronjob', 'early', '--count', '1')).toHaveLength(2);
  });

  test('keeps to a namespace, to all with -A, and to labels', async () => {
    expect(await slots('-n', 'quay', '--count', '1')).toHaveLength(1);
    expect(await slots('-n', 'quay', '-A', '--count', '1')).toHaveLength(4);
    expect(await slots('-l', 'tier in (b)', '--count', '1')).toEqual(['vault-a/paused 2026-06-11T00:00:00Z']);
  });

  test('ends a long list and says so', async () => {
    const cwd = await temporaryFolder({
      'a.json': list(policy('minutely', { spec: { schedule: '* * * * *' } })),
    });
    const { code, stdout, stderr } = await runMinutehand(['next', '-f', '.', '--now', NOW, '--for', '200h'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(10_081);
    expect(stderr).toBe('The list stops after 10080 slots of a schedule; --count allows more.\n');
  });

  test('says why a schedule has no next slot', async () => {
    const cwd = await temporaryFolder({
      'a.json': list(policy('bad', { spec: { schedule: 'every blue moon' } })),
    });
    const { stdout } = await runMinutehand(['next', '-f', '.', '--now', NOW], { cwd });
    expect(stdout).toMatch(/^No next slot for EtcdDefragPolicy vault-a\/bad: .+\.\n$/);
  });
});
