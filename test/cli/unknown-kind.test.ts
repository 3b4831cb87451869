import { describe, expect, test } from 'vitest';
import { unknownKind } from '#cli/unknown-kind.ts';
import { KINDS } from '#kinds/index.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const TYPES = KINDS.flatMap(({ resource, run }) => [resource, run]);
const ETCD = 'etcd-operator.cozystack.io';

/** The remedy for an object of this type; undefined where nothing is told. */
function fixFor(apiVersion: string, kind: string): string | undefined {
  return unknownKind({ object: { apiVersion, kind, metadata: { name: 'nightly' } } }, TYPES)?.fix;
}

describe('a type that nearly is a known one is told with what to write', () => {
  test.each([
    ['batch/v1', 'Cronjob', 'write kind: CronJob'],
    ['batch/v1', 'cronjob', 'write kind: CronJob'],
    ['batch/v1', 'CronJobs', 'write kind: CronJob'],
    ['batch/v1', 'CronJbo', 'write kind: CronJob'],
    ['batch/v1', 'cj', 'write kind: CronJob'],
    ['batch/v1', 'Jobs', 'write kind: Job'],
    [`${ETCD}/v1alpha2`, 'EtcdDefragPolicies', 'write kind: EtcdDefragPolicy'],
    [`${ETCD}/v1alpha2`, 'EtcdDefragPolcy', 'write kind: EtcdDefragPolicy'],
    [`${ETCD}/v1alpha2`, 'ETCDDefrag', 'write kind: EtcdDefrag'],
    ['batch/v3', 'CronJob', 'write apiVersion: batch/v1'],
    ['batch/V1', 'CronJob', 'write apiVersion: batch/v1'],
    [`${ETCD}/v1alpha1`, 'EtcdDefragPolicy', `write apiVersion: ${ETCD}/v1alpha2`],
    ['batch/v1beta1', 'Cronjob', 'write apiVersion: batch/v1 and kind: CronJob'],
    ['batchs/v1', 'CronJob', 'write apiVersion: batch/v1'],
    ['Batch/v1', 'CronJob', 'write apiVersion: batch/v1'],
    ['batch.k8s.io/v1', 'CronJob', 'write apiVersion: batch/v1'],
    ['v1', 'CronJob', 'write apiVersion: batch/v1'],
    ['batch', 'CronJob', 'write apiVersion: batch/v1'],
    ['apps/v1', 'Job', 'write apiVersion: batch/v1'],
    ['etcd-operator.cosystack.io/v1alpha2', 'EtcdDefragPolicy', `write apiVersion: ${ETCD}/v1alpha2`],
    ['bacth/v1', 'Cronjob', 'write apiVersion: batch/v1 and kind: CronJob'],
  ])('%s %s', (apiVersion, kind, fix) => {
    expect(fixFor(apiVersion, kind)).toBe(fix);
  });
});

describe('a type that is right, or really another, is none of ours', () => {
  const OTHERS: readonly (readonly [apiVersion: string, kind: string])[] = [
    ...TYPES.map(({ group, version, kind }) => [`${group}/${version}`, kind] as const),
    ['upgrade.cattle.io/v1', 'Plan'],
    ['snapscheduler.backube/v1', 'SnapshotSchedule'],
    ['batch.volcano.sh/v1alpha1', 'Job'],
    ['batch.example.com/v1', 'CronJob'],
    ['stable.example.com/v1', 'CronTab'],
    [`${ETCD}/v1alpha2`, 'EtcdCluster'],
    [`${ETCD}/v1alpha2`, 'EtcdBackup'],
    ['v1', 'ConfigMap'],
    ['v1', 'Node'],
    ['v1', 'Pod'],
    ['apps/v1', 'Deployment'],
    ['constructor/v1', '__proto__'],
  ];

  test.each(OTHERS)('%s %s', (apiVersion, kind) => {
    expect(fixFor(apiVersion, kind)).toBeUndefined();
  });
});

describe('a misnamed schedule', () => {
  const manifest = 'apiVersion: batch/v1\nkind: Cronjob\nmetadata: {name: nightly, namespace: harbor}\n';
  const told = `a.yaml:2:7: error UnknownKind: Cronjob of batch/v1 is not known to this build
  2 | kind: Cronjob
    |       ^
  why:    nothing is decided about it
  fix:    write kind: CronJob
  object: Cronjob harbor/nightly
`;

  test.each([
    ['plan', 0],
    ['next', 0],
    ['reconcile', 0],
    ['validate', 3],
    ['explain', 1],
  ])('is an error of %s', async (verb, code) => {
    const cwd = await temporaryFolder({ 'a.yaml': manifest });
    const named = verb === 'explain' ? ['cj/nightly'] : [];
    const result = await runMinutehand([verb, ...named, '-f', 'a.yaml'], { cwd });
    expect(result.code).toBe(code);
    expect(verb === 'validate' ? result.stdout : result.stderr).toContain(told);
  });

  test.each([
    ['a version from before the release', { ...cronJob('c'), apiVersion: 'batch/v1beta1' }, 3],
    ['a version that Kubernetes lacks', { ...cronJob('c'), apiVersion: 'batch/v3' }, 3],
    ['another letter case', { ...cronJob('c'), kind: 'Cronjob' }, 3],
    ['a slip in the kind', { ...policy('p'), kind: 'EtcdDefragPolcy' }, 3],
    ['a slip in the group', { ...policy('p'), apiVersion: 'etcd-operator.cosystack.io/v1alpha2' }, 3],
    ['a version that an operator may serve', { ...policy('p'), apiVersion: `${ETCD}/v1alpha1` }, 0],
    ['a kind that is none of ours', { ...policy('p'), kind: 'EtcdCluster' }, 0],
  ])('%s: all verbs agree on what it is', async (_name, misnamed, code) => {
    const cwd = await temporaryFolder({
      'base/a.json': list(cronJob('other')),
      'head/a.json': list(cronJob('other'), misnamed),
    });
    const guarded = ['--fail-on', 'invalid'];
    for (const argv of [
      ['validate', '-f', 'head'],
      ['plan', '-f', 'head', ...guarded],
      ['reconcile', '-f', 'head', '--state', 'state', ...guarded],
      ['diff', '-f', 'head', '--base', 'base', ...guarded],
    ])
      expect({ argv, code: (await runMinutehand(argv, { cwd })).code }).toEqual({ argv, code });
  });

  test.each([
    ['in its kind', { ...cronJob('c'), kind: 'Cronjob' }],
    ['in its group', { ...cronJob('c'), apiVersion: 'batchs/v1' }],
    ['in its version', { ...cronJob('c'), apiVersion: 'batch/v3' }],
  ])('%s is not taken for one that is gone: --prune keeps its state', async (_where, misnamed) => {
    const cwd = await temporaryFolder({
      'good/a.json': list(cronJob('c'), policy('p')),
      'bad/a.json': list(misnamed, policy('p')),
    });
    const tick = ['--state', 'state', '--now', '2026-06-10T03:00:10Z'];
    await runMinutehand(['reconcile', '-f', 'good', ...tick], { cwd });
    await runMinutehand(['reconcile', '-f', 'bad', '--prune', ...tick], { cwd });
    const later = await runMinutehand(['reconcile', '-f', 'good', ...tick, '-o', 'json'], { cwd });
    expect(JSON.parse(later.stdout).changeSet.counts).toMatchObject({ schedules: 2, creates: 0 });
  });
});
