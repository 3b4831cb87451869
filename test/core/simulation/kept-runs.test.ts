import { expect, test } from 'vitest';
import type { ScheduleKind } from '#core/kind.ts';
import { simulate } from '#core/simulation/simulate.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { at } from '#test/support/given-tick.ts';
import { observe, SETTINGS } from './support/both-ways.ts';
import { cronJob, defragPolicy, plan } from './support/schedules.ts';

const FROM = at('2026-06-10T00:00:00Z');
const EVERY_MINUTE = { schedule: '* * * * *' };

/** How often a run is read while so many minutes pass. */
function readings(object: Parameters<typeof observe>[0][number], minutes: number): number {
  let count = 0;
  const counted = (kind: ScheduleKind): ScheduleKind => ({
    ...kind,
    open: (...asked) => {
      const opened = kind.open(...asked);
      if (opened.state !== 'open') return opened;
      const { schedule } = opened;
      const readRun: typeof schedule.readRun = (run) => {
        count += 1;
        return schedule.readRun(run);
      };
      return { ...opened, schedule: { ...schedule, readRun } };
    },
  });
  const { schedules } = simulate({
    observed: observe([object]),
    kinds: KINDS.map(counted),
    settings: SETTINGS,
    from: FROM,
    until: instant(FROM + minutes * 60),
    tickOffsetSeconds: 0,
    durations: { given: new Map(KINDS.map(({ id }) => [id, 20])), assumedSeconds: 20 },
    end: 'succeeded',
  });
  expect(schedules[0]?.account.runs).toBeGreaterThan(minutes - 10);
  return count;
}

test.each([
  ['an EtcdDefragPolicy without a limit', defragPolicy('often', FROM, EVERY_MINUTE)],
  [
    'a CronJob with a high one',
    cronJob('often', FROM, { ...EVERY_MINUTE, successfulJobsHistoryLimit: 100_000 }),
  ],
  ['a Plan, whose runs nobody removes', plan('often', FROM, '* * * * *')],
])('of %s each run is read some few times, however many are kept', (_, object) => {
  expect(readings(object, 400)).toBeLessThan(400 * 8);
});
