import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { OrderAccount } from '#core/simulation/orders/diary.ts';
import { endOfPart, type GivenEnd, type PartRule } from '#core/simulation/orders/part-ends.ts';
import { simulate } from '#core/simulation/simulate.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { PLAY } from '#drivers/managed-job/play.ts';
import { at } from '#test/support/given-tick.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';
import { observe, SETTINGS } from './support/both-ways.ts';
import { type JobLeft, jobsEveryMinute } from './support/job-oracle.ts';

const FROM = at('2026-06-10T08:00:00Z');

function jobOf(name: string, spec: JsonObject): KubeObject {
  const container = { name: 'main', image: 'registry.test/work:1' };
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'work', uid: `uid-${name}`, creationTimestamp: '2026-06-10T07:59:30Z' },
    spec: { managedBy: 'minutehand.dev/job', template, ...spec },
  };
}

interface Given {
  readonly jobs: readonly KubeObject[];
  readonly rules: readonly PartRule[];
  readonly minutes: number;
  readonly pods?: readonly KubeObject[];
}

const SECONDS = 90;

function simulated({ jobs, rules, minutes, pods = [] }: Given): readonly OrderAccount[] {
  const ends = { rules, seconds: SECONDS, outcome: 'succeeded' } as const;
  const { orders } = simulate({
    observed: observe(jobs),
    kinds: [],
    settings: { ...SETTINGS, writers: { 'managed-jobs': 'manage' } },
    from: FROM,
    until: instant(FROM + minutes * 60),
    tickOffsetSeconds: 0,
    durations: { given: new Map(), assumedSeconds: SECONDS },
    end: 'succeeded',
    played: {
      driver: MANAGED_JOBS,
      play: PLAY,
      orders: jobs.map((object) => ({ type: JOB, object })),
      parts: pods,
      ends,
    },
  });
  return orders;
}

function everyMinute({ jobs, rules, minutes }: Given): Promise<Readonly<Record<string, JobLeft>>> {
  const until: Instant = instant(FROM + minutes * 60);
  const endOf = (job: string, place: number | undefined, before: number): GivenEnd =>
    endOfPart({ rules, seconds: SECONDS, outcome: 'succeeded' }, { names: [job], place, before }, SECONDS);
  return jobsEveryMinute({ jobs, from: FROM, until, endOf });
}

function end(seconds: number, exitCode = 0): GivenEnd {
  return { seconds, end: { exitCode } };
}

/** A span as `place: first minute and second to last, how it ended`. */
function spansOf({ spans }: OrderAccount): readonly string[] {
  const clock = (moment: Instant): string => new Date(moment * 1000).toISOString().slice(14, 19);
  return spans.map(({ place, from, until, end: how, exitCode }) => {
    const last = until === undefined ? '' : clock(until);
    return `${place ?? '-'} ${clock(from)}..${last} ${how}${exitCode ? ` ${exitCode}` : ''}`;
  });
}

