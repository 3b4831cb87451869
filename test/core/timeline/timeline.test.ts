import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecastSchedules } from '#core/forecast.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { openZone } from '#core/time/zone.ts';
import { minuteText } from '#core/timeline/document.ts';
import type { Piece } from '#core/timeline/pieces.ts';
import { type Timeline, type TimelineRow, timelineOf } from '#core/timeline/timeline.ts';
import { at, cronJobNamed, defrag, jobOf, policy, tick } from '#test/support/given-tick.ts';
import { type Given, timelineOfObjects } from '#test/support/given-timeline.ts';

const DAY = 86_400;

function show(objects: readonly KubeObject[], given: Given = {}): Timeline {
  return timelineOfObjects(objects, { days: 2, ...given });
}

function one(objects: readonly KubeObject[], given: Given = {}): TimelineRow {
  const [row] = show(objects, given).rows;
  if (row === undefined) throw new Error('there is no row');
  return row;
}

function pieceText(piece: Piece): string {
  switch (piece.shape) {
    case 'mark':
      return [formatInstant(piece.slot), piece.code, piece.phase, piece.runs?.join(' ')]
        .filter((part) => part !== undefined)
        .join(' ');
    case 'band': {
      const counts = piece.counts.map(({ code, count }) => `${count} ${code}`).join(', ');
      return `${formatInstant(piece.slot)} to ${formatInstant(piece.last)}: ${counts}`;
    }
    case 'rest':
      return `rest up to ${formatInstant(piece.until)}`;
  }
}

function told(row: TimelineRow): readonly (readonly string[])[] {
  return row.days.map((pieces) => pieces.map(pieceText));
}

describe('slots that have passed', () => {
  const jobs = [
    jobOf('dump', '2026-11-30T00:00:00Z', { conditions: [{ type: 'Complete', status: 'True' }] }),
    jobOf('dump', '2026-11-30T03:00:00Z', { conditions: [{ type: 'Failed', status: 'True' }] }),
    jobOf('dump', '2026-11-30T09:00:00Z', { active: 1 }),
  ];
  const dump = cronJobNamed(
    'dump',
    { schedule: '0 */3 * * *', successfulJobsHistoryLimit: 9, failedJobsHistoryLimit: 9 },
    { lastScheduleTime: '2026-11-30T09:00:00Z' },
  );

  test('have the runs that are left, and those without one are settled', () => {
    expect(told(one([dump, ...jobs], { days: 1 }))).toEqual([
      [
        `2026-11-30T00:00:00Z ran succeeded dump-${at('2026-11-30T00:00:00Z') / 60}`,
        `2026-11-30T03:00:00Z ran failed dump-${at('2026-11-30T03:00:00Z') / 60}`,
        '2026-11-30T06:00:00Z settled',
        `2026-11-30T09:00:00Z ran running dump-${at('2026-11-30T09:00:00Z') / 60}`,
        '2026-11-30T12:00:00Z foretold',
        '2026-11-30T15:00:00Z foretold',
        '2026-11-30T18:00:00Z foretold',
        '2026-11-30T21:00:00Z foretold',
      ],
    ]);
  });

  test('that are owed have the fate that the tick gives them', () => {
    const kv = policy('kv', { schedule: '0 */3 * * *' }, { lastScheduleTime: '2026-11-30T00:00:00Z' });
    const pieces = told(one([kv], { days: 1 }))[0]?.slice(0, 4);
    expect(pieces).toEqual([
      '2026-11-30T00:00:00Z settled',
      '2026-11-30T03:00:00Z superseded',
      '2026-11-30T06:00:00Z superseded',
      `2026-11-30T09:00:00Z fired kv-${at('2026-11-30T09:00:00Z')}`,
    ]);
    const late = policy(
      'kv',
      { schedule: '0 */3 * * *', startingDeadlineSeconds: 600 },
      { lastScheduleTime: '2026-11-30T00:00:00Z' },
    );
    expect(told(one([late], { days: 1 }))[0]?.slice(1, 4)).toEqual([
      '2026-11-30T03:00:00Z expired',
      '2026-11-30T06:00:00Z expired',
      '2026-11-30T09:00:00Z expired',
    ]);
  });

  test('that wait for an earlier run are held by it', () => {
    const kv = policy('kv', { schedule: '0 */3 * * *' }, { lastScheduleTime: '2026-11-30T06:00:00Z' });
    const run = defrag('kv', '2026-11-30T06:00:00Z', { phase: 'Running' });
    const name = `kv-${at('2026-11-30T06:00:00Z')}`;
    expect(told(one([kv, run], { days: 1 }))[0]?.slice(2, 4)).toEqual([
      `2026-11-30T06:00:00Z ran running ${name}`,
      `2026-11-30T09:00:00Z held ${name}`,
    ]);
  });

  test('are none before the object was made', () => {
    const made = { ...policy('kv', { schedule: '0 */3 * * *' }) };
    const kv = { ...made, metadata: { ...made.metadata, creationTimestamp: '2026-11-30T08:00:00Z' } };
    expect(one([kv], { days: 1 }).days[0]?.[0]).toMatchObject({ slot: at('2026-11-30T09:00:00Z') });
  });

  test('are also those that another expression once gave', () => {
    const old = jobOf('dump', '2026-11-30T04:44:00Z', { conditions: [{ type: 'Complete', status: 'True' }] });
    expect(told(one([dump, old], { days: 1 }))[0]).toContain(
      `2026-11-30T04:44:00Z ran succeeded dump-${at('2026-11-30T04:44:00Z') / 60}`,
    );
  });
});

