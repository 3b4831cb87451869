import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const FIRST = ['--now', '2026-06-10T03:00:10Z'];
const SECOND = ['--now', '2026-06-11T03:00:10Z'];

function reconcile(cwd: string, ...argv: readonly string[]): Promise<CliResult> {
  return runMinutehand(['reconcile', ...argv], { cwd });
}

describe('a state folder among the manifests', () => {
  test.each([
    ['the default one', []],
    ['one that is named', ['--state', './state']],
    ['one deep below', ['--state', 'in/deep/state']],
  ])('is no manifest in the second tick: %s', async (_case, state) => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE), cronJob('c', DUE)) });
    const argv = ['-f', '.', '-R', ...state];
    await reconcile(cwd, ...argv, ...FIRST);
    const { code, stdout, stderr } = await reconcile(cwd, ...argv, ...SECOND, '-o', 'json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { schedules } = JSON.parse(stdout).changeSet;
    const codes = schedules.map((one: { verdict: { code: string } }) => one.verdict.code).sort();
    expect(codes).toEqual(['fired', 'held']);
  });

  test('is none for verbs that do not use it', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    await reconcile(cwd, '-f', '.', '-R', ...FIRST);
    for (const verb of ['plan', 'next', 'validate']) {
      const { stderr } = await runMinutehand([verb, '-f', '.', '-R', ...SECOND], { cwd });
      expect(stderr).not.toContain('DuplicateObject');
    }
  });

  test('that is the folder of the manifests is refused, and nothing is written into it', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    for (const argv of [
      ['-f', 'in', '--state', 'in'],
      ['-f', 'in/a.json', '--state', 'in'],
      ['-f', 'in', '--state', '.'],
    ]) {
      const { code, stderr } = await reconcile(cwd, ...argv, ...FIRST);
      expect(code).toBe(1);
      expect(stderr).toContain('error StateUnusable: ');
    }
    expect(await readdir(cwd, { recursive: true })).toEqual(['in', 'in/a.json']);
  });

  test('with the files of somebody else is refused by plan and reconcile alike', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)), 'home/notes.txt': 'mine' });
    for (const verb of ['reconcile', 'plan']) {
      const argv = [verb, '-f', 'in', '--state', 'home', ...FIRST];
      const { code, stderr } = await runMinutehand(argv, { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain('holds what is not ours: notes.txt');
    }
    expect(await readdir(join(cwd, 'home'))).toEqual(['notes.txt']);
  });
});

describe('a manifest that is gone', () => {
  async function left(): Promise<string> {
    const cwd = await temporaryFolder({
      'in/a.json': list(policy('a', DUE)),
      'in/b.json': list(policy('b', DUE)),
    });
    await reconcile(cwd, '-f', 'in', ...FIRST);
    await rm(join(cwd, 'in/b.json'));
    return cwd;
  }

  test.each(['reconcile', 'plan', 'next'])('is told by %s', async (verb) => {
    const cwd = await left();
    const argv = [verb, '-f', 'in', '--state', '.minutehand', ...FIRST];
    const { code, stderr } = await runMinutehand(argv, { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^note ManifestGone: one object of the state has no manifest any more: EtcdDefragPolicy vault-a\/b$/m,
    );
    expect(stderr).toContain('by the flag --prune of `reconcile`');
  });

  test('is pruned with a word on what went, in text and in data', async () => {
    const cwd = await left();
    const { code, stdout, stderr } = await reconcile(cwd, '-f', 'in', '--prune', ...FIRST, '-o', 'json');
    expect(code).toBe(0);
    const what =
      'EtcdDefragPolicy vault-a/b was removed from the state, with one object that it controlled: EtcdDefrag vault-a/b-1781060400 (unfinished)';
    expect(stderr).toContain(`note Pruned: ${what}\n`);
    expect(stderr).not.toContain('ManifestGone');
    expect(JSON.parse(stdout).changeSet.diagnostics).toMatchObject([{ code: 'Pruned', what }]);
  });

  test('is shown by a dry run with all that a prune takes along, and nothing goes', async () => {
    const cwd = await left();
    const files = (): Promise<readonly string[]> => readdir(join(cwd, '.minutehand'), { recursive: true });
    const before = await files();
    const argv = ['-f', 'in', '--prune', '--dry-run=client', ...FIRST];
    const { code, stdout, stderr } = await reconcile(cwd, ...argv);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nTo prune: the state of 1 object, with what it controls\.\n\nThis is a plan: nothing was written\.\n$/,
    );
    const what =
      'EtcdDefragPolicy vault-a/b would be removed from the state, with one object that it controls: EtcdDefrag vault-a/b-1781060400 (unfinished)';
    expect(stderr).toContain(`note Prunable: ${what}\n`);
    expect(stderr).not.toContain('by the flag --prune');
    const data = await reconcile(cwd, ...argv, '-o', 'json');
    expect(JSON.parse(data.stdout).diagnostics).toMatchObject([{ code: 'Prunable', what }]);
    expect(await files()).toEqual(before);
    const off = await reconcile(cwd, ...argv, '-l', 'a=b');
    expect(off.code).toBe(64);
  });

  test('wipes nothing when all of them are', async () => {
    const cwd = await left();
    await rm(join(cwd, 'in/a.json'));
    const before = await readdir(join(cwd, '.minutehand'), { recursive: true });
    const { stderr } = await reconcile(cwd, '-f', 'in', '--prune', ...FIRST);
    expect(stderr).toContain('nothing was pruned, because not one manifest was read');
    expect(await readdir(join(cwd, '.minutehand'), { recursive: true })).toEqual(before);
  });
});

