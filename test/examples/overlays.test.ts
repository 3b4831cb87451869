import { beforeAll, expect, test } from 'vitest';
import type { KubectlResult } from '#test/cluster/support/kubectl.ts';
import { describeOnServer, sharedServer } from '#test/cluster/support/with-server.ts';
import { CLUSTER, readDocuments } from './cluster-files.ts';

async function kubectl(args: readonly string[], input?: string): Promise<KubectlResult> {
  return (await sharedServer()).kubectl(args, input);
}

/** What kubectl said, where it had no fault to find and nothing to warn of. */
async function done(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

async function apply(folder: string): Promise<string> {
  return done(['apply', '--server-side', '-k', `${CLUSTER}/${folder}`]);
}

async function mayI(account: string, verb: string, resource: string, namespace?: string): Promise<string> {
  const scope = namespace === undefined ? '-A' : `--namespace=${namespace}`;
  const { stdout } = await kubectl([
    ...['auth', 'can-i', verb, resource, scope],
    `--as=system:serviceaccount:${account}`,
  ]);
  return stdout.trim();
}

const POLICIES = 'etcddefragpolicies.etcd-operator.cozystack.io';
const DEFRAGS = 'etcddefrags.etcd-operator.cozystack.io';
const REPOSITORIES = 'clusterrepositories.kopiur.home-operations.com';

describeOnServer('examples/cluster on a real API server', () => {
  beforeAll(async () => {
    await apply('empty-cluster');
  });

  test('the CronJob is stored as it is written', async () => {
    const stored = JSON.parse(await done(['get', 'cronjob', 'minutehand', '-n', 'minutehand', '-o', 'json']));
    const [written] = readDocuments(`${CLUSTER}/base/cron-job.yaml`);
    expect(stored).toMatchObject({ spec: written?.['spec'] });
  });

  test('an overlay without CRDs changes none of them, and nothing else', async () => {
    const crds = ['get', 'crd', '-o', 'jsonpath={.items[*].metadata.resourceVersion}'];
    const before = await done(crds);
    expect(before.split(' ').length).toBeGreaterThan(5);
    await apply('whole-cluster');
    expect(await done(crds)).toBe(before);
  });

  test('the namespace takes the pod of a tick, and no other', async () => {
    const [job] = readDocuments(`${CLUSTER}/run-once/job.yaml`);
    const { template } = Object(job?.['spec']);
    const pod = (change: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'tick', namespace: 'minutehand' },
        spec: { ...template.spec, ...change },
      });
    expect(await done(['create', '--dry-run=server', '-f', '-'], pod({}))).toContain('pod/tick created');
    const root = await kubectl(['create', '--dry-run=server', '-f', '-'], pod({ securityContext: {} }));
    expect(root).toMatchObject({ code: 1, stderr: expect.stringContaining('violates PodSecurity') });
  });

  test('a tick by hand can be asked for again and again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { code, stderr, stdout } = await kubectl(['replace', '--force', '-k', `${CLUSTER}/run-once`]);
      expect({ code, stderr, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('replaced'),
      });
    }
  });

  test('the account of the whole cluster may what its role says', async () => {
    const account = 'minutehand:minutehand-reconcile';
    expect(await mayI(account, 'list', POLICIES)).toBe('yes');
    expect(await mayI(account, 'create', DEFRAGS, 'anywhere')).toBe('yes');
    expect(await mayI(account, 'get', 'secrets')).toBe('no');
    expect(await mayI('minutehand:default', 'list', POLICIES)).toBe('no');
  });

  test('the account of the whole cluster has one Lease, in its own namespace', async () => {
    const account = 'minutehand:minutehand-reconcile';
    const named = 'leases.coordination.k8s.io/minutehand';
    for (const verb of ['get', 'patch']) {
      expect(await mayI(account, verb, named, 'minutehand')).toBe('yes');
      expect(await mayI(account, verb, 'leases.coordination.k8s.io/other', 'minutehand')).toBe('no');
      expect(await mayI(account, verb, named, 'kube-system')).toBe('no');
    }
    expect(await mayI(account, 'create', 'leases.coordination.k8s.io', 'minutehand')).toBe('yes');
    expect(await mayI(account, 'create', 'leases.coordination.k8s.io', 'kube-system')).toBe('no');
  });

  test('the tick divided among shards is stored as it is rendered', async () => {
    await apply('sharded');
    const stored = JSON.parse(await done(['get', 'cronjob', 'minutehand', '-n', 'minutehand', '-o', 'json']));
    expect(stored.spec.jobTemplate.spec).toMatchObject({
      completionMode: 'Indexed',
      completions: 3,
      parallelism: 3,
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 3,
    });
    await apply('whole-cluster');
  });

  test('the account of plan-only reads and writes nothing', async () => {
    await apply('plan-only');
    const account = 'minutehand:minutehand-read';
    expect(await mayI(account, 'list', POLICIES)).toBe('yes');
    expect(await mayI(account, 'create', DEFRAGS)).toBe('no');
    expect(await mayI(account, 'patch', POLICIES)).toBe('no');
  });

  test('the account of one namespace has its rights there and nowhere else', async () => {
    await done(['create', 'namespace', 'team-a']);
    await apply('one-namespace');
    const account = 'team-a:minutehand-reconcile';
    expect(await mayI(account, 'list', POLICIES, 'team-a')).toBe('yes');
    expect(await mayI(account, 'create', DEFRAGS, 'team-a')).toBe('yes');
    expect(await mayI(account, 'list', POLICIES, 'default')).toBe('no');
    expect(await mayI(account, 'list', POLICIES)).toBe('no');
    expect(await mayI(account, 'list', REPOSITORIES)).toBe('yes');
    const config = ['get', 'configmap', 'minutehand', '-n', 'team-a', '-o', 'jsonpath={.data.config\\.yaml}'];
    expect(await done(config)).toContain('namespaces: [team-a]');
  });
});
