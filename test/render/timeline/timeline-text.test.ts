import { expect, test } from 'vitest';
import { ANSI, PLAIN } from '#render/palette.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { timelineText } from '#render/timeline/timeline-text.ts';
import { cronJobNamed } from '#test/support/given-tick.ts';
import { hostileObjects, ordinaryObjects, timelineOfObjects } from '#test/support/given-timeline.ts';

test('a row for each schedule, a column for each day, and what starts together', () => {
  expect(
    timelineText(timelineOfObjects(ordinaryObjects()), DEFAULT_TEXT),
  ).toBe(`Mon 30 Nov 2026 to Wed 2 Dec 2026, UTC: 5 schedules, 4,344 slots

SCHEDULE                          Mon 30 Nov   Tue 1 Dec    Wed 2 Dec
                                       ▼ now
EtcdDefragPolicy harbor/bad       invalid: minute \`61\` cannot be read
CronJob harbor/dump               -·X·R·o·o·o· o·o·o·o·o·o· o·o·o·o·o·o·
EtcdDefragPolicy harbor/minutely  #####F###### ############ ############
EtcdDefragPolicy harbor/nightly   ··F········· ··o········· ··o·········
EtcdDefragPolicy harbor/paused    ··P········· ··P········· ··P·········

Each character stands for 2 h of a schedule: o = to come; P = suspended; R = ran; X = its run
failed; F = fires now; - = passed, no run is left; 2 to 9 = that many slots; # = ten or more; · =
none. Of several slots that differ the letter is that of the most noteworthy.

Starts: the most in any one minute of each hour of the day
hour   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
       ▆  ▃  ▃  ▃  █  ▃  ▃  ▃  ▆  ▃  ▃  ▃  ▆  ▃  ▃  ▃  ▆  ▃  ▃  ▃  ▆  ▃  ▃  ▃
most   2  1  1  1  3  1  1  1  2  1  1  1  2  1  1  1  2  1  1  1  2  1  1  1
4,341 starts in all, at most 3 in the same minute, first at 04:00 on Mon 2026-11-30.

The busiest minutes of the day:
04:00  up to 3 at once, first on Mon 2026-11-30; 9 on all days together: CronJob harbor/dump,
       EtcdDefragPolicy harbor/minutely and EtcdDefragPolicy harbor/nightly
00:00  up to 2 at once, first on Mon 2026-11-30; 6 on all days together: CronJob harbor/dump and
       EtcdDefragPolicy harbor/minutely
08:00  up to 2 at once, first on Mon 2026-11-30; 6 on all days together: CronJob harbor/dump and
       EtcdDefragPolicy harbor/minutely
12:00  up to 2 at once, first on Mon 2026-11-30; 6 on all days together: CronJob harbor/dump and
       EtcdDefragPolicy harbor/minutely
16:00  up to 2 at once, first on Mon 2026-11-30; 6 on all days together: CronJob harbor/dump and
       EtcdDefragPolicy harbor/minutely
`);
});

test('every line keeps to the width, whatever the window', () => {
  for (const width of [60, 80, 132]) {
    for (const days of [1, 7, 35]) {
      const text = timelineText(timelineOfObjects(ordinaryObjects(), { days }), { palette: PLAIN, width });
      const longest = Math.max(...text.split('\n').map((line) => line.length));
      expect({ width, days, longest: Math.min(longest, width) }).toEqual({ width, days, longest });
    }
  }
});

test('a name is never cut', () => {
  const name = `nightly-${'x'.repeat(40)}`;
  const lines = timelineText(timelineOfObjects([cronJobNamed(name, {})]), DEFAULT_TEXT).split('\n');
  const index = lines.indexOf(`CronJob harbor/${name}`);
  expect(lines[index + 1]).toMatch(/^ +·F·{10} ·o·{10} ·o·{10}$/);
});

test('colour only says again what letters say', () => {
  const timeline = timelineOfObjects(ordinaryObjects());
  const plain = timelineText(timeline, DEFAULT_TEXT);
  const coloured = timelineText(timeline, { ...DEFAULT_TEXT, palette: ANSI });
  expect(coloured).not.toBe(plain);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken away
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('clock changes are told below', () => {
  const job = cronJobNamed('dst', { timeZone: 'Europe/Berlin', schedule: '30 2 * * *' });
  const given = { now: '2026-10-24T12:00:00Z', from: '2026-10-24T00:00:00Z' };
  const text = timelineText(timelineOfObjects([job], given), { ...DEFAULT_TEXT, width: 200 });
  expect(text).toContain(`
Clock changes
CronJob harbor/dst: 2026-10-25T02:30 comes twice in Europe/Berlin: slots at 2026-10-25T00:30:00Z and 2026-10-25T01:30:00Z
`);
});

test('no schedule, and schedules that could not all be read, are said', () => {
  expect(timelineText(timelineOfObjects([]), DEFAULT_TEXT)).toBe('No schedules were found.\n');
  expect(timelineText(timelineOfObjects(ordinaryObjects()), { ...DEFAULT_TEXT, failedReads: true })).toMatch(
    /\n\nNot everything could be read; this is about the part that could\.\n$/,
  );
});

test('what objects say cannot speak to the terminal', () => {
  const text = timelineText(timelineOfObjects(hostileObjects()), DEFAULT_TEXT);
  expect(text).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
  expect(text).not.toMatch(/^::|\s::/m);
  expect(text).toContain('<img src=x onerror=alert(1)>');
  expect(text).toContain('\\x1b[2J\\x1b[1;1HAll good\\rOK');
});
