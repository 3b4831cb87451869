import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingReason, readAssets } from '#test/cluster/support/assets.ts';
import { CLUSTER, type ClusterObject, documentsOf } from './cluster-files.ts';

const assets = readAssets();
const missing = missingReason(assets, ['kubectl']);

function build(folder: string): readonly ClusterObject[] {
  const { status, stdout, stderr } = spawnSync(assets.path('kubectl'), ['kustomize', folder], {
    encoding: 'utf8',
  });
  expect({ folder, status, stderr }).toEqual({ folder, status: 0, stderr: '' });
  return documentsOf(stdout);
}

function idsOf(objects: readonly ClusterObject[]): readonly string[] {
  return objects
    .map(({ kind, metadata }) =>
      [kind, ...(metadata.namespace === undefined ? [] : [metadata.namespace]), metadata.name].join(' '),
    )
    .sort();
}

function one(objects: readonly ClusterObject[], kind: string, name?: string): ClusterObject {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  expect({ kind, name, count: found.length }).toEqual({ kind, name, count: 1 });
  return found[0] ?? { apiVersion: '', kind, metadata: { name: '' } };
}

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly { readonly args: readonly string[]; readonly env?: readonly object[] }[];
}

interface JobSpec {
  readonly completions: number;
  readonly template: { readonly spec: PodSpec };
}

function jobOf(objects: readonly ClusterObject[]): JobSpec {
  const { jobTemplate } = one(objects, 'CronJob')['spec'] as {
    readonly jobTemplate: { readonly spec: JobSpec };
  };
  return jobTemplate.spec;
}

function podOf(objects: readonly ClusterObject[]): PodSpec {
  return jobOf(objects).template.spec;
}

function tickArgs(objects: readonly ClusterObject[]): unknown {
  return podOf(objects).containers[0]?.args;
}

function configOf(objects: readonly ClusterObject[]): unknown {
  const { data } = one(objects, 'ConfigMap') as { readonly data?: Readonly<Record<string, string>> };
  return data?.['config.yaml'];
}

function tickOf(account: string): readonly string[] {
  return [
    'ConfigMap minutehand minutehand',
    'CronJob minutehand minutehand',
    'Namespace minutehand',
    `ServiceAccount minutehand ${account}`,
  ];
}

const TICK = tickOf('minutehand-reconcile');
const LEASE = ['Role minutehand minutehand-lease', 'RoleBinding minutehand minutehand-lease'];
const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
const ARGS = ['reconcile', '--config', '/config/config.yaml'];

function roles(): readonly string[] {
  const ids = idsOf(build('policies/rbac'));
  for (const name of ['plan', 'read', 'reconcile']) expect(ids).toContain(`ClusterRole minutehand-${name}`);
  return ids;
}

