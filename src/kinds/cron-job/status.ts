import type { VerdictCode } from '#core/change/verdict.ts';
import type { Finding, Settled, SettledSlot, SettleInput } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import type { Run } from '#core/run/phase.ts';
import { unknownPhaseFindings } from '#core/run/unknown-phase.ts';
import { scheduleTimes } from '#core/schedule-times.ts';
import { type Instant, later } from '#core/time/instant.ts';
import { activeEntries, startedJob } from './active.ts';
import { cronJobEvents, type MissedWindow } from './events.ts';

export const STATUS_FIELDS = ['active', 'lastScheduleTime', 'lastSuccessfulTime'];

/** The slot that is settled: started, or found to have been started before (cron-job.md 1.10). */
function settledSlot(input: SettleInput): Instant | undefined {
  const { decision, proved } = input;
  if (decision.state === 'done') return later(decision.owed.slot, proved);
  return decision.state === 'fire' && startedJob(input) !== undefined ? decision.owed.slot : proved;
}

function lastSuccess(runs: readonly Run[], stored: Instant | undefined): Instant | undefined {
  return runs
    .filter(({ phase }) => phase === 'succeeded')
    .map(({ object }) => timeOf(readTime(object.status, 'completionTime')))
    .reduce(later, stored);
}

const REASONS: Readonly<Record<SettleInput['decision']['state'], string | undefined>> = {
  deleting: undefined,
  badTiming: undefined,
  never: 'InvalidSchedule',
  suspended: undefined,
  resumed: undefined,
  waiting: undefined,
  expired: 'MissSchedule',
  held: 'JobAlreadyActive',
  done: undefined,
  leaving: undefined,
  taken: undefined,
  deferred: undefined,
  blocked: undefined,
  empty: undefined,
  fire: 'SuccessfulCreate',
};

interface VerdictPart {
  readonly reason?: string;
  readonly code?: VerdictCode;
}

function verdictPart({ decision, outcomes }: SettleInput): VerdictPart {
  if (decision.state === 'badTiming') {
    return {
      reason: decision.problem.code === 'UnknownTimeZone' ? 'UnknownTimeZone' : 'UnparseableSchedule',
    };
  }
  const reason = REASONS[decision.state];
  if (decision.state !== 'fire') return reason === undefined ? {} : { reason };
  switch (outcomes.creates[0]?.state) {
    case 'created':
      return { reason: 'SuccessfulCreate' };
    case 'found':
      return {};
    case 'taken':
      return { code: 'conflict' };
    case 'skipped':
      return { code: 'failed', reason: 'FailedDelete' };
    case 'refused':
    case 'failed':
      return { code: 'failed', reason: 'FailedCreate' };
    case 'terminating':
    case undefined:
      return { code: 'failed' };
  }
}

function takenName({ decision, outcomes }: SettleInput): string | undefined {
  if (decision.state === 'taken') return decision.name;
  return decision.state === 'fire' && outcomes.creates[0]?.state === 'taken'
    ? decision.creates[0]?.key.name
    : undefined;
}

function findings(input: SettleInput): readonly Finding[] {
  const name = takenName(input);
  const unknown = unknownPhaseFindings(input.runs);
  if (name === undefined) return unknown;
  return [
    ...unknown,
    {
      code: 'NameTaken',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `the name ${name} is taken by a Job that this CronJob does not control`,
      why: 'only a Job whose controller has the uid of the CronJob is its own; others are neither adopted nor deleted',
      fix: `delete or rename the Job ${name}; the slot stays due until then`,
    },
  ];
}

/** Status and events of a CronJob, cron-job.md 1.5 to 1.13 with decisions 4 and 5. */
export function settleCronJob(cronJob: KubeObject, input: SettleInput, window: MissedWindow): Settled {
  const { status } = cronJob;
  const active = activeEntries(cronJob, input);
  const success = lastSuccess(input.runs, timeOf(readTime(status, 'lastSuccessfulTime')));
  return {
    status: {
      ...(active.length === 0 ? {} : { active }),
      ...scheduleTimes(status, settledSlot(input), success),
    },
    events: cronJobEvents(cronJob, input, window),
    findings: findings(input),
    ...verdictPart(input),
  };
}

/** The owned fields of a fresh read with the anchor moved forward, never back (design.md 3.6). */
export function moveAnchor(fresh: KubeObject, { slot }: Pick<SettledSlot, 'slot'>): JsonObject {
  const { status } = fresh;
  const active = isObject(status) && status.active !== undefined ? { active: status.active } : {};
  const settled = later(slot, timeOf(readTime(status, 'lastScheduleTime')));
  return { ...active, ...scheduleTimes(status, settled, timeOf(readTime(status, 'lastSuccessfulTime'))) };
}
