import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { instant, parseInstant } from '#core/time/instant.ts';
import { formatLocal, offsetAt, openZone, transitionsBetween, type Zone } from '#core/time/zone.ts';
import { zoneNames } from '#core/time/zone-names.ts';
import { oracleOffset } from '#test/core/slot/support/oracle.ts';

function at(text: string) {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
}

describe('zone data of the runtime', () => {
  it('are not older than tzdata 2026c: Alberta stays on -06 and Morocco returns to +00 in 2026', () => {
    const december = at('2026-12-01T00:00:00Z');
    expect(offsetAt(openZone('America/Edmonton'), december)).toBe(-6 * 3600);
    expect(offsetAt(openZone('Africa/Casablanca'), december)).toBe(0);
    // 2026b: British Columbia stays on -07.
    expect(offsetAt(openZone('America/Vancouver'), december)).toBe(-7 * 3600);
  });
});

describe('an offset', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 3600],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 7200],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', -36_000],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 50_400],
    ['Africa/Monrovia', '1972-01-07T00:44:29Z', -2670],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z', 0],
    ['America/St_Johns', '2006-04-02T03:31:00Z', -9000],
    ['Etc/GMT-3', '9999-12-31T23:59:59Z', 10_800],
    ['Europe/Amsterdam', '0001-01-01T00:00:00Z', oracleOffset('Europe/Amsterdam', -5_000_000_000)],
    ['Asia/Kathmandu', '9999-12-31T00:00:00Z', 20_700],
  ])('in %s at %s is %d', (zone, text, offset) => {
    expect(offsetAt(openZone(zone), at(text))).toBe(offset);
  });

  it('is the same whatever was asked before, and in whatever order', () => {
    const asked = [
      '2026-07-01',
      '1950-01-01',
      '9000-06-01',
      '2027-01-01',
      '1700-01-01',
      '2026-01-01',
      '2010-05-05',
      '1969-12-31',
    ];
    const names = ['Europe/London', 'America/Sao_Paulo', 'Australia/Lord_Howe'];
    for (const name of names) {
      for (let turn = 0; turn < asked.length; turn++) {
        const known = openZone(name);
        const zone: Zone = { ...known, spans: [], last: 0 };
        for (const day of [...asked.slice(turn), ...asked.slice(0, turn)]) {
          const when = at(`${day}T00:00:00Z`);
          expect({ name, day, offset: offsetAt(zone, when) }).toEqual({
            name,
            day,
            offset: oracleOffset(name, when),
          });
        }
      }
    }
  });

  it('comes from a table once the neighbourhood is known', () => {
    let calls = 0;
    const known = openZone('Europe/Paris');
    const offset = (seconds: number) => {
      calls++;
      return known.offset(seconds);
    };
    const zone: Zone = { ...known, spans: [], last: 0, offset };
    const summer = at('2026-06-01T00:00:00Z');
    offsetAt(zone, summer);
    const first = calls;
    for (let day = -30; day < 30; day++) offsetAt(zone, instant(summer + day * 86_400));
    expect(calls).toBe(first);
    expect(first).toBeLessThan(20);
    // Two years, day by day: each six days are asked for once, and each of the four changes costs a few more.
    for (let day = -365; day < 365; day++) offsetAt(zone, instant(summer + day * 86_400));
    expect(calls).toBeLessThan(365 / 3 + 4 * 12 + 30);
    const walked = calls;
    for (let day = -365; day < 365; day++) offsetAt(zone, instant(summer + day * 86_400));
    expect(calls).toBe(walked);
    expect(zone.spans).toHaveLength(1);
  });
});

describe('the clock changes between two instants', () => {
  it('are found in order, the later end included and the earlier not', () => {
    const zone = openZone('Europe/Berlin');
    const [spring, autumn] = [at('2026-03-29T01:00:00Z'), at('2026-10-25T01:00:00Z')];
    expect(transitionsBetween(zone, at('2026-01-01T00:00:00Z'), autumn)).toEqual([
      { at: spring, before: 3600, after: 7200 },
      { at: autumn, before: 7200, after: 3600 },
    ]);
    expect(transitionsBetween(zone, spring, instant(autumn - 1))).toEqual([]);
  });

  it('have the offsets of the runtime on both sides, over eighty years', () => {
    for (const name of [
      'Africa/Casablanca',
      'America/St_Johns',
      'Asia/Gaza',
      'Antarctica/Casey',
      'America/Noronha',
    ]) {
      const changes = transitionsBetween(openZone(name), instant(0), at('2050-01-01T00:00:00Z'));
      expect(changes.length).toBeGreaterThan(5);
      for (const change of changes) {
        expect([change.before, change.after]).toEqual([
          oracleOffset(name, change.at - 1),
          oracleOffset(name, change.at),
        ]);
      }
    }
  });

  it('are all found: no month of eighty years ends with another offset than the table says', () => {
    for (const name of [
      'Africa/El_Aaiun',
      'Asia/Hebron',
      'America/Boa_Vista',
      'Europe/Lisbon',
      'Pacific/Fiji',
    ]) {
      for (let month = 0; month < 960; month++) {
        const when = instant(Date.UTC(1970, month, 1) / 1000);
        expect(offsetAt(openZone(name), when)).toBe(oracleOffset(name, when));
      }
    }
  });

  it('are none in a zone without', () => {
    expect(transitionsBetween(openZone('UTC'), instant(0), at('9999-12-31T00:00:00Z'))).toEqual([]);
  });
});

describe('a local time', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00-03:30'],
    ['Etc/UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['Europe/London', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['Europe/London', '2026-07-01T00:00:00Z', '2026-07-01T01:00:00+01:00'],
    ['Africa/Monrovia', '1971-01-01T00:00:00Z', '1970-12-31T23:15:30-00:44'],
  ])('in %s at %s is written %s', (zone, text, local) => {
    expect(formatLocal(openZone(zone), at(text))).toBe(local);
  });
});

describe('zones whose name says their offset', () => {
  const named = zoneNames().filter((name) => /^(?:Etc\/|GMT|UTC|UCT|Greenwich|Universal|Zulu)/.test(name));

  it.each(named)('%s lies where the runtime has it', (name) => {
    const now = at('2026-06-10T03:00:00Z');
    expect(offsetAt(openZone(name), now) / 60 + 0).toBe(IANAZone.create(name).offset(now * 1000) + 0);
  });

  it('are some', () => {
    expect(named.length).toBeGreaterThan(40);
  });
});
