import { describe, test } from 'vitest';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { live } from './support/history.ts';
import type { Step } from './support/step.ts';
import type { Timetable } from './support/timetable.ts';

function at(text: string): Instant {
  return parseInstant(text) ?? instant(0);
}

/** The evening before the clocks change, and the zones in which they do. */
const NIGHTS: readonly (readonly [what: string, evening: string, zone: string])[] = [
  ['an hour that is missing', '2026-03-28T20:00:20Z', 'Europe/Berlin'],
  ['an hour that comes twice', '2026-10-24T20:00:20Z', 'Europe/Berlin'],
  ['an hour that is missing in America', '2026-03-08T01:00:20Z', 'America/New_York'],
  ['an hour that comes twice in America', '2026-11-01T01:00:20Z', 'America/New_York'],
  ['half an hour that is missing', '2026-10-03T10:00:20Z', 'Australia/Lord_Howe'],
  ['half an hour that comes twice', '2026-04-04T10:00:20Z', 'Australia/Lord_Howe'],
  ['a midnight that is missing', '2026-09-05T22:00:20Z', 'America/Santiago'],
  ['a midnight that comes twice', '2026-04-04T22:00:20Z', 'America/Santiago'],
  ['a midnight that is missing on a Friday', '2026-04-23T18:00:20Z', 'Africa/Cairo'],
];

/** Fixed times around every one of these changes, and expressions that a change might throw out of step. */
const EXPRESSIONS = [
  '30 2 * * *',
  '0 2 * * *',
  '30 1 * * *',
  '0 0 * * *',
  '15 0-3 * * *',
  '0 */2 * * *',
  '45 1 * * 0,6',
];

function timetables(zone: string): readonly Timetable[] {
  return EXPRESSIONS.flatMap((expression, index) =>
    (['CronJob', 'EtcdDefragPolicy'] as const).map(
      (kind): Timetable => ({
        kind,
        namespace: 'harbor',
        name: `night-${index}`,
        expression,
        zone,
        deadline: index % 2 === 0 ? undefined : 90,
        concurrency: 'Allow',
        suspend: false,
        limit: 1,
        failedLimit: 1,
        ttl: undefined,
      }),
    ),
  );
}

function quietSteps(count: number, advance: number): readonly Step[] {
  return Array.from({ length: count }, (_, dice) => ({
    advance,
    acts: [],
    dice,
    trouble: { trouble: 'none' },
  }));
}

describe('a night in which the clocks change', () => {
  test.each(NIGHTS)('gives each slot of it its run, with %s', async (_what, evening, zone) => {
    await live(timetables(zone), at(evening), quietSteps(300, 180));
  });

  test.each(NIGHTS)(
    'is caught up by the latest slot after an outage over it, with %s',
    async (_what, evening, zone) => {
      await live(timetables(zone), at(evening), [
        ...quietSteps(3, 60),
        ...quietSteps(1, 12 * 3600),
        ...quietSteps(3, 60),
      ]);
    },
  );
});
