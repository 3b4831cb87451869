import { describe, expect, it } from 'vitest';
import { countBetween, enumerateSlots, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { openZone, type Zone } from '#core/time/zone.ts';
import { at, compiled, shown } from '#test/core/slot/support/compiled.ts';

/** Steps of a search: looks at the fields, and questions to the runtime about offsets. */
interface Steps {
  fields: number;
  offsets: number;
}

function counted(timing: Timing, steps: Steps): Timing {
  const fields = new Proxy(timing.fields, {
    get(target, key, receiver) {
      steps.fields++;
      return Reflect.get(target, key, receiver);
    },
  });
  const known = openZone(timing.zone.name);
  const offset = (seconds: number) => {
    steps.offsets++;
    return known.offset(seconds);
  };
  const fixed = known.spans.some((span) => span.from < -1e12 && span.to > 1e12);
  const zone: Zone = { ...known, spans: fixed ? known.spans : [], last: 0, offset };
  return { ...timing, fields, zone };
}

const EXPRESSIONS = [
  '0 0 29 2 *',
  '0 0 31 */2 *',
  '30 2 29 3 *',
  '0 0 30 12 *',
  '59 23 31 12 *',
  '0 0 29 2 0',
  '* * * * *',
  '0 0 30 2 *',
  ', * * * *',
  '* , * * *',
  '* * , * ,',
  '* * * , *',
];
const ZONES = [
  'UTC',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Africa/Monrovia',
  'America/Sao_Paulo',
];
const INSTANTS = [
  '0001-01-01T00:00:00Z',
  '0001-01-02T05:00:00Z',
  '1799-12-31T00:00:00Z',
  '1883-11-18T17:00:00Z',
  '2011-12-30T09:59:59Z',
  '2096-03-01T00:00:00Z',
  '9998-12-31T00:00:00Z',
  '9999-12-31T23:59:59Z',
].map(at);

function everyQuestion(timing: Timing, now: Instant): void {
  firstAfter(timing, now);
  latestAtOrBefore(timing, now);
  countBetween(timing, instant(now - 86_400), instant(now + 86_400));
  enumerateSlots(timing, now, instant(now + 1e12), 2);
}

describe('no expression, zone or instant makes a search long', () => {
  it.each(ZONES)('in %s, from year 1 to year 9999, under both rules', (zone) => {
    for (const expression of EXPRESSIONS) {
      for (const now of INSTANTS) {
        for (const dst of ['clean', 'safe'] as const) {
          const steps = { fields: 0, offsets: 0 };
          everyQuestion(counted(compiled(expression, { zone, dst }), steps), now);
          expect({
            expression,
            now: shown(now),
            fields: steps.fields < 20_000,
            offsets: steps.offsets < 3000,
          }).toEqual({
            expression,
            now: shown(now),
            fields: true,
            offsets: true,
          });
        }
      }
    }
  });

  it('does not look at the calendar at all for what never fires', () => {
    const steps = { fields: 0, offsets: 0 };
    everyQuestion(counted(compiled('0 0 30 2 *', { zone: 'Pacific/Apia' }), steps), at('2026-01-01T00:00Z'));
    expect(steps).toEqual({ fields: 0, offsets: 0 });
  });

  it('counts two thousand years of minutes by whole days', () => {
    const steps = { fields: 0, offsets: 0 };
    const timing = counted(compiled('*/7 3-9 * * 1-5'), steps);
    const count = countBetween(timing, at('0001-01-01T00:00Z'), at('2001-01-01T00:00Z'));
    expect(count).toBe(2000 * 7 * 9 * 5 * 52 + Math.round((730_485 / 7 - 2000 * 52) * 5) * 63);
    expect(steps.fields).toBeLessThan(400_000);
  });

  it('stops counting at the limit', () => {
    const timing = compiled('* * * * *', { zone: 'Europe/Berlin' });
    const count = countBetween(timing, at('1970-01-01T00:00Z'), at('9999-01-01T00:00Z'), 101);
    expect(count).toBeGreaterThanOrEqual(101);
    const steps = { fields: 0, offsets: 0 };
    countBetween(counted(timing, steps), at('1970-01-01T00:00Z'), at('9999-01-01T00:00Z'), 101);
    expect(steps.offsets).toBeLessThan(1000);
  });

  it('ends at the first and the last instant that can be written', () => {
    expect(firstAfter(compiled('0 0 1 1 *'), at('9999-06-01T00:00Z'))).toBeUndefined();
    expect(latestAtOrBefore(compiled('0 0 1 6 *'), at('0001-03-01T00:00Z'))).toBeUndefined();
    expect(shown(firstAfter(compiled('59 23 31 12 *'), at('9999-06-01T00:00Z')))).toBe(
      '9999-12-31T23:59:00Z',
    );
    expect(shown(latestAtOrBefore(compiled('0 0 1 1 *'), at('0001-03-01T00:00Z')))).toBe(
      '0001-01-01T00:00:00Z',
    );
    expect(
      firstAfter(compiled('@every 2000000h', { every: at('9900-01-01T00:00Z') }), at('9900-01-01T00:00Z')),
    ).toBeUndefined();
  });

  it('looks no further than nine years, or than `after`', () => {
    expect(firstAfter(compiled('0 0 29 2 *'), at('2096-02-29T00:00Z'))).toBe(at('2104-02-29T00:00Z'));
    expect(
      latestAtOrBefore(compiled('0 0 1 1 *'), at('2026-12-01T00:00Z'), at('2026-01-01T00:00Z')),
    ).toBeUndefined();
    expect(latestAtOrBefore(compiled('0 0 1 1 *'), at('2026-01-01T00:00Z'), at('2025-12-31T00:00Z'))).toBe(
      at('2026-01-01T00:00Z'),
    );
  });
});
