import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const NOW = '2026-06-10T03:00:10Z';

async function reconcile(
  cwd: string,
  more: readonly string[] = [],
  world: CliWorld = {},
): Promise<CliResult> {
  return runMinutehand(['reconcile', '-f', 'in', '--state', 'state', '--now', NOW, ...more], {
    cwd,
    ...world,
  });
}

/** Every file of the state folder with its bytes. */
async function stateOf(cwd: string, state = 'state'): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(join(cwd, state), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [file.slice(cwd.length + 1), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(texts);
}

describe('reconcile', () => {
  test('writes run, status and event into the state folder and tells what it did', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('nightly', DUE)) });
    const { code, stdout, stderr } = await reconcile(cwd);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('fired  EtcdDefragPolicy vault-a/nightly (StampedRun)');
    expect(stdout).toContain('+ create        EtcdDefrag vault-a/nightly-1781060400');
    expect(stdout).toMatch(/\n3 changes applied\.\n$/);
    const group = 'state/etcd-operator.cozystack.io';
    expect(Object.keys(await stateOf(cwd))).toEqual([
      `${group}/etcddefrag/vault-a/nightly-1781060400.json`,
      `${group}/etcddefragpolicy/vault-a/nightly.json`,
      expect.stringMatching(/^state\/events\.k8s\.io\/event\/vault-a\/nightly\.[0-9a-f]{16}\.json$/),
      'state/meta.json',
    ]);
  });

  test('has nothing to do the second time, and changes no byte', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE), cronJob('c', DUE)) });
    await reconcile(cwd);
    const before = await stateOf(cwd);
    const { stdout } = await reconcile(cwd);
    expect(stdout).toMatch(/^Nothing to do for 2 schedules: 2 waiting\. The first to come is .*\n$/);
    expect(await stateOf(cwd)).toEqual(before);
  });

  test('empties a list of active runs that the manifests spell out, and stays the one who writes it', async () => {
    const left = { status: { ...DUE.status, active: [{ name: 'of-long-ago' }] } };
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', left), cronJob('c', left)) });
    await reconcile(cwd);
    const state = await stateOf(cwd);
    const { stdout } = await reconcile(cwd, ['-o', 'json']);
    const { changeSet } = JSON.parse(stdout);
    expect(changeSet.schedules.map((one: { verdict: { code: string } }) => one.verdict.code)).toEqual([
      'waiting',
      'waiting',
    ]);
    expect(await stateOf(cwd)).toEqual(state);
    const nextDay = ['--state', 'state', '--now', '2026-06-11T03:00:10Z'];
    await runMinutehand(['reconcile', '-f', 'in', ...nextDay], { cwd });
    const after = Object.entries(await stateOf(cwd)).find(([file]) => file.endsWith('policy/vault-a/p.json'));
    expect(JSON.parse(after?.[1] ?? '{}').status.lastScheduleTime).toBe('2026-06-11T03:00:00Z');
  });

  test('manages CronJobs, since nobody else acts in a state folder', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(cronJob('c', DUE)) });
    const { stdout } = await reconcile(cwd, ['-o', 'json']);
    expect(JSON.parse(stdout).changeSet.schedules[0].verdict).toMatchObject({
      code: 'fired',
      reason: 'SuccessfulCreate',
    });
  });

  test('only observes CronJobs where the configuration says so', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(cronJob('c', DUE)),
      'c.yaml': 'cronJob: observe\n',
    });
    const { stdout } = await reconcile(cwd, ['-o', 'json', '--config', 'c.yaml']);
    expect(JSON.parse(stdout).changeSet.schedules[0].verdict).toMatchObject({
      code: 'observed',
      actor: 'the built-in CronJob controller',
    });
  });

  test('prints one document: the change set and what came of it', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('nightly', DUE)) });
    const { stdout } = await reconcile(cwd, ['-o', 'json']);
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(['applied', 'changeSet', 'formatVersion']);
    expect(document.changeSet.counts).toMatchObject({ creates: 1, statuses: 1, events: 1 });
    expect(document.applied).toMatchObject({ partial: false, counts: { done: 3, failed: 0, skipped: 0 } });
  });

  test('keeps its state in ./.minutehand unless --state says otherwise', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('nightly', DUE)) });
    await runMinutehand(['reconcile', '-f', 'in', '--now', NOW], { cwd });
    expect(Object.keys(await stateOf(cwd, '.minutehand'))).toContain('.minutehand/meta.json');
  });

  test('leaves runs alone that a selection does not show, and sees them all the same', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(
        policy('kept', { ...DUE, metadata: { labels: { tier: 'a' } } }),
        policy('other', DUE),
      ),
    });
    await reconcile(cwd, ['-l', 'tier=a']);
    const again = JSON.parse((await reconcile(cwd, ['-l', 'tier=a', '-o', 'json'])).stdout);
    expect(again.changeSet.schedules).toMatchObject([
      { name: 'kept', verdict: { code: 'waiting' }, changes: [] },
    ]);
    const all = JSON.parse((await reconcile(cwd, ['-o', 'json'])).stdout);
    expect(all.changeSet.schedules).toMatchObject([
      { name: 'kept', verdict: { code: 'waiting' } },
      { name: 'other', verdict: { code: 'fired' } },
    ]);
  });

  test('stops between two schedules when asked, tells what was left, and finishes it in the next tick', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('a', DUE), policy('b', DUE)) });
    const first = join(cwd, 'state/etcd-operator.cozystack.io/etcddefrag/vault-a/a-1781060400.json');
    const stopped = await reconcile(cwd, [], { isStopped: () => existsSync(first) });
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toContain(
      'skipped         create EtcdDefrag vault-a/b-1781060400: stopped before this change',
    );
    expect(stopped.stdout).toMatch(/ skipped; what is left stays due for the next tick\.\n$/);
    expect(existsSync(first.replace('/a-', '/b-'))).toBe(false);
    const next = await reconcile(cwd);
    expect(next.code).toBe(0);
    expect(existsSync(first.replace('/a-', '/b-'))).toBe(true);
    expect((await reconcile(cwd)).stdout).toMatch(/^Nothing to do for /);
  });

  test('releases the lock at the end', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('a', DUE)) });
    await reconcile(cwd);
    expect(Object.keys(await stateOf(cwd))).not.toContain('state/lock');
  });

  test('with --prune drops what is recorded of a schedule whose manifest is gone', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(policy('a', DUE)),
      'left/b.json': list(policy('b', DUE)),
    });
    await runMinutehand(['reconcile', '-f', 'in', '-f', 'left', '--state', 'state', '--now', NOW], { cwd });
    const paths = async (): Promise<string> => Object.keys(await stateOf(cwd)).join('\n');
    await reconcile(cwd);
    expect(await paths()).toContain('etcddefragpolicy/vault-a/b.json');
    await reconcile(cwd, ['--prune']);
    expect(await paths()).not.toContain('/b.json');
    expect(await paths()).not.toContain('/b-1781060400.json');
    expect(await paths()).toContain('etcddefragpolicy/vault-a/a.json');
  });

  test('with --prune drops nothing while a file cannot be read', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(policy('a', DUE)),
      'left/b.json': list(policy('b', DUE)),
    });
    await runMinutehand(['reconcile', '-f', 'in', '-f', 'left', '--state', 'state', '--now', NOW], { cwd });
    const result = await reconcile(cwd, ['-f', 'missing.yaml', '--prune']);
    expect(result.code).toBe(3);
    expect(Object.keys(await stateOf(cwd)).join('\n')).toContain('etcddefragpolicy/vault-a/b.json');
  });

  test('goes on beside a damaged state file, tells how to repair it, and exits 3', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('a', DUE), policy('b', DUE)) });
    await reconcile(cwd, ['--max-creates', '0']);
    const damaged = join(cwd, 'state/etcd-operator.cozystack.io/etcddefragpolicy/vault-a/a.json');
    await writeFile(damaged, '{"apiVersion":');
    const { code, stdout, stderr } = await reconcile(cwd);
    expect(code).toBe(3);
    expect(stdout).toContain('fired  EtcdDefragPolicy vault-a/b');
    expect(stderr).toContain('error StateDamaged: ');
    expect(stderr).toMatch(
      /^state\/etcd-operator\.cozystack\.io\/etcddefragpolicy\/vault-a\/a\.json:1:1: error /m,
    );
    expect(stderr).toContain('Restore the file from a backup. Without one, look at its runs before');
  });

  test('starts nothing while a run in the state folder cannot be read', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('a', DUE), cronJob('c', DUE)) });
    await reconcile(cwd);
    const runs = join(cwd, 'state/etcd-operator.cozystack.io/etcddefrag/vault-a');
    await writeFile(join(runs, 'a-1781060400.json'), '{"apiVersion":');
    const argv = ['reconcile', '-f', 'in', '--state', 'state', '--now', '2026-06-11T03:00:10Z', '-o', 'json'];
    const { code, stdout, stderr } = await runMinutehand(argv, { cwd });
    expect(code).toBe(3);
    const { schedules } = JSON.parse(stdout).changeSet;
    expect(schedules).toMatchObject([
      { name: 'c', verdict: { code: 'fired' } },
      { name: 'a', verdict: { code: 'unreadable' }, changes: [] },
    ]);
    expect(stderr).toContain('error StateDamaged: The state file ');
  });

  test('shows progress on stderr, at a terminal only and after a second', async () => {
    const files = { 'in/a.json': list(policy('a', DUE), policy('b', DUE)) };
    let time = 0;
    const clock = (): number => {
      time += 700;
      return time;
    };
    const shown = await reconcile(await temporaryFolder(files), [], { clock, terminal: { stderr: true } });
    expect(shown.stderr).toBe('\r\u001b[Kapplied 2 of 2 schedules\r\u001b[K');
    const silent = await reconcile(await temporaryFolder(files), [], { clock });
    expect(silent.stderr).toBe('');
  });
});