function whatHolds(): void {
  test('monitoring is role, rules, and the files of kube-state-metrics and Grafana as they are', () => {
    const folder = 'examples/monitoring';
    const objects = build(folder);
    expect(idsOf(objects)).toEqual([
      'ClusterRole minutehand-kube-state-metrics',
      'ClusterRoleBinding minutehand-kube-state-metrics',
      'ConfigMap monitoring minutehand-dashboard',
      'ConfigMap monitoring minutehand-kube-state-metrics',
      'PrometheusRule monitoring minutehand',
    ]);
    const files = objects.map((object) => object['data']).filter((data) => data !== undefined);
    expect(files).toEqual([
      { 'minutehand.json': readFileSync(`${folder}/dashboard.json`, 'utf8') },
      { 'kube-state-metrics.yaml': readFileSync(`${folder}/kube-state-metrics.yaml`, 'utf8') },
    ]);
  });

  test('base is the tick without rights', () => {
    const objects = build(`${CLUSTER}/base`);
    expect(idsOf(objects)).toEqual(TICK);
    expect(configOf(objects)).toBe(readFileSync(`${CLUSTER}/base/config.yaml`, 'utf8'));
  });

  test('whole-cluster adds the roles, one binding and the rights to a Lease, and no CRD', () => {
    const objects = build(`${CLUSTER}/whole-cluster`);
    expect(idsOf(objects)).toEqual(
      [...TICK, ...LEASE, ...roles(), 'ClusterRoleBinding minutehand-reconcile'].sort(),
    );
    expect(one(objects, 'ClusterRoleBinding')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'minutehand-reconcile' },
      subjects: [{ kind: 'ServiceAccount', name: 'minutehand-reconcile', namespace: 'minutehand' }],
    });
    expect(tickArgs(objects)).toEqual(ARGS);
  });

  test('empty-cluster adds the CRDs and the admission rules to that', () => {
    const objects = build(`${CLUSTER}/empty-cluster`);
    const whole = idsOf(build(`${CLUSTER}/whole-cluster`));
    const added = idsOf(objects).filter((id) => !whole.includes(id));
    expect(whole.filter((id) => !idsOf(objects).includes(id))).toEqual([]);
    const policies = [...build('policies/crd'), ...build('policies/admission')];
    expect(added).toEqual(idsOf(policies));
    expect(added).toContain('CustomResourceDefinition etcddefragpolicies.etcd-operator.cozystack.io');
    expect(added).toContain('CustomResourceDefinition snapshotschedules.kopiur.home-operations.com');
  });

  test('plan-only may read, and plans', () => {
    const objects = build(`${CLUSTER}/plan-only`);
    const tick = tickOf('minutehand-read');
    expect(idsOf(objects)).toEqual([...tick, ...roles(), 'ClusterRoleBinding minutehand-read'].sort());
    expect(one(objects, 'ClusterRoleBinding')).toMatchObject({
      roleRef: { name: 'minutehand-read' },
      subjects: [{ name: 'minutehand-read', namespace: 'minutehand' }],
    });
    expect(podOf(objects).serviceAccountName).toBe('minutehand-read');
    expect(tickArgs(objects)).toEqual(['plan', ...ARGS.slice(1)]);
  });

  test('one-namespace has nothing outside it but the right to read ClusterRepositories', () => {
    const objects = build(`${CLUSTER}/one-namespace`);
    expect(idsOf(objects)).toEqual([
      'ClusterRole minutehand-cluster-repositories',
      'ClusterRoleBinding minutehand-cluster-repositories-team-a',
      'ConfigMap team-a minutehand',
      'CronJob team-a minutehand',
      'Role team-a minutehand-lease',
      'Role team-a minutehand-reconcile',
      'RoleBinding team-a minutehand-lease',
      'RoleBinding team-a minutehand-reconcile',
      'ServiceAccount team-a minutehand-reconcile',
    ]);
    for (const { kind, ...binding } of objects.filter((object) => object.kind.endsWith('Binding'))) {
      expect([kind, binding['subjects']]).toEqual([
        kind,
        [{ kind: 'ServiceAccount', name: 'minutehand-reconcile', namespace: 'team-a' }],
      ]);
    }
    expect(configOf(objects)).toBe(readFileSync(`${CLUSTER}/one-namespace/config.yaml`, 'utf8'));
    expect(JSON.stringify(objects)).not.toContain('"namespace":"minutehand"');
  });

  test('the Role of one-namespace has the rules of the ClusterRole', () => {
    const role = one(build(`${CLUSTER}/one-namespace`), 'Role', 'minutehand-reconcile');
    const wanted = build('policies/rbac').find(({ metadata }) => metadata.name === 'minutehand-reconcile');
    expect(role['rules']).toEqual(wanted?.['rules']);
    expect(role).not.toHaveProperty('aggregationRule');
    // A Role with one of these is refused.
    expect(JSON.stringify(role['rules'])).not.toContain('nonResourceURLs');
  });

  test('the Role of a Lease names that of the configuration, and no other', () => {
    for (const [folder, namespace] of [
      ['whole-cluster', 'minutehand'],
      ['one-namespace', 'team-a'],
    ] as const) {
      const objects = build(`${CLUSTER}/${folder}`);
      expect(configOf(objects)).toContain(`\nlease: ${namespace}/minutehand\n`);
      expect(one(objects, 'Role', 'minutehand-lease')).toMatchObject({
        metadata: { namespace },
        rules: [
          { ...LEASES, resourceNames: ['minutehand'], verbs: ['get', 'patch'] },
          { ...LEASES, verbs: ['create'] },
        ],
      });
    }
  });

  test('sharded is whole-cluster, its Job Indexed, and every number that of completions', () => {
    const objects = build(`${CLUSTER}/sharded`);
    expect(idsOf(objects)).toEqual(idsOf(build(`${CLUSTER}/whole-cluster`)));
    const job = jobOf(objects);
    const { completions } = job;
    expect(completions).toBeGreaterThan(1);
    expect(job).toMatchObject({
      completionMode: 'Indexed',
      parallelism: completions,
      backoffLimitPerIndex: 0,
      maxFailedIndexes: completions,
    });
    // Both together would end the other shards with the first one that fails.
    expect(job).not.toHaveProperty('backoffLimit');
    // The index is set by Kubernetes.
    expect(podOf(objects).containers[0]?.env).toEqual([
      { name: 'MINUTEHAND_SHARDS', value: String(completions) },
    ]);
    expect(tickArgs(objects)).toEqual(ARGS);
    const names = Array.from({ length: completions }, (_, index) => `minutehand-${index}`);
    expect(one(objects, 'Role', 'minutehand-lease')).toMatchObject({ rules: [{ resourceNames: names }, {}] });
  });

  test('another number of shards is written in one place, and in the names of the Leases', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sharded-'));
    try {
      cpSync('examples/cluster', join(folder, 'examples/cluster'), { recursive: true });
      cpSync('policies/rbac', join(folder, 'policies/rbac'), { recursive: true });
      const path = join(folder, 'examples/cluster/sharded/kustomization.yaml');
      const text = readFileSync(path, 'utf8');
      expect(text.match(/value: 3\n/g)).toHaveLength(1);
      writeFileSync(path, text.replace('value: 3\n', 'value: 7\n'));
      const objects = build(join(folder, 'examples/cluster/sharded'));
      expect(jobOf(objects)).toMatchObject({ completions: 7, parallelism: 7, maxFailedIndexes: 7 });
      expect(podOf(objects).containers[0]?.env).toEqual([{ name: 'MINUTEHAND_SHARDS', value: '7' }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('run-once is one Job of the same ServiceAccount', () => {
    expect(idsOf(build(`${CLUSTER}/run-once`))).toEqual(['Job minutehand minutehand-once']);
  });
}

if (missing === undefined) describe('kustomize builds examples/cluster', whatHolds);
else {
  const skipped = `kustomize builds examples/cluster: needs kubectl: run npm run cluster:setup (${missing})`;
  console.warn(`SKIPPED ${skipped}`);
  test.skip(skipped);
}
