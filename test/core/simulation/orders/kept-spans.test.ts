import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepSpans } from '#core/simulation/orders/kept-spans.ts';
import { instant } from '#core/time/instant.ts';

/** Adds a span for each place, in that order; undefined for a part without one. */
function kept(
  places: readonly (number | undefined)[],
  room = { left: 5000 },
): readonly (number | undefined)[] {
  const spans = keepSpans(room);
  for (const [turn, place] of places.entries())
    spans.add({
      name: `p-${turn}`,
      from: instant(turn),
      end: 'running',
      restarts: 0,
      ...(place === undefined ? {} : { place }),
    });
  return spans.all().map(({ place }) => place);
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, place) => place);
}

function times(places: readonly (number | undefined)[], place: number): number {
  return places.filter((one) => one === place).length;
}

describe('spans that are kept', () => {
  test('without places the first 500', () => {
    expect(kept(Array.from({ length: 501 }, () => undefined)).length).toBe(500);
  });

  test('what is tried again in a low place takes the room of the highest places', () => {
    const places = kept([...upTo(3000), ...upTo(3000)]);
    expect(places.length).toBe(500);
    expect(new Set(places)).toEqual(new Set(upTo(250)));
    expect(times(places, 5)).toBe(2);
  });

  test('of one place alone the first 500', () => {
    expect(kept([...Array.from({ length: 700 }, () => 0), 1]).length).toBe(500);
  });

  test('orders share their room, and who drops a place gives it back', () => {
    const room = { left: 4 };
    expect(kept([0, 1, 2, 0, 1], room)).toEqual([0, 1, 0, 1]);
    expect(room.left).toBe(0);
    expect(kept([0, 1], room)).toEqual([]);
  });

  test('whatever comes in which order, places are kept whole, and the lowest ones', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (all, left) => {
        const room = { left };
        const some = kept(all, room).flatMap((place) => place ?? []);
        expect(room.left).toBe(left - some.length);
        const places = new Set(some);
        if (places.size > 1) for (const place of places) expect(times(some, place)).toBe(times(all, place));
        const lowest = [...new Set(all)].sort((a, b) => a - b).slice(0, places.size);
        if (places.size > 0) expect([...places].sort((a, b) => a - b)).toEqual(lowest);
      }),
    );
  });
});
