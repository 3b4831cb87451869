import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeOf } from '#core/slot/range.ts';
import { enumerateSlots, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import type { TimingInput } from '#core/slot/timing.ts';
import { instant } from '#core/time/instant.ts';
import { at, compiled, shown } from './support/compiled.ts';

function ranged(expression: string, jitterSeconds = 0): ReturnType<typeof rangeOf> {
  const input: TimingInput = { expression, jitterSeconds, dialect: 'kopiur', zone: 'UTC', seed: 'made up' };
  return rangeOf(input, compiled(expression, input));
}

describe('the range of slots that follow from a uid', () => {
  it.each([
    ['H 2 * * *', 1800, '2026-06-11T02:00:00Z', '2026-06-11T02:59:00Z', 1799],
    ['0 2 * * *', 600, '2026-06-11T02:00:00Z', '2026-06-11T02:00:00Z', 599],
    ['H H * * *', 0, '2026-06-11T00:00:00Z', '2026-06-10T23:59:00Z', 0],
    ['0 6 H * *', 0, '2026-07-01T06:00:00Z', '2026-06-28T06:00:00Z', 0],
  ])('%s with %d s of jitter', (expression, jitter, first, last, reach) => {
    const range = ranged(expression, jitter);
    if (range === undefined) throw new Error('no range');
    const now = at('2026-06-10T03:00Z');
    expect([shown(firstAfter(range.first, now)), shown(firstAfter(range.last, now)), range.reach]).toEqual([
      first,
      last,
      reach,
    ]);
  });

  it('is none where neither H nor jitter plays a part', () => {
    expect(ranged('0 2 * * *')).toBeUndefined();
    expect(ranged('0 0 * * THU')).toBeUndefined();
  });

  it('holds every slot, whatever the uid', () => {
    const field = (low: number, high: number): fc.Arbitrary<string> =>
      fc.oneof(fc.constant('H'), fc.integer({ min: low, max: high }).map(String), fc.constant('*'));
    const expressions = fc
      .tuple(field(0, 59), field(0, 23), field(1, 28))
      .map((parts) => `${parts.join(' ')} * *`);
    fc.assert(
      fc.property(expressions, fc.integer({ min: 1, max: 5000 }), fc.uuid(), (expression, jitter, seed) => {
        const range = ranged(expression, jitter);
        if (range === undefined) return;
        const timing = compiled(expression, { dialect: 'kopiur', seed, jitterSeconds: jitter });
        const from = at('2026-06-10T00:00Z');
        for (const slot of enumerateSlots(timing, from, instant(from + 90 * 86_400), 20)) {
          const last = firstAfter(range.last, instant(slot - range.reach - 1));
          const first = last === undefined ? undefined : latestAtOrBefore(range.first, last);
          expect(first).toBeDefined();
          expect((first ?? 0) <= slot || (latestAtOrBefore(range.first, slot) ?? 0) <= slot).toBe(true);
          expect((last ?? 0) + range.reach).toBeGreaterThanOrEqual(slot);
        }
      }),
      { numRuns: 60 },
    );
  });
});
