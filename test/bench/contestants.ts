import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { compileTiming } from '#core/slot/timing.ts';
import { instant } from '#core/time/instant.ts';
import { NOW, type Schedule } from './schedules.ts';

/** From text to the latest slot at or before NOW and the next after it, in seconds. */
export interface Contestant {
  readonly name: string;
  readonly answer: (schedule: Schedule) => readonly [latest: number | undefined, next: number | undefined];
}

export const ours: Contestant = {
  name: 'minutehand',
  answer: ({ expression, zone }) => {
    const result = compileTiming({ expression, dialect: 'kubernetes', zone });
    if (!result.ok) throw new Error(result.problem.what);
    const now = instant(NOW);
    return [latestAtOrBefore(result.timing, now), firstAfter(result.timing, now)];
  },
};

export const cronParser: Contestant = {
  name: 'cron-parser',
  answer: ({ expression, zone }) => {
    // One second later, because its prev is strictly before.
    const parsed = CronExpressionParser.parse(expression, {
      currentDate: new Date((NOW + 1) * 1000),
      tz: zone,
    });
    const latest = parsed.prev().getTime() / 1000;
    parsed.reset(new Date(NOW * 1000));
    return [latest, parsed.next().getTime() / 1000];
  },
};

export const croner: Contestant = {
  name: 'croner',
  answer: ({ expression, zone }) => {
    const cron = new Cron(expression, { timezone: zone, paused: true, mode: '5-part' });
    const [latest] = cron.previousRuns(1, new Date((NOW + 1) * 1000));
    return [seconds(latest), seconds(cron.nextRun(new Date(NOW * 1000)) ?? undefined)];
  },
};

function seconds(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : date.getTime() / 1000;
}
