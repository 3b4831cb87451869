import { JOB } from '#api/resources.ts';
import type { JsonObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { cronJob } from '#test/cluster/world/objects.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import type { Behaviour } from './behaviour.ts';
import {
  at,
  createAll,
  editedMeanwhile,
  endRuns,
  type Place,
  SECOND,
  startedMeanwhile,
  THIRD,
  tickAfter,
  tickBefore,
} from './place.ts';
import { rightTo } from './rights.ts';

const CREATE = [rightTo('create', JOB), rightTo('update', CRON_JOB, 'finalizers')];
const STATUS = rightTo('patch', CRON_JOB, 'status');
const TELL = rightTo('create', EVENT);
const DELETE = rightTo('delete', JOB);

function plantCronJob(place: Place, spec: JsonObject = {}): Promise<void> {
  const { namespace } = place;
  return createAll(place, [
    [CRON_JOB, cronJob(`${namespace}/rotate`, { spec: { schedule: DAILY, ...spec } })],
  ]);
}

/** The Job of the night before, as its controller leaves it. */
function complete(): JsonObject {
  const time = new Date().toISOString().replace(/\.\d+/, '');
  const condition = (type: string): JsonObject => ({
    type,
    status: 'True',
    reason: 'CompletionsReached',
    message: 'so it is',
    lastProbeTime: time,
    lastTransitionTime: time,
  });
  return {
    startTime: time,
    completionTime: time,
    succeeded: 1,
    conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  };
}

function run(slot: Instant): string {
  return `Job rotate-${slot / 60} of rotate`;
}

const SETTLED = [`rotate ${at(THIRD)}`];
const CREATED = 'SuccessfulCreate rotate';

const MANAGED: readonly Behaviour[] = [
  {
    does: 'starts the Job of a CronJob',
    needs: [...CREATE, STATUS, TELL, rightTo('list', CRON_JOB), rightTo('list', JOB)],
    plant: (place) => plantCronJob(place),
    wants: { runs: [run(THIRD)], settled: SETTLED, told: [CREATED] },
  },
  {
    does: 'replaces the running Job of a CronJob',
    needs: [...CREATE, STATUS, TELL, DELETE],
    plant: async (place) => {
      await plantCronJob(place, { concurrencyPolicy: 'Replace' });
      await tickBefore(place, tickAfter(SECOND));
    },
    wants: { runs: [run(THIRD)], settled: SETTLED, told: [CREATED, 'SuccessfulDelete rotate'] },
  },
  {
    does: 'trims the finished Jobs of a CronJob',
    needs: [...CREATE, STATUS, TELL, DELETE],
    plant: async (place) => {
      await plantCronJob(place, { successfulJobsHistoryLimit: 0 });
      await tickBefore(place, tickAfter(SECOND));
      await endRuns(place, JOB, complete);
    },
    wants: {
      runs: [run(THIRD)],
      settled: SETTLED,
      told: [CREATED, 'SuccessfulDelete rotate'],
    },
  },
  {
    does: 'finds the Job of a tick that ended before it could write the status',
    needs: [...CREATE, STATUS, rightTo('get', JOB)],
    plant: (place) => plantCronJob(place),
    meanwhile: startedMeanwhile,
    wants: { runs: [run(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'records the slot of a CronJob that was edited meanwhile',
    needs: [...CREATE, STATUS, TELL, rightTo('get', CRON_JOB)],
    plant: (place) => plantCronJob(place),
    meanwhile: (place) => editedMeanwhile(place, 'apply', CRON_JOB),
    // Nothing in its status tells that its active Job is not recorded yet: that waits for a sweep.
    wants: { runs: [run(THIRD)], settled: SETTLED, told: [CREATED] },
  },
  {
    does: 'tells only once that a running Job of a CronJob is in the way',
    needs: [TELL, rightTo('list', EVENT)],
    plant: async (place) => {
      await plantCronJob(place, { concurrencyPolicy: 'Forbid' });
      await tickBefore(place, tickAfter(SECOND));
    },
    wants: {
      runs: [run(SECOND)],
      settled: [`rotate ${at(SECOND)}`],
      told: ['JobAlreadyActive rotate'],
    },
  },
];

export const CRON_JOB_BEHAVIOURS: readonly Behaviour[] = [
  {
    does: 'foretells the Job of a CronJob that is left to its controller',
    needs: [rightTo('list', CRON_JOB), rightTo('list', JOB)],
    plant: (place) => plantCronJob(place),
    wants: { runs: [], settled: ['rotate never'], told: [] },
  },
  ...MANAGED.map((behaviour): Behaviour => ({ ...behaviour, managesCronJobs: true })),
];
