import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { effort, PATIENCE, SHORTEST, TICKS } from './support/effort.ts';
import { type Beginning, someBeginning } from './support/snapshot/arbitraries.ts';
import { someStart } from './support/snapshot/grown-world.ts';
import { live, type Tamper } from './support/snapshot/history.ts';
import { type Step, someStep } from './support/snapshot/step.ts';

function someHistory(troubled: boolean): fc.Arbitrary<readonly [Beginning, Instant, readonly Step[]]> {
  const steps = fc.array(someStep(troubled), { minLength: SHORTEST, maxLength: TICKS, size: 'max' });
  return fc.tuple(someBeginning, someStart, steps);
}

/** Histories in which next to nothing runs would keep every promise. */
const RUNS_PER_HISTORY = 20;

describe('a history of SnapshotSchedules of 500 ticks', () => {
  test.each([
    ['when no write fails, whatever clock, authors, operator and runs do', false, 'snapshots'],
    [
      'through crashes, refusals, lost replies, lists that break off and people who meddle',
      true,
      'crashingSnapshots',
    ],
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

const PLAIN = { zone: undefined, jitter: undefined };
const MINUTELY: Beginning = {
  timetables: [
    {
      ...PLAIN,
      name: 'night',
      aim: { policy: 'data' },
      cron: '* * * * *',
      runOnCreate: false,
      suspend: false,
      concurrency: 'Replace',
      deadline: undefined,
      failedLimit: 0,
    },
  ],
  recipes: {
    data: { tier: undefined, suspend: false, repositories: ['nas'], source: { claim: 'pg1' }, keep: 1 },
  },
  defaults: { nas: PLAIN },
  claims: { pg1: 'fast' },
};

type Answer = Awaited<ReturnType<Store['delete']>>;

/** What the store would say, had it carried the write out. */
async function unchanged(store: Store, type: ResourceType, key: ObjectKey): Promise<Answer> {
  const read = await store.get(type, key);
  return read.state === 'found'
    ? { ok: true, object: read.object }
    : { ok: false, failure: { kind: 'gone', message: 'gone' } };
}

/** Stores that lie, each about one thing. */
const LIARS: readonly (readonly [lie: string, tamper: Tamper, breach: RegExp])[] = [
  [
    'status writes that were never carried out',
    (store) => ({ ...store, applyStatus: (type, key) => unchanged(store, type, key) }),
    /pin: undefined where \d+ is right/,
  ],
  [
    'runs that were never created',
    (store) => ({
      ...store,
      create: async (type, object) =>
        type.kind === 'Snapshot' ? { ok: true, object } : store.create(type, object),
    }),
    /that was created is not there/,
  ],
  [
    'lists without runs',
    (store) => ({
      ...store,
      list: (type) =>
        type.kind === 'Snapshot' ? Promise.resolve({ state: 'read', objects: [] }) : store.list(type),
    }),
    /did not replace|victims|is right/,
  ],
  [
    'deletes that were never carried out',
    (store) => ({ ...store, delete: (type, key) => unchanged(store, type, key) }),
    /an idle tick would|more failed runs|beyond its retention|is right/,
  ],
  [
    'marks that were never written',
    (store) => ({ ...store, annotate: (type, key) => unchanged(store, type, key) }),
    /was deleted with the mark undefined/,
  ],
];

describe('the ledger of the histories of SnapshotSchedules', () => {
  test.each(LIARS)('notices %s', async (_lie, tamper, breach) => {
    const steps = Array.from({ length: 40 }, (_, index): Step => {
      return { advance: 60, acts: [], dice: index * 7919, trouble: { trouble: 'none' } };
    });
    const start = instant(1_781_078_420);
    await expect(live(MINUTELY, start, steps)).resolves.toMatchObject({ runs: expect.any(Number) });
    await expect(live(MINUTELY, start, steps, tamper)).rejects.toThrow(breach);
  });
});
