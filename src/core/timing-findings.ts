import type { Decision, Finding, Schedule } from '#core/kind.ts';
import { countBits } from '#core/slot/bits.ts';
import type { Timing, TimingProblem } from '#core/slot/timing.ts';

type TimedSchedule = Pick<Schedule, 'timing'>;

function problemFinding(schedule: TimedSchedule, problem: TimingProblem): Finding {
  const path = problem.code === 'UnknownTimeZone' ? schedule.timing.zonePath : schedule.timing.expressionPath;
  const fix = problem.fix === undefined ? {} : { fix: problem.fix };
  return { code: problem.code, severity: 'error', path, what: problem.what, why: problem.why, ...fix };
}

function neverFinding(schedule: TimedSchedule, timing: Timing): Finding {
  return {
    code: 'NeverFires',
    severity: 'error',
    path: schedule.timing.expressionPath,
    what: `the schedule ${JSON.stringify(timing.expression)} names no instant within its horizon`,
    why: 'no run would ever be started',
    fix: 'name a date that exists, and at least one value in every field',
  };
}

/** cron-job.md 1.2: the API refuses a zone in the schedule today; a stored one is used as it stands. */
function prefixFindings(schedule: TimedSchedule, timing: Timing): Finding[] {
  if (!timing.storedPrefix) return [];
  const [prefix = ''] = timing.expression.split(' ');
  return [
    {
      code: 'UnsupportedSchedule',
      severity: 'error',
      path: schedule.timing.expressionPath,
      what: `the schedule begins with the zone prefix ${JSON.stringify(prefix)}; ${timing.zone.name} is used`,
      why: 'the API server refuses such a schedule; a stored one still works, and the zone field is ignored',
      fix: 'write the zone in the zone field and the five fields alone',
    },
  ];
}

function minutesOf({ fields }: Timing): number {
  return countBits(fields.minutesLow) + countBits(fields.minutesHigh);
}

function oftenFindings(
  { timing: { oftenBecause, expressionPath } }: TimedSchedule,
  timing: Timing,
): Finding[] {
  const minutes = oftenBecause === undefined ? 0 : minutesOf(timing);
  if (oftenBecause === undefined || minutes <= 1) return [];
  return [
    {
      code: 'FiresOften',
      severity: 'warning',
      path: expressionPath,
      what: `the schedule ${JSON.stringify(timing.expression)} fires ${minutes} times an hour`,
      why: oftenBecause,
    },
  ];
}

function noteFindings(schedule: TimedSchedule, timing: Timing): Finding[] {
  const notes = timing.notes.map(
    (note): Finding => ({
      code: note.code,
      severity: 'note',
      path: schedule.timing.expressionPath,
      what: note.what,
    }),
  );
  return [...prefixFindings(schedule, timing), ...oftenFindings(schedule, timing), ...notes];
}

/** What the timing of a schedule gives reason to say. */
export function timingFindings(schedule: TimedSchedule, decision: Decision): readonly Finding[] {
  switch (decision.state) {
    case 'deleting':
      return [];
    case 'badTiming':
      return [problemFinding(schedule, decision.problem)];
    case 'never':
      return [neverFinding(schedule, decision.timing)];
    case 'suspended':
      return decision.timing === undefined ? [] : noteFindings(schedule, decision.timing);
    case 'resumed':
    case 'waiting':
    case 'expired':
    case 'held':
    case 'done':
    case 'leaving':
    case 'taken':
    case 'deferred':
    case 'blocked':
    case 'empty':
    case 'fire':
      return noteFindings(schedule, decision.timing);
  }
}
