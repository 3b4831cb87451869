import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { KINDS } from '#kinds/index.ts';
import { CUSTOM_RESOURCES } from '#test/gen/crd/files.ts';
import { defrag, defragPolicy, NAMESPACE, snapshot, snapshotSchedule } from '#test/policies/rule-case.ts';
import { RULE_CASES } from '#test/policies/rule-cases.ts';
import { installPolicies, isWarned, mustKubectl, POLICIES, takesEffect } from './support/install-policies.ts';
import { request } from './support/request.ts';
import { tryAttempt } from './support/try-attempt.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

/** The rows of a table of `kubectl get`, by the names of its columns. */
async function table(args: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]> {
  const text = await mustKubectl(await sharedServer(), ['get', '-n', NAMESPACE, ...args]);
  const [head = '', ...rows] = text.trimEnd().split('\n');
  const columns = [...head.matchAll(/\S+(?: \S+)*/g)];
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => [
        column[0],
        row.slice(column.index, columns[index + 1]?.index ?? row.length).trim(),
      ]),
    ),
  );
}

async function create(object: JsonObject): Promise<void> {
  await mustKubectl(await sharedServer(), ['create', '-f', '-'], object);
}

async function setStatus(object: JsonObject, status: JsonObject): Promise<void> {
  const server = await sharedServer();
  const { name } = object['metadata'] as { name: string };
  const resource = CUSTOM_RESOURCES.find(({ resource: { kind } }) => kind === object['kind'])?.resource;
  if (resource === undefined) throw new Error(`no resource for ${object['kind']}`);
  const path = `/apis/${apiVersionOf(resource)}/namespaces/${NAMESPACE}/${resource.plural}/${name}/status?fieldManager=minutehand`;
  const { status: code, text } = await request(server, 'PATCH', path, {
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: object['apiVersion'], kind: object['kind'], metadata: { name }, status },
  });
  if (code !== 200) throw new Error(text);
}

function condition(type: string, reason: string): JsonObject {
  return {
    type,
    status: 'True',
    reason,
    message: 'so it is',
    lastTransitionTime: '2026-01-01T03:00:00Z',
    observedGeneration: 1,
  };
}

const DAY = { at: '2026-01-01T03:00:00Z' };

/** Every status field that we write, with every field inside it. */
const STATUS: Readonly<Record<string, JsonObject>> = {
  'etcd-defrag-policy': {
    lastScheduleTime: '2026-01-01T03:00:00Z',
    lastSuccessfulTime: '2026-01-01T03:10:00Z',
    active: [{ name: 'nightly-1767236400' }],
    conditions: [condition('Active', 'Scheduled')],
  },
  'snapshot-schedule': {
    observedGeneration: 1,
    lastSchedule: { ...DAY, snapshotRef: { name: 'nightly-20260101030000' } },
    nextSchedule: { at: '2126-01-02T03:00:00Z', cron: 'H 2 * * *', timezone: 'UTC', jitter: '30m' },
    lastSuccessfulSchedule: DAY,
    lastFailedSchedule: DAY,
    consecutiveFailures: 3,
    conditions: [condition('Ready', 'Scheduled'), condition('Stalled', 'Scheduled')],
  },
};

function named(object: JsonObject, name: string): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), name } };
}

async function removed(object: JsonObject): Promise<void> {
  await mustKubectl(await sharedServer(), ['delete', '--wait=false', '-f', '-'], object);
}

