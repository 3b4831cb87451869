import { JOB, PERSISTENT_VOLUME_CLAIM } from '#api/resources.ts';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import {
  CLUSTER_REPOSITORY,
  POLICY,
  PRUNED_BY,
  REPOSITORY,
  SCHEDULE,
  SNAPSHOT,
} from '#kinds/snapshot-schedule/resources.ts';
import { TEMPLATE } from '#test/cli/manifests.ts';
import { type CreateBody, create, listAll, patchMetadata } from '#test/cluster/world/api.ts';
import { snapshotPolicy, snapshotSchedule } from '#test/cluster/world/objects.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import type { Behaviour } from './behaviour.ts';
import {
  at,
  createAll,
  editedMeanwhile,
  endRuns,
  FIRST,
  FOURTH,
  type Place,
  SECOND,
  stamp,
  startedMeanwhile,
  THIRD,
  tickAfter,
  tickBefore,
} from './place.ts';
import { rightTo } from './rights.ts';

type Planted = readonly [ResourceType, CreateBody];

const CREATE = rightTo('create', SNAPSHOT);
const STATUS = rightTo('patch', SCHEDULE, 'status');
const GET = rightTo('get', SNAPSHOT);
const ANNOTATE = rightTo('patch', SNAPSHOT);
const PRUNE = [ANNOTATE, rightTo('delete', SNAPSHOT)];
const REPLACE = [CREATE, STATUS, rightTo('create', EVENT), ...PRUNE, GET, rightTo('delete', JOB)];

const BACKUP = { backup: 'yes' };