describe('a fault of the recorded status', () => {
  test('is shown in the state file, not in the manifest', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    await reconcile(cwd, '-f', 'in', '--state', './state', ...FIRST);
    const file = 'state/etcd-operator.cozystack.io/etcddefragpolicy/vault-a/p.json';
    const text = await readFile(join(cwd, file), 'utf8');
    const spoiled = text.replace(/("lastScheduleTime": )"[^"]*"/, '$1"soon"');
    await writeFile(join(cwd, file), spoiled);
    const line = spoiled.split('\n').findIndex((one) => one.includes('"soon"')) + 1;
    const { stderr } = await runMinutehand(['plan', '-f', 'in', '--state', './state', ...SECOND], { cwd });
    expect(stderr).toContain(`./${file}:${line}:25: error `);
    expect(stderr).toContain('"lastScheduleTime": "soon"');
  });
});

describe('what is asked of a state folder', () => {
  test.each([
    ['-n', 'vault-a'],
    ['-l', 'app=x'],
  ])('is not a prune of a part of it (%s)', async (...selection) => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p')) });
    const argv = ['reconcile', '-f', 'in', '--state', 's', '--prune', ...selection];
    const { code, stdout, stderr } = await runMinutehand(argv, { cwd });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('--prune looks at the whole state folder: give it without -n and -l');
  });

  test.each(['plan', 'next'])('is told by %s to be for nothing where there is none', async (verb) => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p')) });
    const { code, stderr } = await runMinutehand([verb, '-f', 'in', '--state', 'typo'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toBe('note: there is no state folder typo: decided as for the first tick of all\n');
  });

  test('is why the slot before did not run, which explain tells by the events', async () => {
    const due = {
      status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
      spec: { startingDeadlineSeconds: 600 },
    };
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', due)) });
    const argv = ['-f', 'in', '--state', 's'];
    await runMinutehand(['reconcile', ...argv, '--now', '2026-06-10T04:00:10Z'], { cwd });
    const explained = ['explain', 'etcddefragpolicy/p', ...argv, '--now', '2026-06-10T05:00:10Z'];
    const { stdout } = await runMinutehand(explained, { cwd });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Latest events 2026-06-10T04:00:10Z Warning MissedSchedule: tick 2026-06-10T03:00:00Z was skipped',
    );
    const { events } = JSON.parse((await runMinutehand([...explained, '-o', 'json'], { cwd })).stdout);
    expect(events).toHaveLength(1);
  });
});

describe('a prune', () => {
  test('is told on stdout, beside the line of a tick with nothing else to do', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p')), 'in/b.json': list(policy('q')) });
    const argv = ['reconcile', '-f', 'in', '--state', 's', '--now', '2026-06-10T12:00:10Z'];
    await runMinutehand(argv, { cwd });
    await rm(join(cwd, 'in/b.json'));
    const { code, stdout, stderr } = await runMinutehand([...argv, '--prune'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Nothing to do [^\n]*\nPruned the state of 1 object, with what it controlled\.\n$/,
    );
    expect(stderr).toContain('note Pruned: EtcdDefragPolicy vault-a/q');
  });
});

describe('a tick that only waits', () => {
  test('for a run to end says one line, after it was told once', async () => {
    const held = cronJob('c', { spec: { schedule: '* * * * *', concurrencyPolicy: 'Forbid' } });
    const cwd = await temporaryFolder({ 'in/a.json': list(held) });
    const tick = async (now: string): Promise<string> =>
      (await runMinutehand(['reconcile', '-f', 'in', '--state', 's', '--now', now], { cwd })).stdout;
    await tick('2026-06-10T03:00:10Z');
    await tick('2026-06-10T03:01:10Z');
    expect(await tick('2026-06-10T03:02:10Z')).toContain('held ');
    expect(await tick('2026-06-10T03:02:40Z')).toMatch(/^Nothing to do for 1 schedule: 1 held\.[^\n]*\n$/);
  });
});
