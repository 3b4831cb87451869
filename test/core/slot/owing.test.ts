import { describe, expect, it } from 'vitest';
import { decideSlot } from '#core/slot/decide-slot.ts';
import { owingOf, type Pin } from '#core/slot/owing.ts';
import { firstAfter } from '#core/slot/search.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { at, compiled, shown } from './support/compiled.ts';

const HOURLY = compiled('0 * * * *');
const SEED = '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33';
/** Offset 1,074 s on 1 March and 295 s on 2 March 2026 (snapshot-schedule.md 2.6). */
const NIGHTLY = compiled('0 2 * * *', { seed: SEED, jitterSeconds: 1800, dialect: 'kopiur' });

function pinned(text: string, alone = false): Pin {
  return { at: at(text), alone };
}

function owed(pin: Pin, now: string, timing = HOURLY): readonly unknown[] {
  const owing = owingOf(timing, { anchor: instant(pin.at - 1), pin });
  const upTo = at(now);
  return [shown(owing.first), shown(owing.latest(upTo)), owing.count(upTo, 1000), shown(owing.next(upTo))];
}

describe('what is owed from a pin on', () => {
  it.each([
    ['begins with the pin', pinned('2026-03-01T04:00Z'), '2026-03-01T04:00Z', ['04:00', '04:00', 1, '05:00']],
    [
      'goes on by the expression',
      pinned('2026-03-01T04:00Z'),
      '2026-03-01T06:20Z',
      ['04:00', '06:00', 3, '07:00'],
    ],
    [
      'is nothing before the pin',
      pinned('2026-03-01T04:00Z'),
      '2026-03-01T03:59Z',
      ['04:00', null, 0, '04:00'],
    ],
    [
      'is the pin alone where its expression was not recorded',
      pinned('2026-03-01T04:00Z', true),
      '2026-03-01T06:20Z',
      ['04:00', '04:00', 1, '07:00'],
    ],
    [
      'begins with a pin that the expression does not name',
      pinned('2026-03-01T04:13Z'),
      '2026-03-01T06:20Z',
      ['04:13', '06:00', 3, '07:00'],
    ],
  ])('%s', (_name, pin, now, wanted) => {
    const full = wanted.map((value) => (typeof value === 'string' ? `2026-03-01T${value}:00Z` : value));
    expect(owed(pin, now)).toEqual(full);
  });

  it('never runs the base slot of a pin without jitter a second time', () => {
    const pin = pinned('2026-03-01T02:00Z');
    expect(owed(pin, '2026-03-01T02:30Z', NIGHTLY)).toEqual([
      '2026-03-01T02:00:00Z',
      '2026-03-01T02:00:00Z',
      1,
      '2026-03-02T02:04:55Z',
    ]);
  });

  it('takes a proved slot behind the pin for settled', () => {
    const owing = owingOf(HOURLY, { anchor: at('2026-03-01T05:00Z'), pin: pinned('2026-03-01T04:00Z') });
    expect([shown(owing.first), shown(owing.latest(at('2026-03-01T06:30Z')))]).toEqual([
      '2026-03-01T06:00:00Z',
      '2026-03-01T06:00:00Z',
    ]);
  });
});

describe('base slots that are settled', () => {
  it('have no slot, wherever jitter puts it', () => {
    const bounded = { ...NIGHTLY, basesAfter: at('2026-03-01T02:10Z') };
    expect(shown(firstAfter(NIGHTLY, at('2026-03-01T02:10Z')))).toBe('2026-03-01T02:17:54Z');
    expect(shown(firstAfter(bounded, at('2026-03-01T02:10Z')))).toBe('2026-03-02T02:04:55Z');
  });
});

const RULE = { graceSeconds: 90, exactlyOnDeadline: 'wanted', expiredBacklog: 'skipped' } as const;

function decided(pin: string, now: string, deadlineSeconds: number | undefined): unknown {
  const debt = { anchor: instant(at(pin) - 1), pin: pinned(pin) };
  const slots = decideSlot(HOURLY, debt, at(now), { ...RULE, deadlineSeconds });
  if (slots.state !== 'due' && slots.state !== 'expired') return slots;
  const text = (value: Instant | undefined): string => shown(value)?.slice(11, 16) ?? 'never';
  const { expired } = slots;
  const gone =
    expired === undefined
      ? ''
      : `, ${expired.count} expired up to ${text(expired.latest)}, then ${text(expired.next)}`;
  return `${slots.state} ${text(slots.slot)} of ${slots.count}${gone}`;
}

describe('a backlog with a deadline', () => {
  it.each([
    [
      'hourly, down from 03:10 to 06:20',
      '2026-03-01T04:00Z',
      '2026-03-01T06:20Z',
      1800,
      'due 06:00 of 3, 2 expired up to 05:00, then 06:00',
    ],
    [
      'without a deadline nothing expires',
      '2026-03-01T04:00Z',
      '2026-03-01T06:20Z',
      undefined,
      'due 06:00 of 3',
    ],
    ['nothing has expired yet', '2026-03-01T04:00Z', '2026-03-01T04:30Z', 1800, 'due 04:00 of 1'],
    [
      'a second later it has',
      '2026-03-01T04:00Z',
      '2026-03-01T04:30:01Z',
      1800,
      'expired 04:00 of 1, 1 expired up to 04:00, then 05:00',
    ],
    [
      'all have',
      '2026-03-01T04:00Z',
      '2026-03-01T06:50Z',
      1800,
      'expired 06:00 of 3, 3 expired up to 06:00, then 07:00',
    ],
    [
      'a deadline below the grace counts as the grace',
      '2026-03-01T04:00Z',
      '2026-03-01T04:01:30Z',
      0,
      'due 04:00 of 1',
    ],
    [
      'a negative one is over at once',
      '2026-03-01T04:00Z',
      '2026-03-01T04:00Z',
      -5,
      'expired 04:00 of 1, 1 expired up to 04:00, then 05:00',
    ],
  ])('%s', (_name, pin, now, deadline, wanted) => {
    expect(decided(pin, now, deadline)).toBe(wanted);
  });
});

describe('a pin in the future', () => {
  it.each([
    ['is waited for', '2026-03-01T04:00Z', undefined],
    ['that leaves out slots is told', '2026-03-01T07:00Z', '2026-03-01T04:00:00Z'],
  ])('%s', (_name, pin, overlooked) => {
    const debt = { anchor: instant(at(pin) - 1), pin: pinned(pin) };
    const slots = decideSlot(HOURLY, debt, at('2026-03-01T03:30Z'), { ...RULE, deadlineSeconds: undefined });
    expect(
      slots.state === 'none' ? [shown(slots.next), shown(slots.overlooked) ?? undefined] : slots,
    ).toEqual([pin.replace('Z', ':00Z'), overlooked]);
  });

  it('of a wide window is not taken for one that leaves out slots', () => {
    const timing = compiled('*/15 * * * *', { seed: SEED, jitterSeconds: 7200, dialect: 'kopiur' });
    const start = at('2026-03-01T00:00Z');
    const pin = firstAfter({ ...timing, basesAfter: start }, start);
    if (pin === undefined) throw new Error('no slot');
    for (let now: number = start; now < pin; now += 300) {
      const slots = decideSlot(
        timing,
        { anchor: instant(pin - 1), pin: { at: pin, alone: false } },
        instant(now),
        {
          ...RULE,
          deadlineSeconds: undefined,
        },
      );
      expect(slots).toEqual({ state: 'none', next: pin });
    }
  });
});
