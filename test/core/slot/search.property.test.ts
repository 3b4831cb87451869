import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBetween, enumerateSlots, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { instant } from '#core/time/instant.ts';
import { openZone, transitionsBetween, type Zone } from '#core/time/zone.ts';
import { expressions, fixedTimes, instants, zones } from '#test/core/slot/support/arbitraries.ts';
import { compiled } from '#test/core/slot/support/compiled.ts';
import { bruteForce, bruteForceSafe, oracleOffset } from '#test/core/slot/support/oracle.ts';

const SEED = 20_261_129;
const HOUR = 3600;
const YEAR = 366 * 24 * HOUR;
const END_OF_2050 = instant(2_556_143_999);

function changesOf(zone: string): readonly number[] {
  return transitionsBetween(openZone(zone), instant(0), END_OF_2050).map((change) => change.at);
}

describe('the search against brute force', () => {
  it('finds every slot and no other within 36 hours around each clock change of forty zones', () => {
    let changes = 0;
    fc.assert(
      fc.property(zones, fc.array(expressions, { minLength: 3, maxLength: 3 }), (zone, drawn) => {
        for (const [index, change] of changesOf(zone).entries()) {
          const expression = drawn[index % drawn.length] ?? '* * * * *';
          const from = instant(change - 18 * HOUR);
          const end = instant(change + 18 * HOUR);
          const timing = compiled(expression, { zone });
          const found = enumerateSlots(timing, instant(from - 1), instant(end - 1), 10_000);
          expect({ expression, zone, change, found }).toEqual({
            expression,
            zone,
            change,
            found: bruteForce(expression, zone, from, end),
          });
          changes++;
        }
      }),
      { numRuns: 40, seed: SEED },
    );
    expect(changes).toBeGreaterThan(1000);
  });

  it('finds what the safe rule says around each clock change of forty zones', () => {
    fc.assert(
      fc.property(zones, fc.array(fixedTimes, { minLength: 3, maxLength: 3 }), (zone, drawn) => {
        for (const [index, change] of changesOf(zone).entries()) {
          // The hour of the change itself, so that most rows meet the gap or the repeat.
          const local = new Date((change + (index % 3) * 1200) * 1000);
          const day = drawn[index % drawn.length]?.split(' ').slice(2).join(' ') ?? '* * *';
          const times = [drawn[index % drawn.length] ?? '', `${local.getUTCMinutes()} ${index % 4} ${day}`];
          for (const expression of times) {
            const from = instant(change - 6 * HOUR);
            const end = instant(change + 30 * HOUR);
            const timing = compiled(expression, { zone, dst: 'safe' });
            const found = enumerateSlots(timing, instant(from - 1), instant(end - 1), 10_000);
            const wanted = bruteForceSafe(expression, zone, from, end);
            expect({ expression, zone, change, found }).toEqual({ expression, zone, change, found: wanted });
            expect(countBetween(timing, instant(from - 1), instant(end - 1))).toBe(wanted.length);
            expect(latestAtOrBefore(timing, instant(end - 1), instant(from - 1))).toBe(wanted.at(-1));
          }
        }
      }),
      { numRuns: 20, seed: SEED },
    );
  });

  it('finds every slot and no other in a year', () => {
    fc.assert(
      fc.property(zones, expressions, fc.integer({ min: 1970, max: 2050 }), (zone, expression, year) => {
        const from = instant(Date.UTC(year, 0, 1) / 1000);
        const end = instant(Date.UTC(year + 1, 0, 1) / 1000);
        const timing = compiled(expression, { zone });
        const wanted = bruteForce(expression, zone, from, end);
        expect(enumerateSlots(timing, instant(from - 1), instant(end - 1), 600_000)).toEqual(wanted);
        expect(countBetween(timing, instant(from - 1), instant(end - 1))).toBe(wanted.length);
      }),
      { numRuns: 12, seed: SEED },
    );
  });
});

