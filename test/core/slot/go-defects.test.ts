import { expect, it } from 'vitest';
import { enumerateSlots, firstAfter } from '#core/slot/search.ts';
import { at, compiled, shown } from '#test/core/slot/support/compiled.ts';

/* Each row of cron.md 8: what robfig/cron answers is named, ours is the right answer. */

it.each([
  [
    'a change of half an hour keeps the rest of the day',
    '0 3 * * *',
    'Australia/Lord_Howe',
    '2026-10-03T12:00Z',
    '2026-10-03T16:00:00Z',
  ],
  [
    'a Thursday job does not fire on Friday after a midnight gap',
    '0 6 * * 4',
    'Africa/Cairo',
    '2027-04-29T20:30Z',
    '2027-05-06T03:00:00Z',
  ],
  [
    'a change inside an hour does not fire in the wrong hour',
    '45 2 * * *',
    'Pacific/Chatham',
    '2026-09-26T13:00Z',
    '2026-09-27T13:00:00Z',
  ],
  [
    'a month step does not fall into a midnight gap',
    '0 9 1 10 *',
    'America/Asuncion',
    '2017-08-15T02:00Z',
    '2017-10-01T12:00:00Z',
  ],
  [
    'the first pass of an ambiguous hour comes first',
    '16 3 * * *',
    'Pacific/Chatham',
    '2027-04-03T12:00Z',
    '2027-04-03T13:31:00Z',
  ],
  [
    'the second pass of an ambiguous hour comes next',
    '16 3 * * *',
    'Pacific/Chatham',
    '2027-04-03T13:31Z',
    '2027-04-03T14:31:00Z',
  ],
  [
    'a day that never was ends no search',
    '0 0 30 12 *',
    'Pacific/Apia',
    '2011-12-28T00:00Z',
    '2012-12-29T10:00:00Z',
  ],
])('%s: %s in %s after %s', (_, expression, zone, after, next) => {
  expect(shown(firstAfter(compiled(expression, { zone }), at(after)))).toBe(next);
});

it('fires in both passes of the repeated hour and never in the past', () => {
  const timing = compiled('*/20 3 * * *', { zone: 'Pacific/Chatham' });
  const slots = enumerateSlots(timing, at('2027-04-03T12:00Z'), at('2027-04-04T00:00Z'), 20);
  expect(slots.map(shown)).toEqual([
    '2027-04-03T13:15:00Z',
    '2027-04-03T13:35:00Z',
    '2027-04-03T13:55:00Z',
    '2027-04-03T14:15:00Z',
    '2027-04-03T14:35:00Z',
    '2027-04-03T14:55:00Z',
  ]);
});
