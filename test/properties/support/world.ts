import fc from 'fast-check';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject, Metadata } from '#core/object/object.ts';
import { formatInstant, type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { type Progress, runNameOf, runObject } from './run-object.ts';
import { scheduleObject, someTimetables, type Timetable } from './timetable.ts';

/** Everything that one tick may find, with who belongs to whom. */
export interface World {
  readonly now: Instant;
  readonly schedules: readonly KubeObject[];
  readonly runs: readonly KubeObject[];
}

const DAY = 86_400;

/** Nights at which clocks change somewhere, and a plain day. */
const DATES = ['2026-03-29', '2026-10-25', '2026-04-05', '2026-09-06', '2026-11-01', '2026-06-10'] as const;

/** No slot, deadline or end of a life falls on these seconds or on the next one. */
const someNow = fc
  .tuple(fc.constantFrom(...DATES), fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 5, max: 25 }))
  .map(([date, minute, second]) => instant((parseInstant(`${date}T00:00:00Z`) ?? 0) + minute * 60 + second));

type Status = (now: number, timetable: Timetable) => Json | undefined;

function anchored(back: number): Status {
  return (now) => ({ lastScheduleTime: formatInstant(instant(Math.floor((now - back) / 60) * 60)) });
}

function suspendedStatus(now: number): Json {
  const lastTransitionTime = formatInstant(instant(now - 3600));
  const condition = { type: 'Active', status: 'False', reason: 'Suspended', message: '', lastTransitionTime };
  return { lastScheduleTime: lastTransitionTime, conditions: [condition] };
}

function tracking(now: number, timetable: Timetable): Json {
  const name = runNameOf(timetable, Math.floor(now / 60) * 60 - 60);
  const active = timetable.kind === 'CronJob' ? [{ kind: 'Job', name, uid: 'uid-lost' }] : [{ name }];
  return { active, lastSuccessfulTime: formatInstant(instant(now - 2 * DAY)) };
}

/** What a status may hold, the odd included: nobody but us promises to write it well. */
const someStatus: fc.Arbitrary<Status> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 60, 120, 600, 7200, 3 * DAY, -3600).map(anchored) },
  { weight: 2, arbitrary: fc.constant<Status>(() => undefined) },
  { weight: 2, arbitrary: fc.constant<Status>(suspendedStatus) },
  { weight: 2, arbitrary: fc.constant<Status>(tracking) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<Json>(
        {},
        null,
        { lastScheduleTime: null, active: [], conditions: [] },
        { lastScheduleTime: 'yesterday' },
        { lastScheduleTime: 5 },
        { lastSuccessfulTime: 'never', active: 'none', conditions: 'none' },
        { conditions: [null, 'Active', { type: 'Ready', status: 'True' }], active: [null, { name: 7 }] },
        { lastScheduleTime: '2026-03-01t00:00:00.5+01:00', other: { deep: [1] } },
      )
      .map(
        (status): Status =>
          () =>
            status,
      ),
  },
);

function withSchedule(schedule: string): (object: KubeObject) => KubeObject {
  return (object) => ({ ...object, spec: { ...(isObject(object.spec) ? object.spec : {}), schedule } });
}

function withMetadata(more: (name: string) => Partial<Metadata>): (object: KubeObject) => KubeObject {
  return (object) => ({ ...object, metadata: { ...object.metadata, ...more(object.metadata.name) } });
}

const FOREIGN_STATUS = {
  manager: 'kube-controller-manager',
  operation: 'Update',
  subresource: 'status',
  fieldsV1: { 'f:status': { 'f:lastScheduleTime': {} } },
};

/** What else may be the matter with a schedule: each is refused, observed or left alone in its own way. */
const ODDITIES: readonly ((object: KubeObject) => KubeObject)[] = [
  ...Array.from({ length: 16 }, () => (object: KubeObject) => object),
  withSchedule('every blue moon'),
  withSchedule('0 0 30 2 *'),
  withSchedule(', * * * *'),
  withSchedule('@hourly'),
  withSchedule('@every 90m'),
  withSchedule('CRON_TZ=Europe/Berlin 30 2 * * *'),
  withSchedule('TZ=Mars/Olympus * * * * *'),
  withMetadata(() => ({ managedFields: [FOREIGN_STATUS] })),
  withMetadata(() => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.org/hold'] })),
  withMetadata((name) => ({ name: `${name}-${'y'.repeat(53 - name.length)}`.slice(0, 54) })),
  withMetadata((name) => ({ name: `${name}-${'z'.repeat(70)}` })),
];

interface RunSeed {
  readonly slotsBack: number;
  readonly named: 'slot' | 'free';
  readonly owner: 'own' | 'other' | 'none';
  readonly manual: boolean;
  readonly progress: Progress;
  readonly minutesSince: number;
  readonly terminating: boolean;
}

const someRun: fc.Arbitrary<RunSeed> = fc.record({
  slotsBack: fc.integer({ min: 0, max: 12 }),
  named: fc.constantFrom('slot', 'slot', 'slot', 'free'),
  owner: fc.constantFrom('own', 'own', 'own', 'other', 'none'),
  manual: fc.constantFrom(false, false, false, true),
  progress: fc.constantFrom('fresh', 'running', 'succeeded', 'succeeded', 'failed', 'odd'),
  minutesSince: fc.integer({ min: 0, max: 90 }),
  terminating: fc.constantFrom(false, false, false, false, true),
} as const);

function runOf(timetable: Timetable, seed: RunSeed, now: number): KubeObject {
  const minute = Math.floor(now / 60) * 60;
  const slot = minute - seed.slotsBack * 60;
  const since = minute - seed.minutesSince * 60;
  return runObject(timetable, {
    ...seed,
    name: seed.named === 'slot' ? runNameOf(timetable, slot) : `${timetable.name}-by-hand-${seed.slotsBack}`,
    slot: seed.named === 'slot' ? slot : undefined,
    created: slot,
    since,
  });
}

function unique(objects: readonly KubeObject[]): readonly KubeObject[] {
  const byKey = new Map(
    objects.map((object) => [`${object.kind}/${object.metadata.namespace}/${object.metadata.name}`, object]),
  );
  return [...byKey.values()];
}

/** A world of several namespaces: schedules of both kinds, their runs in every phase, and runs of others. */
export function someWorld(sizes: { readonly min: number; readonly max: number }): fc.Arbitrary<World> {
  return someNow.chain((now) =>
    someTimetables(sizes.min, sizes.max).chain((timetables) =>
      fc
        .tuple(
          ...timetables.map((timetable) =>
            fc
              .tuple(
                someStatus,
                fc.constantFrom(0, 300, 7200, 90 * DAY),
                fc.array(someRun, { maxLength: 7 }),
                fc.constantFrom(...ODDITIES),
              )
              .map(([status, age, seeds, oddity]) => ({
                schedule: oddity(scheduleObject(timetable, now - age, status(now, timetable))),
                runs: seeds.map((seed) => runOf(timetable, seed, now)),
              })),
          ),
        )
        .map((parts) => ({
          now,
          schedules: parts.map(({ schedule }) => schedule),
          runs: unique(parts.flatMap(({ runs }) => runs)),
        })),
    ),
  );
}
