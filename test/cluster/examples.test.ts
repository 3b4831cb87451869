import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppliedDocument } from '#core/change/applied-document.ts';
import type { ChangeDocument } from '#core/change/change-document.ts';
import type { ChangeSetDocument } from '#core/change/document.ts';
import { EVENT } from '#core/object/resource.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { ClusterObject } from '#test/examples/cluster-files.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { EXAMPLE_CASES, expectedText, manifestsOf } from './examples/cases.ts';
import { withNumberedUids, without, withoutDigests } from './examples/comparable.ts';
import { mustKubectl } from './examples/must-kubectl.ts';
import { clear, dump, nameOf, type StoredObject, storedObjects } from './examples/objects.ts';
import { plant } from './examples/plant.ts';
import { asInCluster, objectsIn } from './examples/state-folder.ts';
import { areServed } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { must } from './world/api.ts';
import { isWrite, lineOf, sentTo } from './world/sent.ts';

const ACCOUNT = { namespace: 'minutehand', name: 'minutehand-reconcile' };
const ROLES = ['minutehand-reconcile', 'minutehand-cron-jobs'];

/** An object of a cluster stands in no file. */
const PLACES = ['place'];
/** Each store counts versions in its own way. */
const OF_A_STORE = [...PLACES, 'resourceVersion'];

/** On a state folder nobody else acts, so that a tick acts on more than it does on a cluster. */
const OBSERVING = 'cronJob: observe\nsnapshotPolicy:\n  retention: observe\n';

