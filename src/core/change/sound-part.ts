import type { Diagnostic } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import { type ChangeSet, countChanges, type ScheduleChanges } from './change-set.ts';
import { problemsIn, toDiagnostic } from './check.ts';
import type { CheckInput } from './check-facts.ts';

/** What of a change set may be applied. */
export interface SoundPart {
  /** Undefined: nothing of it. */
  readonly changeSet: ChangeSet | undefined;
  readonly problems: readonly Diagnostic[];
}

const OTHERS_GO_ON =
  'a fault of this program: nothing of what is wanted for it is applied, and all others go on';

/** Not even its verdict is believed. */
function heldBack(schedule: ScheduleChanges): ScheduleChanges {
  return {
    ...schedule,
    verdict: { code: 'failed', detail: 'its changes break a rule that always holds' },
    changes: [],
  };
}

/**
 * Retention waits until all is well again: a run that it would delete may be the only proof of a slot that a schedule
 * could not record.
 */
function withoutBlamed(set: ChangeSet, blamed: ReadonlySet<string>): ChangeSet {
  const schedules = set.schedules.map((one) => (blamed.has(keyId(one.key)) ? heldBack(one) : one));
  const works = set.works.filter(({ key }) => !blamed.has(keyId(key)));
  const { failedEarlier } = set.counts.works ?? {};
  return {
    ...set,
    schedules,
    retention: [],
    works,
    counts: countChanges(schedules, [], works, failedEarlier),
  };
}

/**
 * The change set without the schedules and orders whose changes break a rule of the self-check: one of them never stops
 * the others. Where that cannot be told apart, or something is still wrong without them, nothing is left.
 */
export function soundPart(set: ChangeSet, input: CheckInput): SoundPart {
  const problems = problemsIn(set, input);
  if (problems.length === 0) return { changeSet: set, problems: [] };
  const blamed = new Set(problems.flatMap(({ owners = [] }) => owners));
  const rest = withoutBlamed(set, blamed);
  const isApart =
    problems.every(({ owners }) => owners !== undefined) && problemsIn(rest, input).length === 0;
  return isApart
    ? { changeSet: rest, problems: problems.map((one) => toDiagnostic(one, OTHERS_GO_ON)) }
    : { changeSet: undefined, problems: problems.map((one) => toDiagnostic(one)) };
}
