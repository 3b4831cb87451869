import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isConditionTrue } from '#core/object/condition.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { endOfPart, type GivenEnd, type PartEnds } from '#core/simulation/orders/part-ends.ts';
import { simulate } from '#core/simulation/simulate.ts';
import { instant } from '#core/time/instant.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { PLAY } from '#drivers/managed-job/play.ts';
import { KINDS } from '#kinds/index.ts';
import { at } from '#test/support/given-tick.ts';
import { IS_LONG, RANDOM_FACTOR } from '#test/support/test-length.ts';
import { observe } from './support/both-ways.ts';
import { jobsEveryMinute } from './support/job-oracle.ts';
import { cronJob } from './support/schedules.ts';
import { MANAGING, tickAll } from './support/tick-all.ts';

const FROM = at('2026-06-10T00:00:00Z');
const PATIENCE = IS_LONG ? 600_000 : 60_000;

function often(schedule: string, policy: string, job: JsonObject): KubeObject {
  const container = { name: 'main', image: 'registry.test/work:1' };
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  const jobTemplate = { spec: { managedBy: 'minutehand.dev/job', template, ...job } };
  // All Jobs are kept, so that what became of them can be compared.
  const history = { successfulJobsHistoryLimit: 100, failedJobsHistoryLimit: 100 };
  return cronJob('often', FROM, { schedule, concurrencyPolicy: policy, jobTemplate, ...history });
}

const someEnd: fc.Arbitrary<GivenEnd> = fc.record({
  seconds: fc.constantFrom(10, 60, 130, 400),
  end: fc.constantFrom<GivenEnd['end']>({ exitCode: 0 }, { exitCode: 0 }, { exitCode: 1 }),
});

const some = fc.record({
  schedule: fc.constantFrom('* * * * *', '*/3 * * * *', '*/10 * * * *'),
  policy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
  job: fc.constantFrom<JsonObject>(
    {},
    { backoffLimit: 1 },
    { completions: 3, parallelism: 2, backoffLimit: 2 },
    { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 },
    { activeDeadlineSeconds: 100 },
  ),
  ends: fc.array(someEnd, { minLength: 1, maxLength: 3 }),
});

test(
  'the Jobs of a CronJob become what ticks in every minute make of them',
  async () => {
    await fc.assert(
      fc.asyncProperty(some, async ({ schedule, policy, job, ends: [first, ...others] }) => {
        const cron = often(schedule, policy, job);
        const until = instant(FROM + 45 * 60);
        const rule = {
          order: 'often',
          ends: [first ?? { seconds: 1, end: { exitCode: 0 } }, ...others],
        } as const;
        const ends: PartEnds = { rules: [rule], seconds: 300, outcome: 'succeeded' };
        const wanted = await jobsEveryMinute({
          jobs: [cron],
          from: FROM,
          until,
          tick: tickAll,
          endOf: (_job, place, before) => endOfPart(ends, { names: ['often'], place, before }, 300),
        });
        const { orders, schedules } = simulate({
          observed: observe([cron]),
          kinds: KINDS,
          settings: MANAGING,
          from: FROM,
          until,
          tickOffsetSeconds: 0,
          durations: { given: new Map(), assumedSeconds: 300 },
          end: 'succeeded',
          played: { driver: MANAGED_JOBS, play: PLAY, orders: [], parts: [], ends },
        });
        // Those that Replace deleted are gone from the store.
        const left = orders.filter(({ state }) => state !== 'deleted');
        expect(Object.fromEntries(left.map(({ key, status }) => [key.name, status]))).toEqual(
          Object.fromEntries(Object.entries(wanted).map(([name, { status }]) => [name, status])),
        );
        const ended = (type: string): number =>
          Object.values(wanted).filter(({ status }) => isConditionTrue(status, type)).length;
        const account = schedules[0]?.account;
        expect([account?.successes.count, account?.failures]).toEqual([ended('Complete'), ended('Failed')]);
      }),
      { numRuns: 15 * RANDOM_FACTOR },
    );
  },
  PATIENCE,
);

/** In the histories above nothing is deleted but what Replace deletes. */
const ended = fc.record({
  schedule: fc.constantFrom('* * * * *', '*/2 * * * *', '*/5 * * * *'),
  policy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
  job: fc.record(
    {
      ttlSecondsAfterFinished: fc.constantFrom(0, 30, 60, 200),
      completions: fc.constantFrom(1, 3),
      parallelism: fc.constantFrom(1, 3),
      backoffLimit: fc.constantFrom(0, 2),
    },
    { requiredKeys: [] },
  ),
  kept: fc.record({
    successfulJobsHistoryLimit: fc.constantFrom(0, 1, 100),
    failedJobsHistoryLimit: fc.constantFrom(0, 1, 100),
  }),
  ends: fc.array(someEnd, { minLength: 1, maxLength: 3 }),
  shards: fc.constantFrom(1, 2, 3),
});

test(
  'a Job goes once, by its time to live, the history of its CronJob or to make room, and gets no pod in that tick',
  async () => {
    await fc.assert(
      fc.asyncProperty(ended, async ({ schedule, policy, job, kept, ends: [first, ...others], shards }) => {
        const rule = {
          order: 'often',
          ends: [first ?? { seconds: 1, end: { exitCode: 0 } }, ...others],
        } as const;
        const ends: PartEnds = { rules: [rule], seconds: 300, outcome: 'succeeded' };
        const cron = often(schedule, policy, job);
        await jobsEveryMinute({
          jobs: [{ ...cron, spec: { ...(cron.spec as JsonObject), ...kept } }],
          from: FROM,
          until: instant(FROM + 30 * 60),
          tick: (store, now) => tickAll(store, now, shards),
          endOf: (_job, place, before) => endOfPart(ends, { names: ['often'], place, before }, 300),
        });
      }),
      { numRuns: 30 * RANDOM_FACTOR },
    );
  },
  PATIENCE,
);