describe('slots to come', () => {
  test('of a suspended schedule and of one that somebody else acts on have that word', () => {
    const given = { from: '2026-12-01T00:00:00Z', days: 1 };
    expect(told(one([policy('off', { suspend: true })], given))).toEqual([
      ['2026-12-01T03:00:00Z suspended'],
    ]);
    const observed = one([cronJobNamed('dump', {})], { ...given, settings: { writers: {} } });
    expect(told(observed)).toEqual([['2026-12-01T03:00:00Z observed']]);
    expect(observed.observed).toBe(true);
  });

  test('that are near to each other become one band', () => {
    const given = { from: '2026-12-01T00:00:00Z', days: 1 };
    expect(told(one([policy('busy', { schedule: '*/5 9-17 * * *' })], given))).toEqual([
      ['2026-12-01T09:00:00Z to 2026-12-01T17:55:00Z: 108 foretold'],
    ]);
    expect(told(one([policy('twice', { schedule: '0 1,2,12 * * *' })], given))).toEqual([
      ['2026-12-01T01:00:00Z to 2026-12-01T02:00:00Z: 2 foretold', '2026-12-01T12:00:00Z foretold'],
    ]);
  });

  test('of every minute are one band a day, which tells its step', () => {
    const row = one([policy('minutely', { schedule: '* * * * *' })], {
      from: '2026-12-01T00:00:00Z',
      days: 7,
    });
    expect(row.days.map((pieces) => pieces.map((piece) => piece.shape === 'band' && piece.step))).toEqual(
      Array.from({ length: 7 }, () => [60]),
    );
    expect(row.count).toBe(7 * 1440);
  });

  test('of a repeated hour stand together, with the note on the row', () => {
    const job = cronJobNamed('dst', { timeZone: 'Europe/Berlin', schedule: '30 2 * * *' });
    const row = one([job], {
      now: '2026-10-23T12:00:00Z',
      from: '2026-10-23T22:00:00Z',
      days: 3,
      zone: 'Europe/Berlin',
    });
    expect(told(row)).toEqual([
      ['2026-10-24T00:30:00Z foretold'],
      ['2026-10-25T00:30:00Z to 2026-10-25T01:30:00Z: 2 foretold'],
      ['2026-10-26T01:30:00Z foretold'],
    ]);
    expect(row.notes).toEqual([
      '2026-10-25T02:30 comes twice in Europe/Berlin: slots at 2026-10-25T00:30:00Z and 2026-10-25T01:30:00Z',
    ]);
  });
});

describe('a band falls apart where the fate changes', () => {
  const limits = { successfulJobsHistoryLimit: 99, failedJobsHistoryLimit: 99 };
  const hour = (index: number): string => `2026-11-30T0${index}:00:00Z`;
  const ended = (type: string): object => ({ conditions: [{ type, status: 'True' }] });

  test('so that a run that failed is seen among those that did not', () => {
    const job = cronJobNamed('sync', { schedule: '0 * * * *', ...limits }, { lastScheduleTime: hour(9) });
    const jobs = [...Array(10).keys()].map((index) =>
      jobOf('sync', hour(index), ended(index === 4 ? 'Failed' : 'Complete')),
    );
    expect(told(one([job, ...jobs], { now: '2026-11-30T09:07:00Z', days: 1 }))).toEqual([
      [
        `${hour(0)} to ${hour(3)}: 4 ran`,
        `${hour(4)} ran failed sync-${at(hour(4)) / 60}`,
        `${hour(5)} to ${hour(9)}: 5 ran`,
        '2026-11-30T10:00:00Z to 2026-11-30T23:00:00Z: 14 foretold',
      ],
    ]);
  });

  test('unless that makes it many', () => {
    const job = cronJobNamed('sync', { schedule: '0 * * * *', ...limits }, { lastScheduleTime: hour(9) });
    const jobs = [...Array(10).keys()].map((index) =>
      jobOf('sync', hour(index), ended(index % 2 === 0 ? 'Failed' : 'Complete')),
    );
    expect(told(one([job, ...jobs], { now: '2026-11-30T09:07:00Z', days: 1 }))).toEqual([
      ['2026-11-30T00:00:00Z to 2026-11-30T23:00:00Z: 5 ran, 5 ran, 14 foretold'],
    ]);
  });
});

