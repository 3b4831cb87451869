import { describe, expect, test } from 'vitest';
import { instant } from '#core/time/instant.ts';
import { at } from '#test/support/given-tick.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { bothWays, evenDurations, SETTINGS } from './support/both-ways.ts';
import { everySchedule } from './support/schedules.ts';

/** Nights at which clocks change, a day that most years do not have, the end of a month. */
const STRETCHES = [
  ['Europe/Berlin', '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', '2026-10-24T23:00:00Z'],
  ['America/New_York', '2026-03-08T04:00:00Z'],
  ['America/New_York', '2026-11-01T03:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T13:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T13:00:00Z'],
  ['Europe/Berlin', '2028-02-28T22:00:00Z'],
  ['America/New_York', '2026-01-31T04:00:00Z'],
] as const;

// A tick in every minute costs the more the longer it goes on: the change itself and some hours around it.
const HOURS = IS_LONG ? 24 : 5;
const PATIENCE = IS_LONG ? 600_000 : 60_000;

describe.each(STRETCHES)('in %s from %s', (zone, start) => {
  const from = at(start);
  const until = instant(from + HOURS * 3600);
  const base = { objects: everySchedule(from, zone), settings: SETTINGS, from, until, offset: 0 };

  test.each([
    ['shorter than their periods', 240, 'succeeded'],
    ['longer than their periods', 3000, 'failed'],
  ] as const)(
    'a tick in every minute says the same of runs %s',
    async (_, seconds, end) => {
      const { fast, slow } = await bothWays({ ...base, durations: evenDurations(seconds), end });
      // Else two empty reports would agree.
      expect(Object.keys(slow).length).toBeGreaterThan(25);
      expect(Object.values(slow).flatMap(({ starts }) => starts).length).toBeGreaterThan(50);
      expect(fast).toEqual(slow);
    },
    PATIENCE,
  );
});