/** What this command line prints as JSON. */
async function printed<T>(argv: readonly string[], stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await runMinutehand([...argv, '-o', 'json'], { stdin });
  if (code !== 0) throw new Error(`minutehand ${argv.join(' ')} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

function changesOf({ schedules, retention = [] }: ChangeSetDocument): readonly ChangeDocument[] {
  return [...schedules, ...retention].flatMap(({ changes }) => changes);
}

/** The API server says this of its own Service whenever it repairs its address: here it has said so from the start. */
const OF_ANOTHER = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'kubernetes.1', namespace: 'default' },
  eventTime: '2026-10-29T00:00:00.000000Z',
  type: 'Warning',
  reason: 'ClusterIPNotAllocated',
  action: 'ClusterIPAllocation',
  note: 'Cluster IP [IPv4]:10.0.0.1 is not allocated; repairing',
  regarding: { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'kubernetes' },
  reportingController: 'ipallocator-repair-controller',
  reportingInstance: 'server',
};

/** The reconcile account with all that `policies/` holds, and the namespaces of the examples. */
async function prepare(): Promise<void> {
  const server = await sharedServer();
  await mustKubectl(server, ['apply', '--server-side', '-k', 'policies']);
  await mustKubectl(server, ['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all']);
  await areServed(server);
  await must(server, 'POST', resourcePath(EVENT, { namespace: 'default' }), OF_ANOTHER);
  const { namespace, name } = ACCOUNT;
  const spaces = EXAMPLE_CASES.map((one) => one.namespace).filter((space) => space !== 'default');
  for (const space of new Set([namespace, ...spaces])) await mustKubectl(server, ['create', 'ns', space]);
  await mustKubectl(server, ['create', 'serviceaccount', '-n', namespace, name]);
  for (const role of ROLES) {
    const subject = `--serviceaccount=${namespace}:${name}`;
    await mustKubectl(server, ['create', 'clusterrolebinding', role, `--clusterrole=${role}`, subject]);
  }
}

async function accountFlags(): Promise<readonly string[]> {
  const server = await sharedServer();
  const token = await server.tokenFor(ACCOUNT.namespace, ACCOUNT.name);
  return ['--kubeconfig', await server.kubeconfigFor(token)];
}

/** What is there after a change set was applied. */
function expectedNames(before: Iterable<string>, changes: readonly ChangeDocument[]): readonly string[] {
  const names = new Set(before);
  for (const { verb, object } of changes) {
    if (verb === 'create' || verb === 'event') names.add(nameOf(object));
    if (verb === 'delete') names.delete(nameOf(object));
  }
  return [...names].sort();
}

/** One object after the tick, held against the change that was to make it so. */
function expectAsPlanned(stored: StoredObject | undefined, change: ChangeDocument): void {
  switch (change.verb) {
    case 'create':
    case 'event':
      expect(stored).toMatchObject(Object(change.body));
      return;
    case 'apply':
      // To the reference of a run comes the uid that its creation brought.
      expect(stored?.status).toMatchObject(Object(change.fields));
      expect(Object.keys(Object(stored?.status)).sort()).toEqual(Object.keys(Object(change.fields)).sort());
      return;
    case 'delete':
      expect(stored).toBeUndefined();
      return;
    case 'annotate':
      expect(stored?.metadata).toMatchObject({ annotations: change.annotations });
  }
}

describeOnServer('examples/ on a real API server', () => {
  beforeAll(prepare, 120_000);

  describe.each(EXAMPLE_CASES)('$example against $expected', (one) => {
    const { namespace, now, flags, changes, spread, hasDefaults = false } = one;
    const when = ['--now', now, ...flags];
    let planted: readonly ClusterObject[] = [];
    let cluster: readonly string[] = [];
    let plan: ChangeSetDocument | undefined;

    beforeAll(async () => {
      const server = await sharedServer();
      planted = await plant(server, manifestsOf(one));
      cluster = [...(await accountFlags()), '-n', namespace];
      plan = await printed<ChangeSetDocument>(['plan', ...cluster, ...when]);
      expect(changesOf(plan)).toHaveLength(changes);
    });

    afterAll(async () => clear(await sharedServer(), namespace));

    test('is planned as from what kubectl dumps', async () => {
      const server = await sharedServer();
      const file = join(server.folder, 'dump.yaml');
      await writeFile(file, await dump(server, namespace, 'yaml'));
      const dumped = await printed(['plan', '-f', file, ...when]);
      expect(plan).toEqual(without(PLACES, dumped));
    });

    function expectAlike(wanted: unknown, comparable: (value: unknown) => unknown): void {
      if (hasDefaults) expect(comparable(plan)).toMatchObject(Object(comparable(wanted)));
      else expect(comparable(plan)).toEqual(comparable(wanted));
    }

    test('is planned as from its manifests, had they these uids', async () => {
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: planted });
      const offline = await printed(['plan', '-f', '-', ...when], list);
      expectAlike(offline, (value) => without(OF_A_STORE, value));
    });

    test('is planned as the example says', () => {
      const golden = JSON.parse(expectedText(one, one.expected));
      expectAlike(golden, (value) => withNumberedUids(withoutDigests(without(OF_A_STORE, value), spread)));
    });

    test('is reconciled as planned, with nothing left to do', async () => {
      const server = await sharedServer();
      const before = await storedObjects(server, namespace);
      const sent = sentTo(server);
      await sent.next();
      const { changeSet, applied } = await printed<{
        readonly changeSet: ChangeSetDocument;
        readonly applied: AppliedDocument;
      }>(['reconcile', ...cluster, ...when]);
      expect(changeSet).toEqual(plan);
      expect(applied).toMatchObject({
        partial: false,
        counts: { done: changes, unnecessary: 0, failed: 0, skipped: 0 },
      });

      const after = await storedObjects(server, namespace);
      const planned = changesOf(changeSet);
      expect([...after.keys()].sort()).toEqual(expectedNames(before.keys(), planned));
      for (const change of planned) expectAsPlanned(after.get(nameOf(change.object)), change);
      const touched = new Set(planned.map(({ object }) => nameOf(object)));
      const others = [...before].filter(([name]) => !touched.has(name));
      for (const [name, object] of others) expect(after.get(name)).toEqual(object);

      await sent.next();
      await printed(['reconcile', ...cluster, ...when]);
      const requests = await sent.next();
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.filter(isWrite).map(lineOf)).toEqual([]);
    });

    test('leaves what the same tick leaves in a state folder', async () => {
      const server = await sharedServer();
      const state = await mkdtemp(join(server.folder, 'state-'));
      const observing = join(server.folder, 'observing.yaml');
      await writeFile(observing, OBSERVING);
      const config = flags.length === 0 ? ['--config', observing] : [];
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: planted });
      await printed(['reconcile', '-f', '-', '--state', state, ...when, ...config], list);
      const stored = await storedObjects(server, namespace);
      const wanted = asInCluster(objectsIn(state), stored);
      expect([...wanted.keys()].sort()).toEqual([...stored.keys()].sort());
      for (const [name, object] of wanted) expect(stored.get(name)).toMatchObject(Object(object));
    });
  });
});

/** `cluster/` is no input of a tick, and `demo/` makes up its own clock and objects. */
const NO_INPUT = ['cluster', 'demo', 'monitoring', 'schemas'];

/** What is expected of it is a comment, which `test/pull-request` holds. */
const OF_CHANGES = ['pull-request'];

/** Their applications are of a kind that no definition here brings: `backups.test.ts` plays that chain. */
const OF_APPLICATIONS = ['backup-plan', 'restore'];
/** The names of pods follow from the uid of their Job: `managed-jobs.test.ts` has such Jobs on a server. */
const OF_JOBS = ['indexed-job'];

test('every example is among them, with all its expected change sets', () => {
  const folders = readdirSync('examples', { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        ![...NO_INPUT, ...OF_CHANGES, ...OF_APPLICATIONS, ...OF_JOBS].includes(entry.name),
    )
    .map(({ name }) => name);
  const found = folders.flatMap((folder) => {
    const sets = readdirSync(join('examples', folder, 'expected')).filter((file) => file.endsWith('.json'));
    expect([folder, sets.length]).not.toEqual([folder, 0]);
    return sets.map((file) => `${folder}/expected/${file}`);
  });
  const tried = EXAMPLE_CASES.map(({ example, expected }) => `${example}/expected/${expected}`).sort();
  expect(tried).toEqual(found.sort());
  expect(found.length).toBeGreaterThanOrEqual(6);
});
