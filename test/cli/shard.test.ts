import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const MANIFESTS = list(...NAMES.flatMap((name) => [cronJob(name, DUE), policy(`p-${name}`, DUE)]));

type Env = Readonly<Record<string, string>>;

async function run(argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const cwd = await temporaryFolder({ 'in/a.json': MANIFESTS });
  return runMinutehand([...argv, '-f', 'in', '--now', '2026-06-10T03:00:10Z'], { ...world, cwd });
}

async function planned(argv: readonly string[], env: Env = {}): Promise<readonly string[]> {
  const { stdout } = await run(['plan', '-o', 'json', ...argv], { env });
  const schedules: readonly ScheduleDocument[] = JSON.parse(stdout).schedules;
  return schedules.map(({ kind, name }) => `${kind} ${name}`);
}

describe('--shard', () => {
  test('divides what a tick looks at, whatever its kind', async () => {
    const shards = await Promise.all(['0/3', '1/3', '2/3'].map((shard) => planned(['--shard', shard])));
    expect(shards.every((one) => one.length > 0 && one.length < 12)).toBe(true);
    expect(shards.flat().sort()).toEqual([...(await planned([]))].sort());
  });

  test('is the number of the pod where nothing is said, and one of one is all', async () => {
    const env = { JOB_COMPLETION_INDEX: '1', MINUTEHAND_SHARDS: '3' };
    expect(await planned([], env)).toEqual(await planned(['--shard', '1/3']));
    expect(await planned(['--shard', '2/3'], env)).toEqual(await planned(['--shard', '2/3']));
    expect(await planned(['--shard', '0/1'])).toEqual(await planned([]));
    // The pod of any Indexed Job has a number.
    expect(await planned([], { JOB_COMPLETION_INDEX: '1' })).toEqual(await planned([]));
  });

  test.each<Env>([
    { MINUTEHAND_SHARDS: '' },
    { MINUTEHAND_SHARDS: '', JOB_COMPLETION_INDEX: '' },
    { MINUTEHAND_SHARDS: '', JOB_COMPLETION_INDEX: '1' },
  ])('is not asked for by an empty variable: %j', async (env) => {
    expect(await planned([], env)).toEqual(await planned([]));
  });

  test('is told to whoever reads the text, and acts on its part alone', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': MANIFESTS });
    const argv = ['reconcile', '-f', 'in', '--now', '2026-06-10T03:00:10Z', '-o', 'text'];
    const first = await runMinutehand([...argv, '--shard', '0/2'], { cwd });
    expect(first.stdout).toMatch(/^Shard 0\/2: what the others act on is not looked at\.\n/);
    const second = await runMinutehand([...argv, '--shard', '1/2'], { cwd });
    const created = [...`${first.stdout}${second.stdout}`.matchAll(/^ {4}created +(\S+ \S+)/gm)];
    expect(new Set(created.map(([, run]) => run)).size).toBe(created.length);
    const rest = await runMinutehand(argv, { cwd });
    expect(rest.stdout).not.toContain('created ');
  });

  const UNUSABLE: readonly (readonly [argv: readonly string[], env: Env, told: string])[] = [
    [['--shard', '3/3'], {}, '"3/3" is no shard: they are counted from 0, so that the last one is 2/3'],
    [['--shard', '0/0'], {}, '"0/0" is no shard: there can be 1 to 100 of them'],
    [['--shard', '0/101'], {}, '"0/101" is no shard: there can be 1 to 100 of them'],
    [['--shard', '1'], {}, '"1" is no shard such as 0/3, which is the first of three'],
    [['--shard', '-1/3'], {}, 'is no shard such as 0/3'],
    [[], { MINUTEHAND_SHARDS: '3' }, 'MINUTEHAND_SHARDS is set and JOB_COMPLETION_INDEX is not'],
    [[], { MINUTEHAND_SHARDS: '3', JOB_COMPLETION_INDEX: '3' }, 'which is 3/3, is no shard'],
    [[], { MINUTEHAND_SHARDS: 'many', JOB_COMPLETION_INDEX: '0' }, 'which is 0/many, is no shard such as'],
    [
      [],
      { MINUTEHAND_SHARDS: '3', JOB_COMPLETION_INDEX: '' },
      'MINUTEHAND_SHARDS is set and JOB_COMPLETION_INDEX is not',
    ],
  ];

  test.each(UNUSABLE)('%s with %s is a usage error', async (argv, env, told) => {
    for (const verb of ['plan', 'reconcile']) {
      const { code, stdout, stderr } = await run([verb, ...argv], { env });
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain(told);
    }
  });

  test('does not go with --prune', async () => {
    const { code, stderr } = await run(['reconcile', '--prune', '--shard', '0/2']);
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining('without --shard') });
  });
});