describe('a Job with pods that end as they are told', () => {
  test('an index that fails twice, with the back-off of its own, and then succeeds', () => {
    const [job] = simulated({
      jobs: [
        jobOf('shards', {
          completionMode: 'Indexed',
          completions: 3,
          parallelism: 3,
          backoffLimitPerIndex: 5,
        }),
      ],
      rules: [
        { order: 'shards', ends: [end(100)] },
        {
          order: 'shards',
          places: [{ first: 2, last: 2 }],
          ends: [end(50, 42), end(119, 42), end(119, 7), end(30)],
        },
      ],
      minutes: 30,
    });
    expect(job && spansOf(job)).toEqual([
      '0 00:00..01:40 succeeded',
      '1 00:00..01:40 succeeded',
      '2 00:00..00:50 failed 42',
      // 10 s after the first failure, just over; 20 s and 40 s after the next ones take a tick more.
      '2 01:00..02:59 failed 42',
      '2 04:00..05:59 failed 7',
      '2 07:00..07:30 succeeded',
    ]);
    expect(job).toMatchObject({
      outcome: 'succeeded',
      reason: 'CompletionsReached',
      endedAt: at('2026-06-10T08:08:00Z'),
      parts: { started: 6, succeeded: 3, failed: 3, stopped: 0, running: 0 },
      waits: { count: 2, seconds: 120 },
    });
  });

  test('a success policy stops the others, and the verdict follows once they have stopped', () => {
    const [job] = simulated({
      jobs: [
        jobOf('leader', {
          completionMode: 'Indexed',
          completions: 3,
          parallelism: 3,
          successPolicy: { rules: [{ succeededIndexes: '0' }] },
        }),
      ],
      rules: [{ ends: [end(3600)] }, { order: 'leader', places: [{ first: 0, last: 0 }], ends: [end(45)] }],
      minutes: 10,
    });
    expect(job && spansOf(job)).toEqual([
      '0 00:00..00:45 succeeded',
      '1 00:00..01:00 stopped',
      '2 00:00..01:00 stopped',
    ]);
    expect(job).toMatchObject({
      outcome: 'succeeded',
      reason: 'SuccessPolicy',
      decidedAt: at('2026-06-10T08:01:00Z'),
      endedAt: at('2026-06-10T08:02:00Z'),
    });
  });

  test('a deadline ends what would never end', () => {
    const [job] = simulated({
      jobs: [jobOf('slow', { activeDeadlineSeconds: 150 })],
      rules: [{ ends: [end(1_000_000)] }],
      minutes: 10,
    });
    expect(job && spansOf(job)).toEqual(['- 00:00..03:00 stopped']);
    expect(job).toMatchObject({ outcome: 'failed', reason: 'DeadlineExceeded' });
  });

  test('with OnFailure containers start anew in their pod until the limit is reached', () => {
    const container = { name: 'main', image: 'registry.test/work:1' };
    const template = { spec: { restartPolicy: 'OnFailure', containers: [container] } };
    const given = (rules: readonly PartRule[]): OrderAccount | undefined =>
      simulated({ jobs: [jobOf('again', { backoffLimit: 3, template })], rules, minutes: 20 })[0];
    const healed = given([{ ends: [end(30, 1), end(30, 1), end(30)] }]);
    // 30 s, 10 s, 30 s, 20 s and 30 s.
    expect(healed && spansOf(healed)).toEqual(['- 00:00..02:00 succeeded']);
    expect(healed).toMatchObject({ outcome: 'succeeded', restarts: 2 });
    expect(given([{ ends: [end(30, 1)] }])).toMatchObject({
      outcome: 'failed',
      reason: 'BackoffLimitExceeded',
    });
  });

  test.each([
    // Starts at 0:00, 1:00 and 2:10.
    ['two of 50 s: the second start is not there yet', 2, 50, 3, 1, undefined],
    ['two of 50 s', 2, 50, 4, 2, '2026-06-10T08:03:00Z'],
    // Starts at 0:00, 1:15, 2:40, 4:25 and 6:50.
    ['four of 65 s: the fourth start is not there yet', 4, 65, 7, 3, undefined],
    ['four of 65 s', 4, 65, 8, 4, '2026-06-10T08:07:00Z'],
  ])(
    'a restart counts from the start on, not from the failure: %s',
    (_, backoffLimit, seconds, minutes, restarts, ended) => {
      const container = { name: 'main', image: 'registry.test/work:1' };
      const template = { spec: { restartPolicy: 'OnFailure', containers: [container] } };
      const jobs = [jobOf('again', { backoffLimit, template })];
      const [job] = simulated({ jobs, rules: [{ ends: [end(seconds, 1)] }], minutes });
      expect(job?.restarts).toBe(restarts);
      expect(job?.decidedAt).toBe(ended === undefined ? undefined : at(ended));
    },
  );

  test.each([
    // The fourth start comes 40 s after the third failure, at 0:15, and takes 30 s.
    ['waits for its next start', { waiting: { reason: 'CrashLoopBackOff' } }, 2, '00:45', 1],
    [
      'runs for the third time since 07:59:50',
      { running: { startedAt: '2026-06-10T07:59:50Z' } },
      2,
      '00:20',
      0,
    ],
    ['runs for the first time', { running: { startedAt: '2026-06-10T07:59:50Z' } }, 0, '00:05', 0],
  ])('a container that is there from the beginning and %s', (_, state, restartCount, until, restarts) => {
    const job = jobOf('again', {});
    const lastState = { terminated: { exitCode: 1, finishedAt: '2026-06-10T07:59:35Z' } };
    const pod: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'again-x',
        namespace: 'work',
        uid: 'uid-again-x',
        creationTimestamp: '2026-06-10T07:59:35Z',
        finalizers: ['batch.kubernetes.io/job-tracking'],
        ownerReferences: [
          { apiVersion: 'batch/v1', kind: 'Job', name: 'again', uid: 'uid-again', controller: true },
        ],
      },
      spec: { restartPolicy: 'OnFailure', containers: [{ name: 'main' }] },
      status: { phase: 'Running', containerStatuses: [{ name: 'main', restartCount, state, lastState }] },
    };
    const [account] = simulated({ jobs: [job], rules: [{ ends: [end(30)] }], minutes: 5, pods: [pod] });
    expect(account && spansOf(account)).toEqual([`- 59:35..${until} succeeded`]);
    expect(account?.restarts).toBe(restarts);
  });

  test('a disruption that a rule ignores counts as nothing', () => {
    const rule = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };
    const spec = { backoffLimit: 0, podFailurePolicy: { rules: [rule] } };
    const taken: GivenEnd = { seconds: 30, end: { exitCode: 143, disrupted: true } };
    const [ignored] = simulated({
      jobs: [jobOf('moved', spec)],
      rules: [{ ends: [taken, end(30)] }],
      minutes: 10,
    });
    expect(ignored).toMatchObject({ outcome: 'succeeded', parts: { started: 2, failed: 1, succeeded: 1 } });
    const [counted] = simulated({
      jobs: [jobOf('failed', spec)],
      rules: [{ ends: [end(30, 143), end(30)] }],
      minutes: 10,
    });
    expect(counted).toMatchObject({ outcome: 'failed', parts: { started: 1 } });
  });

  test('thousands of pods are counted, and the first of them listed', () => {
    const [job] = simulated({
      jobs: [jobOf('wide', { completions: 3000, parallelism: 400 })],
      rules: [],
      minutes: 60,
    });
    expect(job?.parts).toMatchObject({ started: 3000, succeeded: 3000 });
    expect(job?.spans.length).toBe(500);
  });
});

