import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { effort, PATIENCE, TICKS } from './support/effort.ts';
import { live } from './support/history.ts';
import { someStep } from './support/step.ts';
import { someTimetables } from './support/timetable.ts';

const STARTS = ['2026-03-28T20:00:20Z', '2026-10-24T20:00:20Z', '2026-06-10T08:00:20Z'].flatMap(
  (text): readonly Instant[] => {
    const at = parseInstant(text);
    return at === undefined ? [] : [at];
  },
);

function someHistory(troubled: boolean): fc.Arbitrary<Parameters<typeof live>> {
  return fc.tuple(
    someTimetables(2, 5),
    fc.constantFrom(...STARTS),
    fc.array(someStep(troubled), {
      minLength: Number(process.env['MINUTEHAND_SHORTEST'] ?? TICKS),
      maxLength: TICKS,
      size: 'max',
    }),
  );
}

describe('a history of 500 ticks', () => {
  test(
    'keeps every promise when no write fails, whatever the clock, the authors and the runs do',
    async () => {
      await fc.assert(
        fc.asyncProperty(someHistory(false), async (history) => {
          const { runs } = await live(...history);
          expect(runs).toBeGreaterThanOrEqual(0);
        }),
        effort('histories'),
      );
    },
    PATIENCE,
  );

  test(
    'keeps every promise through crashes, refusals, lost replies and people who meddle',
    async () => {
      await fc.assert(
        fc.asyncProperty(someHistory(true), async (history) => {
          const { runs } = await live(...history);
          expect(runs).toBeGreaterThanOrEqual(0);
        }),
        effort('crashing'),
      );
    },
    PATIENCE,
  );
});
