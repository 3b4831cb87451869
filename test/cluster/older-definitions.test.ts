import { beforeAll, expect, test } from 'vitest';
import type { ResourceType } from '#core/object/resource.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, SNAPSHOT, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { stampOf } from './failures/stamp.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, patchStatus, read } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import {
  type Definition,
  install,
  OUR_DEFINITIONS,
  readDefinitions,
  withoutStatusFields,
  withPlainConditions,
} from './world/definitions.ts';
import { defragPolicy, snapshotPolicy, snapshotSchedule } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

const NAMESPACE = 'older';

/** Whole fields, fields of fields, and fields of entries of a list. */
const UNDECLARED: Readonly<Record<string, readonly string[]>> = {
  [POLICY.plural]: ['lastSuccessfulTime', 'conditions.observedGeneration'],
  [SCHEDULE.plural]: [
    'lastFailedSchedule',
    ...['lastSchedule', 'nextSchedule', 'lastSuccessfulSchedule'].map((slot) => `${slot}.cron`),
  ],
};

/** As an older release, or another author, would have it. */
function older(definition: Definition): Definition {
  const { plural } = definition.spec.names;
  const left = withoutStatusFields(definition, UNDECLARED[plural] ?? []);
  return plural === POLICY.plural ? withPlainConditions(left) : left;
}

interface Ticked {
  /** Without events, and without the namespace. */
  readonly writes: readonly string[];
  /** What was told not to be declared. */
  readonly told: readonly string[];
}

let sent: SentRequests;

function toldIn(stderr: string): readonly string[] {
  const lines =
    /^warning FieldNotDeclared: (\S+) of this cluster do not declare \.status\.(\S+): it is not written$/gm;
  return [...stderr.matchAll(lines)].map(([, plural, path]) => `${plural} ${path}`).sort();
}

async function tick(now: Instant): Promise<Ticked> {
  const { kubeconfig } = await sharedServer();
  await sent.next();
  const { code, stdout, stderr } = await runHere(tickAt(kubeconfig, now, '--full'));
  expect(code, stdout + stderr).toBe(0);
  const writes = (await sent.next())
    .filter(isWrite)
    .filter(({ objectRef }) => objectRef?.resource !== 'events');
  const lines = writes.map((entry) => lineOf(entry).replace(`${NAMESPACE}/`, ''));
  // Two schedules are written side by side, each in its own order.
  const isOfPolicy = (line: string): boolean => line.includes('etcddefrag');
  const ordered = [...lines.filter(isOfPolicy), ...lines.filter((line) => !isOfPolicy(line))];
  return { writes: ordered, told: toldIn(stderr) };
}

/** What is told of once in a tick may be told in the next one, but nothing is tried again. */
async function expectNothingLeft(now: Instant): Promise<void> {
  for (let again = 0; again < 2; again += 1) {
    const ticked = await tick(now);
    expect(ticked.writes).toEqual([]);
    expect(ticked.told).toEqual([...new Set(ticked.told)]);
  }
}

async function statusOf(type: ResourceType, name: string): Promise<unknown> {
  const { status } = await read(await sharedServer(), { type, namespace: NAMESPACE, name });
  return status;
}

/** A defragmentation that went well and a Snapshot that failed. */
async function endRuns(slot: Instant): Promise<void> {
  const server = await sharedServer();
  const defrag = { type: DEFRAG, namespace: NAMESPACE, name: `defrag-${slot}` };
  const completedAt = formatInstant(instant(slot + 600));
  await patchStatus(server, defrag, { phase: 'Complete', completedAt });
  const snapshot = { type: SNAPSHOT, namespace: NAMESPACE, name: `nightly-${stampOf(slot)}` };
  await patchStatus(server, snapshot, { phase: 'Failed' });
}

const POLICY_STATUS = 'patch etcddefragpolicies/status defrag';
const SCHEDULE_STATUS = 'patch snapshotschedules/status nightly';

/** Both kinds start a run. */
function firings(slot: Instant): readonly string[] {
  return [
    `create etcddefrags defrag-${slot}`,
    POLICY_STATUS,
    `create snapshots nightly-${stampOf(slot)}`,
    SCHEDULE_STATUS,
  ];
}

/** A process that starts anew does not know what was refused to the last one: the first try of a status may be. */
function accepted(writes: readonly string[]): readonly string[] {
  return writes.filter((line) => !/\/status \w+ 500$/.test(line));
}

describeOnServer('a definition that lacks fields of the status', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    sent = sentTo(server);
    const definitions = await readDefinitions(OUR_DEFINITIONS);
    await install(server, definitions.map(older));
    await createNamespace(server, NAMESPACE);
    await create(server, POLICY, defragPolicy(`${NAMESPACE}/defrag`, { spec: { schedule: DAILY } }));
    await create(server, SNAPSHOT_POLICY, snapshotPolicy(`${NAMESPACE}/pg`));
    await create(server, SCHEDULE, snapshotSchedule(`${NAMESPACE}/nightly`, { cron: DAILY }));
  }, 60_000);

  test('is noticed at the first write, which goes through without them', async () => {
    const before = instant(SLOT - 60);
    const { writes, told } = await tick(before);
    expect(writes).toEqual([
      `${POLICY_STATUS} 500`,
      POLICY_STATUS,
      `${SCHEDULE_STATUS} 500`,
      SCHEDULE_STATUS,
    ]);
    expect(told).toEqual([
      'etcddefragpolicies conditions.observedGeneration',
      'snapshotschedules nextSchedule.cron',
    ]);
    await expectNothingLeft(before);
  });

  test('stops no run', async () => {
    const { writes } = await tick(NOW);
    expect(accepted(writes)).toEqual(firings(SLOT));
    await expectNothingLeft(NOW);
  });

  test('counts what came of the runs once', async () => {
    await endRuns(SLOT);
    const later = instant(SLOT + 700);
    const { told } = await tick(later);
    expect(told).toEqual([
      'etcddefragpolicies conditions.observedGeneration',
      'etcddefragpolicies lastSuccessfulTime',
      'snapshotschedules lastFailedSchedule',
    ]);
    await expectNothingLeft(later);
    const at = formatInstant(SLOT);
    const conditions = expect.any(Array);
    expect(await statusOf(POLICY, 'defrag')).toEqual({ lastScheduleTime: at, conditions });
    expect(await statusOf(SCHEDULE, 'nightly')).toEqual({
      observedGeneration: 1,
      lastSchedule: { at, snapshotRef: { name: `nightly-${stampOf(SLOT)}` } },
      nextSchedule: { at: formatInstant(daysAfter(SLOT, 1)), timezone: 'UTC', jitter: '0s' },
      consecutiveFailures: 1,
      conditions,
    });
  });

  test('stops none of the next day either', async () => {
    const { writes } = await tick(daysAfter(NOW, 1));
    expect(accepted(writes)).toEqual(firings(daysAfter(SLOT, 1)));
    await endRuns(daysAfter(SLOT, 1));
    const later = daysAfter(instant(SLOT + 700), 1);
    await tick(later);
    await expectNothingLeft(later);
    expect(await statusOf(SCHEDULE, 'nightly')).toMatchObject({ consecutiveFailures: 2 });
  });
});
