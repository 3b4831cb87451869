import { expect, test } from 'vitest';
import { instant } from '#core/time/instant.ts';
import { at } from '#test/support/given-tick.ts';
import { bothWays, evenDurations, SETTINGS } from './support/both-ways.ts';
import { cronJob, defragPolicy } from './support/schedules.ts';

const FROM = at('2026-06-10T00:00:00Z');

/** Runs that history takes away wait for a replacement's share of the deletes, and the other way round. */
const OBJECTS = [
  ...['a', 'b', 'c', 'd'].map((name) =>
    defragPolicy(name, FROM, { schedule: '*/6 * * * *', historyLimit: 0, concurrencyPolicy: 'Allow' }),
  ),
  cronJob('z', FROM, {
    schedule: '*/3 * * * *',
    concurrencyPolicy: 'Replace',
    successfulJobsHistoryLimit: 0,
  }),
];

test.each([{ maxDeletes: 1 }, { maxDeletes: 0 }, { maxCreates: 1 }, { maxCreates: 2, maxDeletes: 1 }])(
  'what a budget of %j leaves over comes in the ticks behind it',
  async (budget) => {
    const { fast, slow } = await bothWays({
      objects: OBJECTS,
      settings: { ...SETTINGS, ...budget },
      from: FROM,
      until: instant(FROM + 2 * 3600),
      offset: 0,
      durations: evenDurations(200),
      end: 'succeeded',
    });
    expect(fast).toEqual(slow);
  },
);
