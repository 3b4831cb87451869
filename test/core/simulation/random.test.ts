import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { at } from '#test/support/given-tick.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';
import { bothWays, evenDurations, SETTINGS } from './support/both-ways.ts';
import {
  cronJob,
  defragPolicy,
  plan,
  repository,
  runOf,
  snapshotPolicy,
  snapshotSchedule,
} from './support/schedules.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const;
const STARTS = [
  '2026-03-29T00:00:00Z',
  '2026-10-25T00:00:00Z',
  '2026-11-01T05:00:00Z',
  '2026-04-04T14:00:00Z',
  '2026-10-03T15:00:00Z',
  '2028-02-28T23:00:00Z',
  '2026-06-30T21:00:00Z',
] as const;
const CRONS = ['* * * * *', '*/3 * * * *', '*/10 * * * *', '7,8,31 * * * *', '30 0-4 * * *', '0 * * * *'];
const EVERY = ['@every 40s', '@every 11m', '@every 3m30s'];

/** A field that is there or not. */
function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

const someTimetable = fc.record({
  kind: fc.constantFrom('etcd', 'cron', 'snapshot', 'plan'),
  cron: fc.constantFrom(...CRONS),
  every: maybe(fc.constantFrom(...EVERY)),
  zone: fc.constantFrom(...ZONES),
  concurrency: maybe(fc.constantFrom('Allow', 'Forbid', 'Replace')),
  deadline: maybe(fc.constantFrom(0, 60, 200, 900)),
  suspend: fc.boolean().map((value) => value || undefined),
  jitter: maybe(fc.constantFrom('4m', '12m')),
  policy: fc.constantFrom('p1', 'p2', 'nowhere'),
  history: maybe(fc.constantFrom(0, 1, 3)),
  ttl: maybe(fc.constantFrom(0, 600)),
  first: fc.boolean().map((value) => value || undefined),
  age: fc.constantFrom(0, 0, 1800, 90_000),
  // How long ago a run of it began that is still at work.
  began: maybe(fc.constantFrom(30, 400, 4000)),
});

type Timetable = typeof someTimetable extends fc.Arbitrary<infer T> ? T : never;

function defined(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function objectsOf(timetable: Timetable, index: number, from: number): readonly KubeObject[] {
  const { kind, cron, every, zone, concurrency, deadline, suspend, history, ttl, age, began } = timetable;
  const name = `t${index}`;
  const created = from - age;
  const common = { suspend, concurrencyPolicy: concurrency, startingDeadlineSeconds: deadline };
  switch (kind) {
    case 'etcd': {
      const schedule = every ?? `CRON_TZ=${zone} ${cron}`;
      const noReplace = concurrency === 'Replace' ? 'Allow' : concurrency;
      const spec = { ...common, concurrencyPolicy: noReplace, schedule, historyLimit: history };
      const object = defragPolicy(name, created, defined({ ...spec, ttlSecondsAfterFinished: ttl }));
      const labels = { 'etcd-operator.cozystack.io/defrag-policy': name };
      return began === undefined
        ? [object]
        : [object, runOf(object, 'EtcdDefrag', { name: `${name}-1`, created: from - began, labels })];
    }
    case 'cron': {
      const limits = { successfulJobsHistoryLimit: history, failedJobsHistoryLimit: history };
      const when = { schedule: every ?? cron, timeZone: zone };
      const object = cronJob(name, created, defined({ ...common, ...when, ...limits }));
      const status = { active: 1 };
      return began === undefined
        ? [object]
        : [object, runOf(object, 'Job', { name: `${name}-1`, created: from - began, status })];
    }
    case 'snapshot': {
      const { jitter, policy, first } = timetable;
      const when = { cron: jitter === undefined ? cron : cron.replace(/^7,8,31/, 'H'), timezone: zone };
      const schedule = defined({ ...common, ...when, jitter, runOnCreate: first });
      return [
        snapshotSchedule(name, created, policy, schedule, defined({ failedJobsHistoryLimit: history })),
      ];
    }
    case 'plan':
      return [plan(name, created, every ?? `CRON_TZ=${zone} ${cron}`)];
  }
}

const REFERENTS = [
  repository('r1'),
  repository('r2'),
  snapshotPolicy('p1', ['r1']),
  snapshotPolicy('p2', ['r1', 'r2']),
];

const someHistory = fc
  .record({
    start: fc.constantFrom(...STARTS),
    late: fc.integer({ min: 0, max: 59 }),
    offset: fc.constantFrom(0, 2, 31),
    seconds: fc.constantFrom(0, 20, 60, 240, 700, 5000),
    end: fc.constantFrom('succeeded' as const, 'failed' as const),
    graceSeconds: fc.constantFrom(0, 90),
    maxCreates: maybe(fc.constantFrom(0, 1, 3)),
    maxCreatesPerLane: maybe(fc.constantFrom(0, 1, 2)),
    maxDeletes: maybe(fc.constantFrom(0, 1)),
    timetables: fc.array(someTimetable, { minLength: 1, maxLength: 7 }),
  })
  .map(({ start, late, offset, seconds, end, graceSeconds, timetables, ...limits }) => {
    const { maxCreates, maxCreatesPerLane, maxDeletes } = limits;
    const from = instant(at(start) + late);
    return {
      objects: [...REFERENTS, ...timetables.flatMap((timetable, index) => objectsOf(timetable, index, from))],
      settings: {
        ...SETTINGS,
        graceSeconds,
        ...(maxCreates === undefined ? {} : { maxCreates }),
        ...(maxCreatesPerLane === undefined ? {} : { maxCreatesPerLane }),
        ...(maxDeletes === undefined ? {} : { maxDeletes }),
      },
      from,
      until: instant(from + 3 * 3600),
      offset,
      durations: evenDurations(seconds),
      end,
    };
  });

test('whatever the schedules are, ticks that were left out would have done nothing', async () => {
  await fc.assert(
    fc.asyncProperty(someHistory, async (history) => {
      const { fast, slow } = await bothWays(history);
      expect(fast).toEqual(slow);
    }),
    { numRuns: 15 * RANDOM_FACTOR },
  );
}, 1_200_000);
