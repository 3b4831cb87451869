import { expect, test } from 'vitest';
import { forecastSchedules } from '#core/forecast.ts';
import { toForecastDocument } from '#core/forecast-document.ts';
import type { KubeObject } from '#core/object/object.ts';
import { nextSlotsText } from '#render/next-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { at, cronJobNamed, policy, tick } from '#test/support/given-tick.ts';

function next(
  now: string,
  objects: readonly KubeObject[],
  count: number,
  settings: Parameters<typeof tick>[2] = {},
): string {
  return nextSlotsText(forecastSchedules(tick(now, objects, settings), { count }), at(now), DEFAULT_TEXT);
}

test('slots of all schedules are listed in the order of time, in UTC and in their zone', () => {
  const given = [
    cronJobNamed('dump', { timeZone: 'America/New_York', schedule: '0 22 * * *' }),
    policy('busy', { schedule: '*/30 * * * *' }),
    cronJobNamed('off', { suspend: true, schedule: '15 3 * * *' }),
  ];
  expect(next('2026-11-29T02:40:00Z', given, 2)).toBe(
    `UTC                   LOCAL                                         IN         OBJECT                        NOTE
Sun 2026-11-29 03:00  Sun 2026-11-29 03:00 +00:00 UTC               in 20 min  EtcdDefragPolicy harbor/busy
Sun 2026-11-29 03:00  Sat 2026-11-28 22:00 -05:00 America/New_York  in 20 min  CronJob harbor/dump
Sun 2026-11-29 03:15  Sun 2026-11-29 03:15 +00:00 UTC               in 35 min  CronJob harbor/off            suspended
Sun 2026-11-29 03:30  Sun 2026-11-29 03:30 +00:00 UTC               in 50 min  EtcdDefragPolicy harbor/busy
Mon 2026-11-30 03:00  Sun 2026-11-29 22:00 -05:00 America/New_York  in 1 d     CronJob harbor/dump
Mon 2026-11-30 03:15  Mon 2026-11-30 03:15 +00:00 UTC               in 1 d     CronJob harbor/off            suspended
`,
  );
});

test('slots that somebody else acts on are marked, in the text and in the document', () => {
  const now = '2026-11-29T02:40:00Z';
  const given = [
    cronJobNamed('dump', {}),
    cronJobNamed('off', { suspend: true }),
    policy('ours', { schedule: '0 4 * * *' }),
  ];
  const notes = next(now, given, 1, { writers: {} })
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/.* (?:CronJob|EtcdDefragPolicy) harbor\//, '').replace(/ +/, ' '));
  expect(notes).toEqual(['dump observed', 'off suspended; observed', 'ours']);
  const { schedules } = toForecastDocument(
    forecastSchedules(tick(now, given, { writers: {} }), { count: 1 }),
    at(now),
  );
  expect(schedules.map(({ name, observed }) => `${name} ${observed}`)).toEqual([
    'dump true',
    'off true',
    'ours false',
  ]);
});

test('a time that comes twice is noted at both of its slots', () => {
  const given = [cronJobNamed('dst', { timeZone: 'Europe/Berlin', schedule: '30 2 * * *' })];
  const lines = next('2026-10-24T12:00:00Z', given, 3).split('\n');
  const note =
    '2026-10-25T02:30 comes twice in Europe/Berlin: slots at 2026-10-25T00:30:00Z and 2026-10-25T01:30:00Z';
  expect(lines.map((line) => line.includes(note))).toEqual([false, true, true, false, false]);
});

test('schedules without a next slot are named with the reason', () => {
  const given = [policy('bad', { schedule: '61 * * * *' }), policy('never', { schedule: '0 0 30 2 *' })];
  expect(
    next('2026-11-29T02:40:00Z', given, 2),
  ).toBe(`No next slot for EtcdDefragPolicy harbor/bad: minute \`61\` cannot be read.
No next slot for EtcdDefragPolicy harbor/never: no instant matches the schedule.
`);
});

test('a window without slots is not taken for the end of the schedule', () => {
  const now = at('2026-11-29T02:40:00Z');
  const given = tick('2026-11-29T02:40:00Z', [policy('nightly', {})]);
  const upTo = at('2026-11-29T02:50:00Z');
  expect(nextSlotsText(forecastSchedules(given, { count: 9, upTo }), now, DEFAULT_TEXT)).toBe(
    'No next slot for EtcdDefragPolicy harbor/nightly: none within this time.\n',
  );
});

test('the document has the same slots, and null for an unknown zone', () => {
  const now = '2026-11-29T02:40:00Z';
  const given = [
    cronJobNamed('dump', { timeZone: 'Asia/Kathmandu' }),
    policy('bad', { schedule: '61 * * * *' }),
  ];
  expect(toForecastDocument(forecastSchedules(tick(now, given), { count: 1 }), at(now))).toEqual({
    formatVersion: 1,
    now,
    schedules: [
      {
        apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
        kind: 'EtcdDefragPolicy',
        namespace: 'harbor',
        name: 'bad',
        timeZone: null,
        suspended: false,
        observed: false,
        slots: [],
        why: 'minute `61` cannot be read',
      },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        namespace: 'harbor',
        name: 'dump',
        timeZone: 'Asia/Kathmandu',
        suspended: false,
        observed: false,
        slots: [{ slot: '2026-11-29T21:15:00Z', local: '2026-11-30T03:00:00+05:45', offset: 20_700 }],
      },
    ],
  });
});

test('names cannot speak to the terminal', () => {
  expect(
    next('2026-11-29T02:40:00Z', [policy('a\u001b[2J', {}), policy('b\nc', { schedule: 'x\ry' })], 1),
  ).not.toMatch(/[\p{Cf}]|(?!\n)\p{Cc}/u);
});

test('a day of many schedules that fire every minute is listed in full', () => {
  const now = '2026-11-29T02:40:00Z';
  const given = tick(
    now,
    [...Array(100).keys()].map((index) => policy(`p${index}`, { schedule: '* * * * *' })),
  );
  const forecasts = forecastSchedules(given, { count: 10_080, upTo: at('2026-11-30T02:40:00Z') });
  expect(nextSlotsText(forecasts, at(now), DEFAULT_TEXT).split('\n')).toHaveLength(1 + 100 * 1440 + 1);
});