test('schedules that have no slot are there with the reason', () => {
  const rows = show([
    policy('bad', { schedule: '61 * * * *' }),
    policy('never', { schedule: '0 0 30 2 *' }),
    policy('rare', { schedule: '0 0 1 1 *' }),
  ]).rows.map(({ key, verdict, why, count }) => [key.name, verdict, why, count]);
  expect(rows).toEqual([
    ['bad', 'invalid', 'minute `61` cannot be read', 0],
    ['never', 'invalid', 'no instant matches the schedule', 0],
    ['rare', 'waiting', 'none within this time', 0],
  ]);
});

test('more than anybody can look at becomes one piece a day', () => {
  const objects = [...Array(150).keys()].map((index) => policy(`p${index}`, { schedule: '0 */3 * * *' }));
  const { rows } = show(objects, { from: '2026-12-01T00:00:00Z', days: 35 });
  expect(rows.every(({ days }) => days.every((pieces) => pieces.length === 1))).toBe(true);
  expect(rows.every(({ count }) => count === 35 * 8)).toBe(true);
});

describe('starts in each minute of the day', () => {
  test('are the most on one day, and all of the window', () => {
    const { starts } = show(
      [
        policy('a', { schedule: '0 3 * * *' }),
        policy('b', { schedule: '0 3 * * 3' }),
        policy('c', { schedule: '30 4 * * *' }),
        policy('paused', { schedule: '0 3 * * *', suspend: true }),
      ],
      { from: '2026-12-01T00:00:00Z', days: 3 },
    );
    expect(starts.minutes[180]).toEqual({ most: 2, at: at('2026-12-02T03:00:00Z'), total: 4 });
    expect(starts.minutes[270]).toEqual({ most: 1, at: at('2026-12-01T04:30:00Z'), total: 3 });
    expect({
      ...starts,
      minutes: starts.minutes.filter((minute) => minute !== undefined).length,
    }).toMatchObject({ most: 2, total: 7, unplaced: 0, minutes: 2 });
    expect(starts.peaks.map(({ minute, schedules }) => [minute, schedules.map(({ name }) => name)])).toEqual([
      [180, ['a', 'b']],
    ]);
  });

  test('follow the clock of the calendar', () => {
    const { starts } = show([policy('a', { schedule: '0 3 * * *' })], {
      from: '2026-12-01T00:00:00Z',
      zone: 'Asia/Kathmandu',
    });
    expect(
      starts.minutes.flatMap((found, minute) => (found === undefined ? [] : [minuteText(minute)])),
    ).toEqual(['08:45']);
  });
});

/** Two lists, so that an expression is not always of one shape. */
const field = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const expressions = fc
  .tuple(
    field(['0', '30', '*/20', '*', '7,37', '59']),
    field(['*', '3', '*/6', '9-17', '2', '0']),
    field(['*', '1', '15']),
    field(['*', '12']),
    field(['*', '1-5', '0']),
  )
  .map((fields) => fields.join(' '));
const zones = field([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
]);

test('what is drawn are the slots of the forecast, each once, in its own day and minute', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(expressions, zones), { minLength: 1, maxLength: 4 }),
      zones,
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') }),
      fc.integer({ min: 1, max: 5 * DAY }),
      (timings, zoneName, second, length) => {
        const now = instant(second - 1);
        const objects = timings.map(([schedule, timeZone], index) =>
          cronJobNamed(`c${index}`, { schedule, timeZone }, { lastScheduleTime: formatInstant(now) }),
        );
        const given = tick(formatInstant(now), objects);
        const end = instant(second + length);
        const zone = openZone(zoneName);
        const timeline = timelineOf(given, { from: instant(second), end, zone });
        const wanted = forecastSchedules(given, { count: 1e6, upTo: instant(end - 1) });
        expect(timeline.rows.map(({ count }) => count)).toEqual(wanted.map(({ slots }) => slots.length));
        for (const [index, { days }] of timeline.rows.entries()) {
          const slots = wanted[index]?.slots.map(({ slot }) => slot) ?? [];
          for (const [number, pieces] of days.entries()) {
            const day = timeline.days[number];
            if (day === undefined) throw new Error('more days than the calendar has');
            const ofDay = slots.filter((slot) => slot >= day.from && slot < day.end);
            const drawn = pieces.reduce((sum, piece) => sum + (piece.shape === 'band' ? piece.count : 1), 0);
            expect(drawn).toBe(ofDay.length);
            expect(pieces[0]).toEqual(
              ofDay.length === 0 ? undefined : expect.objectContaining({ slot: ofDay[0] }),
            );
          }
        }
        // The minute of the day from the runtime's own calendar.
        const clock = new Intl.DateTimeFormat('en-GB', {
          timeZone: zoneName,
          hour: '2-digit',
          minute: '2-digit',
        });
        const counts = new Map<string, number>();
        for (const { slots } of wanted) {
          for (const { slot } of slots) {
            const minute = clock.format(slot * 1000);
            counts.set(minute, (counts.get(minute) ?? 0) + 1);
          }
        }
        const totals = timeline.starts.minutes.flatMap((found, minute) =>
          found === undefined ? [] : [[minuteText(minute), found.total] as const],
        );
        expect(new Map(totals)).toEqual(new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
      },
    ),
    { numRuns: 60 },
  );
});
