import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Firing } from '#core/comparison/firings.ts';
import { type Pair, pairFirings } from '#core/comparison/pairing.ts';
import { instant } from '#core/time/instant.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const START = 20_600 * DAY;

/** Every way to pair, or to leave out, weighed: the rule itself, at a cost that grows with the square. */
function bestOf(from: readonly Firing[], to: readonly Firing[]): readonly [pairs: number, distance: number] {
  const rows: (readonly [number, number])[][] = [];
  const better = (one: readonly [number, number], other: readonly [number, number]) =>
    one[0] > other[0] || (one[0] === other[0] && one[1] <= other[1]) ? one : other;
  for (let i = 0; i <= from.length; i += 1) {
    const row: (readonly [number, number])[] = [];
    for (let j = 0; j <= to.length; j += 1) {
      let best: readonly [number, number] = [0, 0];
      if (i > 0) best = better(rows[i - 1]?.[j] ?? best, best);
      if (j > 0) best = better(row[j - 1] ?? best, best);
      const [one, other] = [from[i - 1]?.slot, to[j - 1]?.slot];
      if (one !== undefined && other !== undefined) {
        const distance = Math.abs(one - other);
        const isOneDay = Math.floor(one / DAY) === Math.floor(other / DAY);
        const [pairs, sum] = rows[i - 1]?.[j - 1] ?? [0, 0];
        if (distance <= (isOneDay ? 18 : 12) * HOUR) best = better([pairs + 1, sum + distance], best);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? [0, 0];
}

function measured(pairs: readonly Pair[], from: readonly Firing[], to: readonly Firing[]): object {
  const distances = pairs.map((pair) =>
    Math.abs((from[pair.from]?.slot ?? Number.NaN) - (to[pair.to]?.slot ?? Number.NaN)),
  );
  return [pairs.length, distances.reduce((sum, distance) => sum + distance, 0)];
}

/** In the order of time; sparse, or crowded on some days. */
function firings(days: number, maxLength: number): fc.Arbitrary<readonly Firing[]> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: days * 24 }), { maxLength })
    .map((hours) => hours.sort((a, b) => a - b).map((hour) => ({ slot: instant(START + hour * HOUR) })));
}

test.each([
  ['few over many days', 12, 8],
  ['some', 6, 20],
  ['crowded', 2, 30],
])('as many pairs as there can be, at the least distance, never crossing: %s', (_name, days, maxLength) => {
  fc.assert(
    fc.property(firings(days, maxLength), firings(days, maxLength), (from, to) => {
      const pairs = pairFirings(from, to);
      expect(measured(pairs, from, to)).toEqual(bestOf(from, to));
      for (const [index, pair] of pairs.entries()) {
        const before = pairs[index - 1];
        if (before !== undefined)
          expect([pair.from > before.from, pair.to > before.to]).toEqual([true, true]);
      }
    }),
    { numRuns: 400 },
  );
});
