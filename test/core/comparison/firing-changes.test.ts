import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FiringChanges, firingChanges } from '#core/comparison/firing-changes.ts';
import type { Firing } from '#core/comparison/firings.ts';
import { formatInstant, instant } from '#core/time/instant.ts';

const START = 1_780_000_020;

function at(...minutes: readonly number[]): readonly Firing[] {
  return minutes.map((minute) => ({ slot: instant(START + minute * 60) }));
}

function minutes(firings: readonly Firing[]): readonly number[] {
  return firings.map(({ slot }) => (slot - START) / 60);
}

function shown({ added, removed, moved }: FiringChanges): object {
  return {
    added: minutes(added),
    removed: minutes(removed),
    moved: moved.map(({ from, to }) => minutes([from, to])),
  };
}

const DAY = 1440;
/** When the day begins in which the others are counted from. */
const MIDNIGHT = -1227;

/** On seven days, at a minute of the day. */
function daily(first: number, minute: number): readonly Firing[] {
  return at(...Array.from({ length: 7 }, (_, day) => MIDNIGHT + (first + day) * DAY + minute));
}

function moves(from: readonly Firing[], to: readonly Firing[]): readonly (readonly number[])[] {
  return minutes(from).map((minute, index) => [minute, minutes(to)[index] ?? Number.NaN]);
}

describe('what becomes of firings', () => {
  test.each([
    ['nothing', at(0, 60), at(0, 60), { added: [], removed: [], moved: [] }],
    ['one more', at(0, 60), at(0, 30, 60), { added: [30], removed: [], moved: [] }],
    ['one fewer', at(0, 30, 60), at(0, 60), { added: [], removed: [30], moved: [] }],
    ['one later', at(0), at(10), { added: [], removed: [], moved: [[0, 10]] }],
    ['one earlier', at(10), at(0), { added: [], removed: [], moved: [[10, 0]] }],
    ['a day later', at(0), at(DAY), { added: [DAY], removed: [0], moved: [] }],
    ['twelve hours later', at(0), at(720), { added: [], removed: [], moved: [[0, 720]] }],
    ['further than twelve hours, on another day', at(0), at(760), { added: [760], removed: [0], moved: [] }],
    [
      'seventeen hours later on one day',
      at(-1200),
      at(-180),
      { added: [], removed: [], moved: [[-1200, -180]] },
    ],
    [
      'every day at three to every day at twenty: none is left over',
      daily(0, 180),
      daily(0, 1200),
      { added: [], removed: [], moved: moves(daily(0, 180), daily(0, 1200)) },
    ],
    [
      'every day at three to every day at ten, after seven',
      daily(1, 180),
      daily(0, 600),
      {
        added: minutes(daily(0, 600)).slice(0, 1),
        removed: minutes(daily(1, 180)).slice(-1),
        moved: moves(daily(1, 180).slice(0, -1), daily(0, 600).slice(1)),
      },
    ],
    [
      'two become two: a nearer one is given up, so that both have a partner',
      at(0, 100),
      at(90, 160),
      {
        added: [],
        removed: [],
        moved: [
          [0, 90],
          [100, 160],
        ],
      },
    ],
    [
      'daily to hourly: the nearest one is the one that moved',
      at(210),
      at(0, 60, 120, 180, 240),
      { added: [0, 60, 120, 240], removed: [], moved: [[210, 180]] },
    ],
    [
      'two become one: the nearer one moved',
      at(0, 100),
      at(90),
      { added: [], removed: [0], moved: [[100, 90]] },
    ],
    ['all gone', at(0, 1), at(), { added: [], removed: [0, 1], moved: [] }],
    ['all new', at(), at(0, 1), { added: [0, 1], removed: [], moved: [] }],
    [
      'every day an hour later',
      at(0, DAY, 2 * DAY),
      at(60, DAY + 60, 2 * DAY + 60),
      {
        added: [],
        removed: [],
        moved: [
          [0, 60],
          [DAY, DAY + 60],
          [2 * DAY, 2 * DAY + 60],
        ],
      },
    ],
  ])('%s', (_name, before, after, want) => {
    expect(shown(firingChanges(before, after))).toEqual(want);
  });

  test('a range that grows is a firing that moved', () => {
    const [firing] = at(0);
    const before = [{ slot: instant(START), until: instant(START + 600) }];
    const after = [{ slot: instant(START), until: instant(START + 1200) }];
    expect(firing?.slot).toBe(START);
    expect(firingChanges(before, after).moved).toEqual([{ from: before[0], to: after[0] }]);
  });

  const firings = fc
    .uniqueArray(fc.integer({ min: 0, max: 4 * DAY }), { maxLength: 60 })
    .map((numbers) => at(...numbers.sort((a, b) => a - b)));

  test('every firing has exactly one fate', () => {
    fc.assert(
      fc.property(firings, firings, (before, after) => {
        const { added, removed, moved } = firingChanges(before, after);
        const gone = [...minutes(removed), ...minutes(moved.map(({ from }) => from))];
        const fresh = [...minutes(added), ...minutes(moved.map(({ to }) => to))];
        const kept = minutes(before).filter((minute) => minutes(after).includes(minute));
        expect([...gone, ...kept].sort((a, b) => a - b)).toEqual(minutes(before));
        expect([...fresh, ...kept].sort((a, b) => a - b)).toEqual(minutes(after));
        expect(new Set([...gone, ...fresh, ...kept]).size).toBe(gone.length + fresh.length + kept.length);
      }),
    );
  });

  test('moves never cross, and are none beyond eighteen hours', () => {
    fc.assert(
      fc.property(firings, firings, (before, after) => {
        const { moved } = firingChanges(before, after);
        const targets = moved.map(({ to }) => to.slot);
        expect(targets).toEqual([...targets].sort((a, b) => a - b));
        expect(moved.every(({ from, to }) => Math.abs(to.slot - from.slot) <= 18 * 3600)).toBe(true);
      }),
    );
  });

  test('the counts per day add up', () => {
    fc.assert(
      fc.property(firings, firings, (before, after) => {
        const { days } = firingChanges(before, after);
        const change = days.reduce((sum, day) => sum + day.after - day.before, 0);
        expect(change).toBe(after.length - before.length);
        expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).sort());
      }),
    );
  });

  test('days are those of UTC', () => {
    const [firing] = at(0);
    expect(firingChanges([], at(0)).days).toEqual([
      { day: formatInstant(firing?.slot ?? instant(0)).slice(0, 10), before: 0, after: 1 },
    ]);
  });
});
