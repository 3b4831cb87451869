import { describe, expect, it } from 'vitest';
import { dstNotes } from '#core/slot/notes.ts';
import { countBetween, enumerateSlots, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { at, compiled, shown } from '#test/core/slot/support/compiled.ts';

describe('the safe rule, table of snapshot-schedule.md 2.9', () => {
  it.each([
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-10-24T23:15Z',
      [
        '2026-10-24T23:30',
        '2026-10-25T00:00',
        '2026-10-25T00:30',
        '2026-10-25T01:00',
        '2026-10-25T01:30',
        '2026-10-25T02:00',
      ],
    ],
    [
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-10-25T01:10Z',
      ['2026-10-25T01:30', '2026-10-25T02:00', '2026-10-25T02:30'],
    ],
    [
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-03-29T00:15Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T02:00'],
    ],
    ['Europe/Berlin', '0,30 2 * * *', '2026-03-28T12:00Z', ['2026-03-30T00:00']],
    ['Europe/Berlin', '0 1,2 * * *', '2026-03-28T12:00Z', ['2026-03-29T00:00', '2026-03-29T23:00']],
    ['America/New_York', '0 2 * * *', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:00']],
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    [
      'America/New_York',
      '15 * * * *',
      '2026-11-01T04:30Z',
      ['2026-11-01T05:15', '2026-11-01T06:15', '2026-11-01T07:15', '2026-11-01T08:15'],
    ],
  ])('%s %s after %s', (zone, expression, after, wanted) => {
    const timing = compiled(expression, { dialect: 'kopiur', zone });
    const slots = enumerateSlots(timing, at(after), at('2026-12-31T00:00Z'), wanted.length);
    expect(slots.map(shown)).toEqual(wanted.map((text) => `${text}:00Z`));
  });

  it('moves a missing time only if the date of the day that misses it matches', () => {
    const zone = 'Europe/Berlin';
    const sunday = compiled('30 2 * * 0', { dialect: 'kopiur', zone });
    const monday = compiled('30 2 * * 1', { dialect: 'kopiur', zone });
    expect(shown(firstAfter(sunday, at('2026-03-28T12:00Z')))).toBe('2026-03-29T01:00:00Z');
    expect(shown(firstAfter(monday, at('2026-03-28T12:00Z')))).toBe('2026-03-30T00:30:00Z');
  });

  it('runs what the skipped day of Apia had at the first instant after it, once', () => {
    const timing = compiled('0 0 * * *', { dialect: 'kopiur', zone: 'Pacific/Apia' });
    const slots = enumerateSlots(timing, at('2011-12-28T12:00Z'), at('2012-01-01T12:00Z'), 10);
    expect(slots.map(shown)).toEqual([
      '2011-12-29T10:00:00Z',
      '2011-12-30T10:00:00Z',
      '2011-12-31T10:00:00Z',
      '2012-01-01T10:00:00Z',
    ]);
    expect(countBetween(timing, at('2011-12-28T12:00Z'), at('2012-01-01T12:00Z'))).toBe(4);
    const friday = compiled('0 12 30 12 *', { dialect: 'kopiur', zone: 'Pacific/Apia' });
    expect(shown(firstAfter(friday, at('2011-12-01T00:00Z')))).toBe('2011-12-30T10:00:00Z');
    expect(shown(latestAtOrBefore(friday, at('2012-06-01T00:00Z')))).toBe('2011-12-30T10:00:00Z');
  });
});

describe('notes on clock changes', () => {
  const year = [at('2026-01-01T00:00Z'), at('2026-12-31T00:00Z')] as const;

  it('names what the clean rule skips and doubles', () => {
    expect(dstNotes(compiled('30 2 * * *', { zone: 'Europe/Berlin' }), ...year)).toEqual([
      {
        effect: 'skipped',
        at: at('2026-03-29T01:00Z'),
        wall: '2026-03-29T02:30',
        count: 1,
        instants: [],
        what: '2026-03-29T02:30 does not exist in Europe/Berlin: no slot',
      },
      {
        effect: 'doubled',
        at: at('2026-10-25T01:00Z'),
        wall: '2026-10-25T02:30',
        count: 1,
        instants: [at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z')],
        what: '2026-10-25T02:30 comes twice in Europe/Berlin: slots at 2026-10-25T00:30:00Z and 2026-10-25T01:30:00Z',
      },
    ]);
  });

  it('names what the safe rule moves and suppresses', () => {
    const notes = dstNotes(compiled('30 2 * * *', { zone: 'Europe/Berlin', dst: 'safe' }), ...year);
    expect(notes.map((note) => [note.effect, note.instants.map(shown)])).toEqual([
      ['moved', ['2026-03-29T01:00:00Z']],
      ['suppressed', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']],
    ]);
  });

  it('counts the local times that a change concerns', () => {
    const notes = dstNotes(compiled('*/10 * * * *', { zone: 'Australia/Lord_Howe' }), ...year);
    expect(notes.map((note) => [note.effect, note.wall, note.count])).toEqual([
      ['doubled', '2026-04-05T01:30', 3],
      ['skipped', '2026-10-04T02:00', 3],
    ]);
  });

  it('has none for other times, for periods and for zones without changes', () => {
    expect(dstNotes(compiled('0 12 * * *', { zone: 'Europe/Berlin' }), ...year)).toEqual([]);
    expect(dstNotes(compiled('@every 1h', { zone: 'Europe/Berlin' }), ...year)).toEqual([]);
    expect(dstNotes(compiled('30 2 * * *', { zone: 'Asia/Tokyo' }), ...year)).toEqual([]);
  });
});
