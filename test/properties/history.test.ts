import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { effort, PATIENCE, SHORTEST, TICKS } from './support/effort.ts';
import { live, type Tamper } from './support/history.ts';
import { type Step, someStep } from './support/step.ts';
import { someTimetables, type Timetable } from './support/timetable.ts';

const STARTS = ['2026-03-28T20:00:20Z', '2026-10-24T20:00:20Z', '2026-06-10T08:00:20Z'].flatMap(
  (text): readonly Instant[] => {
    const at = parseInstant(text);
    return at === undefined ? [] : [at];
  },
);

function someHistory(
  troubled: boolean,
): fc.Arbitrary<readonly [readonly Timetable[], Instant, readonly Step[]]> {
  const steps = fc.array(someStep(troubled), { minLength: SHORTEST, maxLength: TICKS, size: 'max' });
  return fc.tuple(someTimetables(2, 5), fc.constantFrom(...STARTS), steps);
}

/** Histories in which next to nothing runs would keep every promise. */
const RUNS_PER_HISTORY = 20;

describe('a history of 500 ticks', () => {
  test.each([
    ['when no write fails, whatever the clock, the authors and the runs do', false, 'histories'],
    ['through crashes, refusals, lost replies and people who meddle', true, 'crashing'],
  ] as const)(
    'keeps every promise %s',
    async (_what, troubled, property) => {
      let made = 0;
      // Thousands of lives are lived to shorten one; only who asks for it waits for that.
      const amount = { ...effort(property), endOnFailure: SHORTEST === TICKS };
      await fc.assert(
        fc.asyncProperty(someHistory(troubled), async (history) => {
          made += (await live(...history)).runs;
        }),
        amount,
      );
      expect(made).toBeGreaterThan(amount.numRuns * RUNS_PER_HISTORY);
    },
    PATIENCE,
  );
});

const QUIET: Omit<Step, 'dice'> = { advance: 60, acts: [], trouble: { trouble: 'none' } };
const MINUTELY: Timetable = {
  kind: 'CronJob',
  namespace: 'harbor',
  name: 'minutely',
  expression: '* * * * *',
  zone: undefined,
  deadline: undefined,
  concurrency: 'Forbid',
  suspend: false,
  limit: 1,
  failedLimit: 1,
  ttl: undefined,
};

/** Stores that lie, each about one thing. */
const LIARS: readonly (readonly [lie: string, tamper: Tamper, breach: RegExp])[] = [
  [
    'status writes that were never carried out',
    (store) => ({
      ...store,
      applyStatus: async (type, key) => {
        const read = await store.get(type, key);
        return read.state === 'found'
          ? { ok: true, object: read.object }
          : { ok: false, failure: { kind: 'gone', message: 'gone' } };
      },
    }),
    /anchor/,
  ],
  [
    'runs that were never created',
    (store) => ({ ...store, create: async (_type, object) => ({ ok: true, object }) }),
    /an idle tick would|anchor/,
  ],
  [
    'lists without runs',
    (store) => ({
      ...store,
      list: (type) =>
        type.kind === 'Job' ? Promise.resolve({ state: 'read', objects: [] }) : store.list(type),
    }),
    /beside another run|held is right|history/,
  ],
  [
    'deletes that were never carried out',
    (store) => ({
      ...store,
      delete: async (type, key) => {
        const read = await store.get(type, key);
        return read.state === 'found'
          ? { ok: true, object: read.object }
          : { ok: false, failure: { kind: 'gone', message: 'gone' } };
      },
    }),
    /more history than its limit/,
  ],
];

describe('the ledger of these histories', () => {
  test.each(LIARS)('notices %s', async (_lie, tamper, breach) => {
    const steps = Array.from({ length: 30 }, (_, index): Step => ({ ...QUIET, dice: index * 7919 }));
    const [start] = STARTS;
    if (start === undefined) throw new Error('no start');
    await expect(live([MINUTELY], start, steps)).resolves.toMatchObject({ runs: expect.any(Number) });
    await expect(live([MINUTELY], start, steps, tamper)).rejects.toThrow(breach);
  });
});
