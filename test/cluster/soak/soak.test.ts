import { expect, test } from 'vitest';
import { describeOnServer, sharedServer } from '#test/cluster/support/with-server.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { quarters, reportText } from './report.ts';
import { runSoak, type SoakOptions } from './soak.ts';

const SEED = Number(process.env['MINUTEHAND_SEED'] ?? 20_260_610);
const SIZE = IS_LONG
  ? { schedules: 2000, minutely: 1, seconds: 600, minutes: 0, edits: 12, outages: 0.02 }
  : { schedules: 60, minutely: 10, seconds: 40, minutes: 20, edits: 2, outages: 0.05 };
/** So much more may the last quarter take than the first: what grows with time would grow by far more. */
const FLAT = 1.25;

/** Simulated hours pass in minutes: what is an hour's worth of events elsewhere is a minute's here. */
const NEEDS = { eventLifetime: 60 };

describeOnServer(
  'a soak',
  () => {
    test(
      `starts exactly the runs that are expected, whatever kills and disturbs its ticks, and grows in nothing`,
      async () => {
        const options: SoakOptions = { ...SIZE, seed: SEED };
        console.log(`soak with MINUTEHAND_SEED=${SEED}: ${JSON.stringify(SIZE)}`);
        const tally = await runSoak(await sharedServer(), options, (line) => console.log(line));
        console.log(reportText(tally));
        expect(tally.kills).toBeGreaterThan(0);
        expect(tally.repeated).toBe(0);
        expect(tally.faults.size).toBeGreaterThan(0);
        const [first, , , last] = quarters(tally.minutes);
        expect(last?.peak).toBeLessThan((first?.peak ?? 0) * FLAT);
        expect(last?.reads).toBeLessThan((first?.reads ?? 0) * FLAT);
        // Of a few runs nothing can be said.
        if (IS_LONG) expect(last?.writesPerRun).toBeLessThan((first?.writesPerRun ?? 0) * FLAT);
      },
      (SIZE.seconds + 3000) * 1000,
    );
  },
  NEEDS,
);
