import type { Decision, Finding, Schedule } from '#core/kind.ts';
import type { Timing, TimingProblem } from '#core/slot/timing.ts';

export function problemFinding(schedule: Schedule, problem: TimingProblem): Finding {
  const path = problem.code === 'UnknownTimeZone' ? schedule.timing.zonePath : schedule.timing.expressionPath;
  const fix = problem.fix === undefined ? {} : { fix: problem.fix };
  return { code: problem.code, severity: 'error', path, what: problem.what, why: problem.why, ...fix };
}

export function neverFinding(schedule: Schedule, timing: Timing): Finding {
  return {
    code: 'NeverFires',
    severity: 'error',
    path: schedule.timing.expressionPath,
    what: `the schedule ${JSON.stringify(timing.expression)} names no instant within its horizon`,
    why: 'no run would ever be started',
    fix: 'name a date that exists',
  };
}

function noteFindings(schedule: Schedule, timing: Timing): Finding[] {
  return timing.notes.map((note) => ({
    code: note.code,
    severity: 'note',
    path: schedule.timing.expressionPath,
    what: note.what,
  }));
}

/** What the timing of a schedule gives reason to say. */
export function timingFindings(schedule: Schedule, decision: Decision): readonly Finding[] {
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
    case 'taken':
    case 'deferred':
    case 'fire':
      return noteFindings(schedule, decision.timing);
  }
}
