import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecast } from '#core/forecast.ts';
import { firstAfter } from '#core/slot/search.ts';
import { compileTiming, type Timing, type TimingInput } from '#core/slot/timing.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { at } from '#test/support/given-tick.ts';

function timing(input: Partial<TimingInput>): Timing {
  const compiled = compileTiming({ expression: '30 2 * * *', dialect: 'kubernetes', zone: 'UTC', ...input });
  if (!compiled.ok) throw new Error(compiled.problem.what);
  return compiled.timing;
}

function told(input: Partial<TimingInput>, after: string, count: number): readonly string[] {
  return forecast(timing(input), at(after), { count }).map(
    ({ slot, local, note }) => `${formatInstant(slot)} ${local}${note === undefined ? '' : ` ${note}`}`,
  );
}

test('slots follow strictly after the instant, with local time and offset', () => {
  expect(forecast(timing({ zone: 'Asia/Kathmandu' }), at('2026-11-28T20:45:00Z'), { count: 1 })).toEqual([
    { slot: at('2026-11-29T20:45:00Z'), local: '2026-11-30T02:30:00+05:45', offset: 20_700 },
  ]);
});

describe('a clock change is noted where it matters', () => {
  test('a skipped time at the first slot behind it', () => {
    expect(told({ zone: 'Europe/Berlin' }, '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30:00Z 2026-03-28T02:30:00+01:00',
      '2026-03-30T00:30:00Z 2026-03-30T02:30:00+02:00 2026-03-29T02:30 does not exist in Europe/Berlin: no slot',
      '2026-03-31T00:30:00Z 2026-03-31T02:30:00+02:00',
    ]);
  });

  test('a repeated time at both passes, also where the list begins between them', () => {
    const note =
      '2026-10-25T02:30 comes twice in Europe/Berlin: slots at 2026-10-25T00:30:00Z and 2026-10-25T01:30:00Z';
    expect(told({ zone: 'Europe/Berlin' }, '2026-10-25T00:45:00Z', 2)).toEqual([
      `2026-10-25T01:30:00Z 2026-10-25T02:30:00+01:00 ${note}`,
      '2026-10-26T01:30:00Z 2026-10-26T02:30:00+01:00',
    ]);
    expect(told({ zone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 1)).toEqual([
      `2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00 ${note}`,
    ]);
  });

  test('a moved time at the slot it moved to', () => {
    expect(told({ zone: 'Europe/Berlin', dst: 'safe' }, '2026-03-28T12:00:00Z', 1)).toEqual([
      '2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00 2026-03-29T02:30 does not exist in Europe/Berlin: the slot is 2026-03-29T01:00:00Z instead',
    ]);
  });

  test('not at a slot that it does not touch', () => {
    expect(told({ zone: 'Europe/Berlin', expression: '30 5 * * *' }, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T03:30:00Z 2026-03-29T05:30:00+02:00',
      '2026-03-30T03:30:00Z 2026-03-30T05:30:00+02:00',
    ]);
  });

  test('not again at the slots long behind it', () => {
    expect(told({ zone: 'Europe/Berlin' }, '2026-03-30T00:30:00Z', 1)).toEqual([
      '2026-03-31T00:30:00Z 2026-03-31T02:30:00+02:00',
    ]);
  });
});

test('the window ends the list, its last second included', () => {
  const slots = forecast(timing({}), at('2026-11-28T03:00:00Z'), {
    count: 9,
    upTo: at('2026-11-30T02:30:00Z'),
  });
  expect(slots.map(({ slot }) => formatInstant(slot))).toEqual([
    '2026-11-29T02:30:00Z',
    '2026-11-30T02:30:00Z',
  ]);
});

test('a schedule that never fires has no slots', () => {
  expect(forecast(timing({ expression: '0 0 30 2 *' }), at('2026-11-28T03:00:00Z'), { count: 5 })).toEqual(
    [],
  );
});

test('the list is what the search finds one after the other, whatever the jitter', () => {
  const expression = fc.constantFrom('30 2 * * *', '*/7 * * * *', '0 1,2,3 * * 0', '@every 90m');
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Tehran',
  );
  const after = fc.integer({ min: 0, max: 2_000_000_000 }).map(instant);
  fc.assert(
    fc.property(expression, zone, after, fc.constantFrom(0, 600), (text, name, from, jitterSeconds) => {
      const given = timing({ expression: text, zone: name, jitterSeconds, seed: 'uid' });
      const slots = forecast(given, from, { count: 4 }).map(({ slot }) => slot);
      let want = firstAfter(given, from);
      for (const slot of slots) {
        expect(slot).toBe(want);
        want = firstAfter(given, slot);
      }
      expect(slots).toHaveLength(4);
    }),
    { numRuns: 60 },
  );
});
