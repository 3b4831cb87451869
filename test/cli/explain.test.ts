import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const FILES = {
  'a.json': list(
    cronJob('nightly', DUE),
    cronJob('nightly', { ...DUE, metadata: { namespace: 'quay', uid: 'uid-2' } }),
    cronJob('broken', { spec: { schedule: 5 } }),
    policy('kv', DUE),
  ),
};

async function explain(...argv: readonly string[]): Promise<CliResult> {
  const cwd = await temporaryFolder(FILES);
  return runMinutehand(['explain', ...argv, '-f', '.', '--now', '2026-06-10T03:00:10Z'], { cwd });
}

/** One that a person asked a schedule for, by its marks: it has not the label of the schedule. */
function handMade(name: string, { owner = 'uid-uploads', namespace = 'shop' } = {}): string {
  return `---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Snapshot
metadata:
  name: ${name}
  namespace: ${namespace}
  creationTimestamp: "2026-06-10T02:00:00Z"
  annotations: {minutehand.dev/manual: "true", minutehand.dev/owner-uid: ${owner}}
spec: {policyRef: {name: uploads}}
status: {phase: Succeeded, timing: {endTime: "2026-06-10T02:04:00Z"}}
`;
}

test('explain tells of a Snapshot that was made by hand how it ended, of those of other schedules nothing', async () => {
  const schedule = `apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: uploads, namespace: shop, uid: uid-uploads, creationTimestamp: "2026-06-09T12:00:00Z"}
spec: {policyRef: {name: uploads}, schedule: {cron: "0 3 * * *"}}
`;
  const cwd = await temporaryFolder({
    'a.yaml': [
      schedule,
      handMade('mine'),
      handMade('of-another', { owner: 'uid-other' }),
      handMade('elsewhere', { namespace: 'quay' }),
    ].join(''),
  });
  const argv = ['explain', 'kopiasched/uploads', '-f', '.', '--now', '2026-06-10T02:30:00Z'];
  const { stdout } = await runMinutehand(argv, { cwd });
  expect(stdout).toContain(`    last run        none of a slot is left
    by hand         mine, Succeeded, made Wed 2026-06-10 02:00 UTC, ended 4 min later
    last success    none is known

`);
});

describe('explain', () => {
  test.each([
    ['etcddefragpolicies/kv'],
    ['etcddefragpolicy/kv'],
    ['EtcdDefragPolicy/kv'],
    ['etcddefragpolicies.etcd-operator.cozystack.io/kv'],
    ['EtcdDefragPolicy.etcd-operator.cozystack.io/kv'],
    ['etcddefragpolicies.v1alpha2.etcd-operator.cozystack.io/kv'],
    ['etcddefragpolicy', 'kv'],
  ])('finds the object of `%s %s`', async (...argv) => {
    const { code, stdout } = await explain(...argv);
    expect(code).toBe(0);
    expect(stdout).toContain('EtcdDefragPolicy vault-a/kv, if a tick came now: fired');
  });

  test.each([
    'cj/nightly',
    'CJ/nightly',
    'cronjobs/nightly',
    'cronjob.batch/nightly',
    'CronJobs.v1.batch/nightly',
  ])('finds the CronJob of `%s` in the namespace that is named', async (ref) => {
    const { code, stdout } = await explain(ref, '-n', 'quay');
    expect(code).toBe(0);
    expect(stdout).toContain('CronJob quay/nightly, if a tick came now: observed');
  });

  test('tells who acts on an object that is only observed', async () => {
    const { stdout } = await explain('cj/nightly', '-n', 'harbor');
    expect(stdout).toContain('the built-in CronJob controller');
    expect(stdout).toContain('foreseen');
  });

  test('tells of an object that could not be decided what is wrong with it', async () => {
    const { code, stdout, stderr } = await explain('cj/broken');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'CronJob harbor/broken is invalid: spec.schedule is a number, 5. Nothing was decided about it.\n',
    );
    expect(stderr).toContain('error InvalidField: spec.schedule is a number, 5');
  });

  test('keeps quiet about other objects', async () => {
    expect((await explain('etcddefragpolicy/kv')).stderr).toBe('');
  });

  test.each(['next', 'timeline'])('so does %s, where a schedule is named', async (verb) => {
    const cwd = await temporaryFolder(FILES);
    const found = await runMinutehand([verb, 'etcddefragpolicy/kv', '-f', '.'], { cwd });
    expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
    const all = await runMinutehand([verb, '-f', '.'], { cwd });
    expect(all.stderr).toContain('error InvalidField');
  });

  test('tells why an object is not found that was refused, and that others were', async () => {
    const cwd = await temporaryFolder({
      'a.json': FILES['a.json'],
      'b.json': list(policy('kv'), cronJob('twice'), cronJob('twice')),
    });
    const explained = (name: string) => runMinutehand(['explain', name, '-f', '.'], { cwd });
    const { code, stderr } = await explained('etcddefragpolicy/kv');
    expect(code).toBe(1);
    expect(stderr).toContain('error DuplicateObject: EtcdDefragPolicy vault-a/kv');
    expect(stderr).not.toContain('twice');
    const other = await explained('cj/broken');
    expect({ code: other.code, stderr: other.stderr }).toEqual({
      code: 3,
      stderr: expect.not.stringContaining('DuplicateObject'),
    });
    const named = await explained('cj/nightly');
    expect(named.stderr).toContain('several schedules');
  });

  test('says where it tells of a part only, and nothing of the rest', async () => {
    const cwd = await temporaryFolder({ 'b.json': list(policy('kv'), cronJob('twice'), cronJob('twice')) });
    const { code, stderr } = await runMinutehand(['explain', 'etcddefragpolicy/kv', '-f', '.'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'note: not everything could be read: minutehand plan -f . tells what\n',
    });
    const [, command = ''] = /: minutehand (.*) tells what\n$/.exec(stderr) ?? [];
    expect((await runMinutehand(command.split(' '), { cwd })).stderr).toContain('error DuplicateObject');
  });

  test('gives a document', async () => {
    const { stdout } = await explain('etcddefragpolicy/kv', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      kind: 'EtcdDefragPolicy',
      verdict: { code: 'fired', slot: '2026-06-10T03:00:00Z' },
      owed: { count: 1 },
    });
    const broken = JSON.parse((await explain('cj/broken', '-o', 'json')).stdout);
    expect(broken).toMatchObject({
      kind: 'CronJob',
      verdict: { code: 'invalid' },
      diagnostics: [{ code: 'InvalidField' }],
    });
  });

  test('proposes the name that was meant', async () => {
    const { code, stdout, stderr } = await explain('cj/nigthly');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'error: no CronJob named nigthly was found in what was read (4 schedules); did you mean nightly?\n',
    );
  });
});