interface Parts {
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

function object(type: ResourceType, namespace: string, name: string, { metadata, ...rest }: Parts): Planted {
  const where = { name, ...(type.namespaced ? { namespace } : {}) };
  return [
    type,
    { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { ...where, ...metadata }, ...rest },
  ];
}

function policy({ namespace }: Place, name: string, spec: JsonObject = {}): Planted {
  return [POLICY, snapshotPolicy(`${namespace}/${name}`, { spec, metadata: { labels: BACKUP } })];
}

function schedule({ namespace }: Place, timetable: JsonObject = {}, spec: JsonObject = {}): Planted {
  return [SCHEDULE, snapshotSchedule(`${namespace}/nightly`, { cron: DAILY, ...timetable }, { spec })];
}

/** Its next slot is pinned, which takes a tick, and the nights before that one are over. */
async function plantUntil(
  place: Place,
  objects: readonly Planted[],
  slots: readonly Instant[],
): Promise<void> {
  await createAll(place, objects);
  const [first = THIRD] = slots;
  await tickBefore(place, instant(first - 3600));
  for (const slot of slots) await tickBefore(place, tickAfter(slot));
}

function ended(phase: string, slot: Instant): JsonObject {
  return { phase, timing: { endTime: at(tickAfter(slot)) } };
}

async function endNights(place: Place, phase: string, slots: readonly Instant[]): Promise<void> {
  await endRuns(place, SNAPSHOT, ({ name }) => {
    const slot = slots.find((one) => name.endsWith(stamp(one)));
    return slot === undefined ? undefined : ended(phase, slot);
  });
}

function nightly(slot: Instant, policy = '', source = ''): string {
  return `Snapshot nightly-${policy}${stamp(slot)}${source}`;
}

const SETTLED = [`nightly ${at(THIRD)} > ${at(FOURTH)}`];

/** A Snapshot at work, with the Job that carries it out. */
async function plantRunning(place: Place): Promise<void> {
  const { server, namespace } = place;
  await plantUntil(place, [policy(place, 'pg'), schedule(place, { concurrencyPolicy: 'Replace' })], [SECOND]);
  await endRuns(place, SNAPSHOT, () => ({ phase: 'Running' }));
  for (const { metadata } of await listAll(server, SNAPSHOT, namespace)) {
    const { name = '', uid } = metadata ?? {};
    const owner = { apiVersion: apiVersionOf(SNAPSHOT), kind: SNAPSHOT.kind, name, uid, controller: true };
    const rest = { ...TEMPLATE, metadata: { ownerReferences: [owner] } };
    await create(server, JOB, object(JOB, namespace, name, rest)[1]);
  }
}

/** One gets its zone from a Repository and one from a ClusterRepository. */
async function plantZones(place: Place): Promise<void> {
  const { namespace } = place;
  const zone = { spec: { scheduleDefaults: { timezone: 'Asia/Tokyo' } } };
  const far = { kind: 'ClusterRepository', name: namespace };
  const named = (name: string, repository: JsonObject): readonly Planted[] => {
    const timetable = { cron: DAILY, timezone: null };
    const parts = { spec: { policyRef: { name } } };
    return [
      policy(place, name, { repository }),
      [SCHEDULE, snapshotSchedule(`${namespace}/${name}`, timetable, parts)],
    ];
  };
  await createAll(place, [
    object(REPOSITORY, namespace, 'nas', zone),
    object(CLUSTER_REPOSITORY, '', namespace, zone),
    ...named('near', { name: 'nas' }),
    ...named('far', far),
  ]);
}

/** Three o'clock there, nine hours before it is here. */
const IN_TOKYO = at(instant(FOURTH - 9 * 3600));

function claim({ namespace }: Place, name: string): Planted {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return object(PERSISTENT_VOLUME_CLAIM, namespace, name, { spec, metadata: { labels: BACKUP } });
}

export const SNAPSHOT_BEHAVIOURS: readonly Behaviour[] = [
  {
    does: 'starts the Snapshots of two SnapshotPolicies',
    needs: [CREATE, STATUS, rightTo('list', SCHEDULE), rightTo('list', POLICY), rightTo('list', SNAPSHOT)],
    plant: (place) => {
      const objects = [
        policy(place, 'kv'),
        policy(place, 'pg'),
        schedule(place, {}, { policySelector: { matchLabels: BACKUP } }),
      ];
      return plantUntil(place, objects, []);
    },
    wants: { runs: [nightly(THIRD, 'kv-'), nightly(THIRD, 'pg-')], settled: SETTLED, told: [] },
  },
  {
    does: 'starts a Snapshot for each PersistentVolumeClaim that a SnapshotPolicy selects',
    needs: [CREATE, STATUS, rightTo('list', PERSISTENT_VOLUME_CLAIM)],
    plant: (place) => {
      const sources = [{ pvcSelector: { matchLabels: BACKUP } }];
      const objects = [
        claim(place, 'data'),
        claim(place, 'wal'),
        policy(place, 'pg', { sources }),
        schedule(place),
      ];
      return plantUntil(place, objects, []);
    },
    wants: {
      runs: [nightly(THIRD, '', '-pvc-data'), nightly(THIRD, '', '-pvc-wal')],
      settled: SETTLED,
      told: [],
    },
  },
  {
    does: 'pins the first slot in the zone that repositories give',
    needs: [STATUS, rightTo('list', REPOSITORY), rightTo('list', CLUSTER_REPOSITORY)],
    plant: plantZones,
    wants: { runs: [], settled: [`far never > ${IN_TOKYO}`, `near never > ${IN_TOKYO}`], told: [] },
  },
  {
    does: 'replaces a Snapshot at work, and stops its Job',
    needs: [...REPLACE, rightTo('list', JOB)],
    plant: plantRunning,
    wants: { runs: [nightly(THIRD)], settled: SETTLED, told: ['ReplacedActiveRun nightly'] },
  },
  {
    does: 'looks again at the Job of a Snapshot that changed before it was deleted',
    needs: [...REPLACE, rightTo('get', JOB)],
    plant: plantRunning,
    meanwhile: (place) => editedMeanwhile(place, 'delete', JOB),
    wants: { runs: [nightly(THIRD)], settled: SETTLED, told: ['ReplacedActiveRun nightly'] },
  },
  {
    does: 'trims the failed Snapshots of a SnapshotSchedule',
    needs: [CREATE, STATUS, ...PRUNE],
    plant: async (place) => {
      await plantUntil(
        place,
        [policy(place, 'pg'), schedule(place, {}, { failedJobsHistoryLimit: 0 })],
        [SECOND],
      );
      await endNights(place, 'Failed', [SECOND]);
    },
    wants: { runs: [nightly(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'deletes the Snapshots that a SnapshotPolicy does not retain',
    needs: [CREATE, STATUS, ...PRUNE],
    plant: async (place) => {
      const retention = { keepLatest: 1 };
      await plantUntil(
        place,
        [policy(place, 'pg', { retention }), schedule(place, { concurrencyPolicy: 'Allow' })],
        [FIRST, SECOND],
      );
      await endNights(place, 'Succeeded', [FIRST, SECOND]);
    },
    wants: { runs: [nightly(SECOND), nightly(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'finds the Snapshot of a tick that ended before it could write the status',
    needs: [CREATE, STATUS, GET],
    plant: (place) => plantUntil(place, [policy(place, 'pg'), schedule(place)], []),
    meanwhile: startedMeanwhile,
    wants: { runs: [nightly(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'records the slot of a SnapshotSchedule that was edited meanwhile',
    needs: [CREATE, STATUS, rightTo('get', SCHEDULE)],
    plant: (place) => plantUntil(place, [policy(place, 'pg'), schedule(place)], []),
    meanwhile: (place) => editedMeanwhile(place, 'apply', SCHEDULE),
    wants: { runs: [nightly(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'takes the reason for a deletion off a Snapshot that lives on',
    needs: [CREATE, STATUS, ANNOTATE],
    plant: async (place) => {
      const { server, namespace } = place;
      await plantUntil(place, [policy(place, 'pg'), schedule(place)], [SECOND]);
      await endNights(place, 'Succeeded', [SECOND]);
      const name = `nightly-${stamp(SECOND)}`;
      const annotations = { [PRUNED_BY]: 'replaced-run' };
      await patchMetadata(server, { type: SNAPSHOT, namespace, name }, { annotations });
    },
    wants: { runs: [nightly(SECOND), nightly(THIRD)], settled: SETTLED, told: [] },
  },
];