const small = fc.integer({ min: 0, max: 4 });

function maybe<T extends JsonObject>(part: fc.Arbitrary<T>): fc.Arbitrary<JsonObject> {
  return fc.oneof(fc.constant<JsonObject>({}), part);
}

function merged(...parts: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> {
  return fc.tuple(...parts).map((some) => Object.assign({}, ...some) as JsonObject);
}

const FAILURE_RULES = [
  { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
  { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
];

const common = merged(
  maybe(small.map((backoffLimit) => ({ backoffLimit }))),
  maybe(fc.integer({ min: 60, max: 900 }).map((activeDeadlineSeconds) => ({ activeDeadlineSeconds }))),
  maybe(
    fc.constantFrom<JsonObject>(
      { podReplacementPolicy: 'Failed' },
      { podFailurePolicy: { rules: FAILURE_RULES } },
    ),
  ),
);

const plain = merged(
  common,
  maybe(small.map((completions) => ({ completions }))),
  fc.integer({ min: 1, max: 5 }).map((parallelism) => ({ parallelism })),
);

const indexed = merged(
  common,
  fc
    .record({ completions: fc.integer({ min: 1, max: 6 }), parallelism: fc.integer({ min: 1, max: 4 }) })
    .map((sizes) => ({ completionMode: 'Indexed', ...sizes })),
  maybe(fc.integer({ min: 0, max: 2 }).map((backoffLimitPerIndex) => ({ backoffLimitPerIndex }))),
  maybe(fc.constant({ successPolicy: { rules: [{ succeededIndexes: '0' }] } })),
);

const someEnd: fc.Arbitrary<GivenEnd> = fc.record({
  seconds: fc.constantFrom(0, 20, 59, 60, 61, 150, 400),
  end: fc.constantFrom<GivenEnd['end']>(
    { exitCode: 0 },
    { exitCode: 0 },
    { exitCode: 1 },
    { exitCode: 42 },
    { exitCode: 143, disrupted: true },
  ),
});

const someRule: fc.Arbitrary<PartRule> = fc
  .record({
    ends: fc.array(someEnd, { minLength: 1, maxLength: 4 }),
    order: fc.option(fc.constantFrom('job-0', 'job-1'), { nil: undefined }),
    first: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  })
  .map(({ ends: [one = end(60), ...others], order, first }) => ({
    ends: [one, ...others],
    ...(order === undefined ? {} : { order }),
    ...(first === undefined || order === undefined ? {} : { places: [{ first, last: first + 1 }] }),
  }));

test('in the end a Job stands as ticks in every minute over a store leave it', async () => {
  const some = fc.record({
    specs: fc.array(fc.oneof(plain, indexed), { minLength: 1, maxLength: 2 }),
    rules: fc.array(someRule, { maxLength: 4 }),
    minutes: fc.constantFrom(6, 25),
  });
  await fc.assert(
    fc.asyncProperty(some, async ({ specs, rules, minutes }) => {
      const given = { jobs: specs.map((spec, index) => jobOf(`job-${index}`, spec)), rules, minutes };
      const wanted = await everyMinute(given);
      for (const { key, parts, outcome, status } of simulated(given)) {
        expect(status).toEqual(wanted[key.name]?.status);
        const left = wanted[key.name];
        const { started, succeeded, failed } = parts;
        expect({ started, succeeded, failed }).toEqual({
          started: left?.started,
          succeeded: left?.succeeded,
          failed: left?.failed,
        });
        const conditions = JSON.stringify(left?.status ?? {});
        const ended = /"type":"Complete","status":"True"|"status":"True","type":"Complete"/.test(conditions);
        expect(outcome === 'succeeded').toBe(ended);
      }
    }),
    { numRuns: 60 * RANDOM_FACTOR },
  );
}, 120_000);
