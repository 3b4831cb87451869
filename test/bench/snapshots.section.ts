import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Instant } from '#core/time/instant.ts';
import { type Measurement, type Section, threadMilliseconds } from './section.ts';
import { DAY_LATER, decideSnapshots, SETTLED, snapshotWorldText } from './snapshot-world.ts';

const SIZES = [500, 5000];
const RUNS = 11;
const UNMEASURED = 3;

interface World {
  readonly schedules: number;
  readonly text: string;
  readonly runs: number[];
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** One decision about objects that nobody has looked at yet; no size pays for the garbage of another. */
function pass({ schedules, text }: World, now: Instant): number {
  const lists = JSON.parse(text);
  collectGarbage();
  const start = threadMilliseconds();
  const { changeSet } = decideSnapshots(lists, now);
  const took = threadMilliseconds() - start;
  const { verdicts, creates, deletes, statuses } = changeSet.counts;
  const [code, changes] = now === SETTLED ? (['waiting', 0] as const) : (['fired', schedules] as const);
  if (verdicts[code] !== schedules || creates !== changes || statuses !== changes || deletes !== 0) {
    throw new Error(`not the world that it should be: ${JSON.stringify(changeSet.counts)}`);
  }
  return took;
}

/** The sizes in turn, so that all see the same state of the machine. */
function measure(scenario: string, now: Instant, texts: ReadonlyMap<number, string>): readonly Measurement[] {
  const worlds: World[] = [...texts].map(([schedules, text]) => ({ schedules, text, runs: [] }));
  for (let run = 0; run < RUNS + UNMEASURED; run++) {
    for (const world of worlds) {
      const took = pass(world, now);
      if (run >= UNMEASURED) world.runs.push(took);
    }
  }
  return worlds.map(({ schedules, text, runs }) => ({
    scenario: `SnapshotSchedules with 20 Snapshots each, ${scenario}`,
    subject: `reconcile, ${schedules} schedules`,
    runs,
    clock: 'cpu',
    items: schedules,
    note: `${(text.length / 1e6).toFixed(1)} MB`,
  }));
}

/** Whether the cost of a schedule with history, policy and repository grows with the number of schedules. */
export const snapshotsSection: Section = {
  name: 'snapshots',
  run: async () => {
    const texts = new Map(SIZES.map((size) => [size, snapshotWorldText(size)]));
    return [...measure('nothing due', SETTLED, texts), ...measure('everything due', DAY_LATER, texts)];
  },
};