describeOnServer('policies/ on a real API server', () => {
  beforeAll(async () => installPolicies(await sharedServer()), 120_000);

  test.each(RULE_CASES)('refuse $name ($file)', async (one) => {
    const server = await sharedServer();
    const accepted = await tryAttempt(server, one.accepted);
    expect({ status: accepted.status < 300, said: accepted.body.message }).toEqual({
      status: true,
      said: undefined,
    });
    expect(isWarned(accepted, one)).toBe(false);
    const refused = await tryAttempt(server, one.refused);
    if (one.onlyWarned === true) {
      expect(isWarned(refused, one)).toBe(true);
      return;
    }
    expect({ status: refused.status, message: refused.body.message }).toEqual({
      status: 422,
      message: expect.stringContaining(one.says),
    });
    expect(refused.body.message).toContain(one.field ?? '');
  });

  test('are applied a second time without a difference', async () => {
    const server = await sharedServer();
    await mustKubectl(server, ['apply', '--server-side', '-k', POLICIES]);
    const { code, stdout } = await server.kubectl(['diff', '--server-side', '-k', POLICIES]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  test('store a policy whose schedule cannot be read, so that a tick can tell', async () => {
    const odd = defragPolicy({ schedule: 'every blue moon' }, { name: 'odd' });
    await create(odd);
    await removed(odd);
  });

  test('declare every status field that is written', async () => {
    const objects = { 'etcd-defrag-policy': defragPolicy({}), 'snapshot-schedule': snapshotSchedule({}) };
    for (const [id, object] of Object.entries(objects)) {
      const kind = KINDS.find((one) => one.id === id);
      const status = STATUS[id] ?? {};
      expect(Object.keys(status).sort()).toEqual([...(kind?.rules.statusFields ?? [])].sort());
      await create(named(object, 'told'));
      await setStatus(named(object, 'told'), status);
      const text = await mustKubectl(await sharedServer(), [
        'get',
        '-n',
        NAMESPACE,
        '-o',
        'json',
        `${kind?.resource.plural}/told`,
      ]);
      expect((JSON.parse(text) as { status: unknown }).status).toEqual(status);
    }
  });

  test('show the columns of schedules', async () => {
    const age = expect.stringMatching(/^\d+[smhdy]\S*$/);
    expect(await table(['etcddefragpolicies', 'told'])).toEqual([
      {
        NAME: 'told',
        CLUSTER: 'etcd',
        SCHEDULE: '0 3 * * *',
        SUSPEND: '',
        STATE: 'Scheduled',
        'LAST SCHEDULE': age,
        AGE: age,
      },
    ]);
    expect(await table(['kopiasched', 'told', '-o', 'wide'])).toEqual([
      {
        NAME: 'told',
        CONFIG: 'pg',
        SCHEDULE: 'H 2 * * *',
        SUSPENDED: '',
        STATE: 'Scheduled',
        LAST: age,
        NEXT: '2126-01-02T03:00:00Z',
        FAILURES: '3',
        AGE: age,
      },
    ]);
  });

  test('show the columns of runs, and select them by phase', async () => {
    const marks = { annotations: { 'minutehand.dev/slot': '2026-01-01T03:00:00Z' } };
    const runs = [
      named(defrag({ metadata: marks }), 'ended'),
      named(defrag({}), 'begun'),
      named(snapshot({ metadata: marks }), 'taken'),
    ];
    for (const run of runs) await create(run);
    await setStatus(named(defrag({}), 'ended'), { phase: 'Complete', defragmented: 3 });
    await setStatus(named(snapshot({}), 'taken'), {
      phase: 'Succeeded',
      origin: 'scheduled',
      snapshot: { kopiaSnapshotID: 'k1', identity: { hostname: 'billing' } },
      stats: { files: 3 },
    });
    expect(
      await table(['etcddefrags', '--field-selector=status.phase=Complete', '-o', 'wide']),
    ).toMatchObject([
      { NAME: 'ended', CLUSTER: 'etcd', PHASE: 'Complete', DEFRAGMENTED: '3', SLOT: '2026-01-01T03:00:00Z' },
    ]);
    expect(await table(['snapshots', '--field-selector=spec.policyRef.name=pg'])).toMatchObject([
      { NAME: 'taken', PHASE: 'Succeeded', ORIGIN: 'scheduled', SNAPSHOT: 'k1', SOURCE: '' },
    ]);
    const text = await mustKubectl(await sharedServer(), [
      'get',
      '-n',
      NAMESPACE,
      '-o',
      'json',
      'snapshots/taken',
    ]);
    // What only the operator knows is kept.
    expect(JSON.parse(text)).toMatchObject({
      status: { stats: { files: 3 }, snapshot: { identity: { hostname: 'billing' } } },
    });
    for (const run of runs) await removed(run);
  });

  test('say what a field is for', async () => {
    const text = await mustKubectl(await sharedServer(), [
      'explain',
      'snapshotschedules.spec.schedule.jitter',
    ]);
    expect(text).toContain('The window in which each slot is moved');
  });

  test('let a schedule that was stored before live on: marked, told, mended and deleted', async () => {
    const server = await sharedServer();
    const wide = named(snapshotSchedule({ jitter: '25h' }), 'wide');
    const one = ['snapshotschedule/wide', '-n', NAMESPACE];
    await mustKubectl(server, ['delete', 'validatingadmissionpolicybinding/minutehand-snapshot-schedules']);
    await until('the policy is off', async () =>
      (await server.kubectl(['create', '-f', '-'], JSON.stringify(wide))).code === 0 ? true : undefined,
    );
    await mustKubectl(server, ['apply', '--server-side', '-k', POLICIES]);
    await takesEffect(server, 'admission/snapshot-schedules.yaml');
    await mustKubectl(server, ['annotate', ...one, 'example.com/note=mine']);
    await setStatus(wide, { observedGeneration: 1, nextSchedule: DAY });
    const edited = await server.kubectl([
      'patch',
      ...one,
      '--type=merge',
      '-p',
      '{"spec":{"schedule":{"cron":"H 3 * * *"}}}',
    ]);
    expect(edited.stderr).toContain('jitter of 25h exceeds the 24h maximum; write 24h or less');
    await mustKubectl(server, [
      'patch',
      ...one,
      '--type=merge',
      '-p',
      '{"metadata":{"finalizers":["example.com/hold"]}}',
    ]);
    await mustKubectl(server, ['delete', ...one, '--wait=false']);
    await mustKubectl(server, ['patch', ...one, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await until('it is gone', async () =>
      (await server.kubectl(['get', ...one])).code === 1 ? true : undefined,
    );
  });

  test('let a schedule that breaks a rule of its definition be told', async () => {
    const server = await sharedServer();
    const aimless = named(snapshotSchedule({}, { policyRef: null }), 'aimless');
    const rules = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations';
    const patch = JSON.stringify([{ op: 'remove', path: rules }]);
    await mustKubectl(server, [
      'patch',
      'crd/snapshotschedules.kopiur.home-operations.com',
      '--type=json',
      '-p',
      patch,
    ]);
    await until('the rule is off', async () =>
      (await server.kubectl(['create', '-f', '-'], JSON.stringify(aimless))).code === 0 ? true : undefined,
    );
    // What another manager has changed is not overwritten unasked.
    const { stderr } = await server.kubectl(['apply', '--server-side', '-k', POLICIES]);
    expect(stderr).toContain('conflict with "kubectl-patch"');
    await mustKubectl(server, ['apply', '--server-side', '--force-conflicts', '-k', POLICIES]);
    await takesEffect(server, 'crd/kopiur.home-operations.com_snapshotschedules.yaml');
    await setStatus(aimless, { observedGeneration: 1, conditions: [condition('Ready', 'InvalidSchedule')] });
    await mustKubectl(server, [
      'annotate',
      'snapshotschedule/aimless',
      '-n',
      NAMESPACE,
      'example.com/note=mine',
    ]);
    await removed(aimless);
  });

  test('let a run go that is being deleted, marks and all', async () => {
    const server = await sharedServer();
    const marks = { 'minutehand.dev/slot': '2026-01-01T03:00:00Z', 'minutehand.dev/owner-uid': 'a' };
    await create(
      named(defrag({ metadata: { annotations: marks, finalizers: ['example.com/hold'] } }), 'held'),
    );
    const one = ['etcddefrag/held', '-n', NAMESPACE];
    await mustKubectl(server, ['delete', ...one, '--wait=false']);
    await mustKubectl(server, [
      'patch',
      ...one,
      '--type=merge',
      '-p',
      '{"metadata":{"annotations":null,"finalizers":null}}',
    ]);
    await until('it is gone', async () =>
      (await server.kubectl(['get', ...one])).code === 1 ? true : undefined,
    );
  });
});