describe('forwards, backwards and counting', () => {
  const rule = fc.constantFrom('clean' as const, 'safe' as const);
  const window = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200_000 }));

  it('agree with each other', () => {
    fc.assert(
      fc.property(fc.oneof(expressions, fixedTimes), zones, instants, rule, (expression, zone, now, dst) => {
        const timing = compiled(expression, { zone, dst });
        const next = firstAfter(timing, instant(now));
        if (next === undefined) return;
        expect(next).toBeGreaterThan(now);
        expect(latestAtOrBefore(timing, next)).toBe(next);
        expect(latestAtOrBefore(timing, instant(next - 1), instant(now))).toBeUndefined();
        expect(countBetween(timing, instant(now), instant(next))).toBe(1);
        const previous = latestAtOrBefore(timing, instant(now));
        if (previous === undefined) return;
        expect(previous).toBeLessThanOrEqual(now);
        expect(firstAfter(timing, instant(previous - 1))).toBe(previous);
        expect(firstAfter(timing, previous)).toBe(next);
      }),
      { numRuns: 3000, seed: SEED },
    );
  });

  it('do not depend on what was asked of the zone before', () => {
    const rare = fc.tuple(fixedTimes, fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }));
    const mixed = fc.oneof(
      expressions,
      fixedTimes,
      rare.map(([text, day, month]) => `${text.split(' ').slice(0, 2).join(' ')} ${day} ${month} *`),
    );
    fc.assert(
      fc.property(
        mixed,
        fc.array(instants, { minLength: 1, maxLength: 4 }),
        zones,
        rule,
        (expression, nows, zone, dst) => {
          const known = openZone(zone);
          const walked: Zone = { ...known, spans: [], last: 0 };
          transitionsBetween(walked, instant(-315_000_000), instant(2_840_000_000));
          const timing = { ...compiled(expression, { zone, dst }), zone: walked };
          const fresh = { ...timing, zone: { ...known, spans: [], last: 0 } };
          for (const now of nows.map(instant)) {
            const both = [timing, fresh].map((one) => [firstAfter(one, now), latestAtOrBefore(one, now)]);
            expect({ expression, zone, dst, now, found: both[1] }).toEqual({
              expression,
              zone,
              dst,
              now,
              found: both[0],
            });
          }
        },
      ),
      { numRuns: 40, seed: SEED },
    );
  });

  it('agree with the enumeration, jitter or not', () => {
    fc.assert(
      fc.property(expressions, zones, instants, window, (expression, zone, now, jitterSeconds) => {
        const timing = compiled(expression, { zone, jitterSeconds, seed: 'uid' });
        const end = instant(now + 10 * 24 * HOUR);
        const all = enumerateSlots(timing, instant(now), end, 20_000);
        expect(countBetween(timing, instant(now), end)).toBe(all.length);
        expect(latestAtOrBefore(timing, end, instant(now))).toBe(all.at(-1));
        const next = firstAfter(timing, instant(now));
        if (all.length > 0) expect(next).toBe(all[0]);
        else expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(end);
        expect(enumerateSlots(timing, instant(now), end, 3)).toEqual(all.slice(0, 3));
        expect(all).toEqual(all.toSorted((a, b) => a - b));
      }),
      { numRuns: 400, seed: SEED },
    );
  });
});

describe('cron-parser as a second oracle', () => {
  /** What the library reads as the Kubernetes grammar does: no names, no lists with blanks or repeats, no weekday steps. */
  const readable = fc
    .tuple(
      fc.constantFrom('*', '0', '*/15', '7', '10-40', '59', '0,30'),
      fc.constantFrom('*', '0', '2', '*/6', '9-17', '23', '1,2,3'),
      fc.constantFrom('*', '1', '15', '28-31', '1,15'),
      fc.constantFrom('*', '*', '2', '3,10', '6-9'),
      fc.constantFrom('*', '*', '0', '1-5', '3,6'),
    )
    .map((fields) => fields.join(' '));

  it('names the same next slot when it is fed with the local clock inside each segment', () => {
    fc.assert(
      fc.property(readable, zones, instants, (expression, zone, now) => {
        const ours = firstAfter(compiled(expression, { zone }), instant(now));
        expect({ expression, zone, now, slot: ours }).toEqual({
          expression,
          zone,
          now,
          slot: nextBySegments(expression, zone, now),
        });
      }),
      { numRuns: 600, seed: SEED },
    );
  });
});

/** The local clock inside one segment is a clock in UTC that never changes. */
function nextBySegments(expression: string, zone: string, now: number): number | undefined {
  let from = now;
  let offset = oracleOffset(zone, now);
  while (from < now + 9 * YEAR) {
    const after = from === now ? now : from + 1;
    const [change] = transitionsBetween(openZone(zone), instant(after), instant(after + 10 * YEAR));
    const currentDate = new Date((from + offset) * 1000);
    const slot =
      CronExpressionParser.parse(expression, { currentDate, tz: 'UTC' }).next().getTime() / 1000 - offset;
    if (slot < (change?.at ?? Number.POSITIVE_INFINITY)) return slot;
    // One second before the change, told by the new clock: its first instant is then strictly after.
    from = (change?.at ?? 0) - 1;
    offset = change?.after ?? 0;
  }
  return undefined;
}
