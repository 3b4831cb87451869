import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countReleases, decideJobs, type JobWorld, jobWorldText, type Moment } from './job-world.ts';
import { type Measurement, type Section, threadMilliseconds } from './section.ts';

const RUNS = 9;
const UNMEASURED = 3;
/** At most so many pods of one Job are counted in a pass. */
const MOST_COUNTED = 500;

interface Size {
  readonly jobs: number;
  readonly pods: number;
}

const SIZES: readonly Size[] = [
  { jobs: 100, pods: 20 },
  { jobs: 1000, pods: 20 },
  { jobs: 1, pods: 2000 },
  { jobs: 1, pods: 20_000 },
];

interface World extends Size {
  readonly text: string;
  readonly runs: number[];
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** One decision about Jobs and pods that nobody has looked at yet. */
function pass({ jobs, pods, text }: World, moment: Moment): number {
  const world = JSON.parse(text) as JobWorld;
  collectGarbage();
  const start = threadMilliseconds();
  const reconciliation = decideJobs(world);
  const took = threadMilliseconds() - start;
  const wanted = moment === 'running' ? 0 : jobs * Math.min(pods, MOST_COUNTED);
  const released = countReleases(reconciliation);
  if (released !== wanted)
    throw new Error(`not the world that it should be: ${released} pods would be released, not ${wanted}`);
  return took;
}

/** So many pods are looked at in each run, in passes that are long together beside the steps in which a kernel counts. */
const PODS_EACH = 20_000;

function passes(world: World, moment: Moment): number {
  const count = PODS_EACH / (world.jobs * world.pods);
  const times = Array.from({ length: count }, () => pass(world, moment));
  return times.reduce((sum, took) => sum + took, 0) / count;
}

/** The sizes in turn, so that all see the same state of the machine. */
function measure(moment: Moment): readonly Measurement[] {
  const worlds: World[] = SIZES.map((size) => ({
    ...size,
    text: jobWorldText(size.jobs, size.pods, moment),
    runs: [],
  }));
  for (let run = 0; run < RUNS + UNMEASURED; run++) {
    for (const world of worlds) {
      const took = passes(world, moment);
      if (run >= UNMEASURED) world.runs.push(took);
    }
  }
  return worlds.map(({ jobs, pods, text, runs }) => ({
    scenario: `managed Jobs, ${moment === 'running' ? 'pods run on' : 'all pods are over'}`,
    subject: `${jobs} ${jobs === 1 ? 'Job' : 'Jobs'} with ${pods} pods`,
    runs,
    clock: 'cpu',
    items: jobs * pods,
    note: `${(text.length / 1e6).toFixed(1)} MB`,
  }));
}

/** Whether the cost of a pod grows with the number of Jobs, or with the pods of its Job. */
export const jobsSection: Section = {
  name: 'jobs',
  run: async () => [...measure('running'), ...measure('over')],
};
