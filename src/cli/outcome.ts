import type { ChangeSet } from '#core/change/change-set.ts';
import { hasChanges } from '#core/change/change-set.ts';
import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import type { WorkState } from '#core/run/driver.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { FailOnFlags } from './flags.ts';

/** Errors that tell of the cluster or the store; every other error about an object says that it is invalid. */
const NOT_INVALID: ReadonlySet<DiagnosticCode> = new Set([
  'NameTaken',
  'StateDamaged',
  'WriteFailed',
  'ListUnreadable',
  'SelfCheckFailed',
]);

function isInvalid({ severity, object, code }: Diagnostic): boolean {
  if (code === 'ObsoleteVersion') return true;
  return severity === 'error' && object !== undefined && !NOT_INVALID.has(code);
}

export interface OutcomeFacts {
  readonly changeSet: ChangeSet;
  readonly diagnostics: readonly Diagnostic[];
  readonly failedReads: boolean;
}

/** Failed where not one schedule could be read, partly where others went on. */
function readCode({ changeSet, failedReads }: OutcomeFacts): ExitCode | undefined {
  if (!failedReads) return undefined;
  return changeSet.schedules.length === 0 ? EXIT.failed : EXIT.partly;
}

/** Where orders stand once the tick is done; one that failed earlier is over, and not among them. */
type Works = readonly { readonly state: WorkState }[];

function isTripped({ changeSet, diagnostics }: OutcomeFacts, works: Works, flags: FailOnFlags): boolean {
  const { 'fail-on': guards = [] } = flags;
  const isInvalidMet =
    (changeSet.counts.verdicts.invalid ?? 0) > 0 ||
    changeSet.works.some(({ state }) => state === 'invalid') ||
    diagnostics.some(isInvalid);
  return (
    (guards.includes('invalid') && isInvalidMet) ||
    (guards.includes('failed') && works.some(({ state }) => state === 'failed'))
  );
}

function isOverBudget({ changeSet, diagnostics }: OutcomeFacts): boolean {
  return (
    (changeSet.counts.verdicts.deferred ?? 0) > 0 ||
    diagnostics.some(({ code }) => code === 'BudgetExhausted')
  );
}

/** The column of `plan` in the table of design.md 6. */
export function planCode(
  facts: OutcomeFacts,
  flags: FailOnFlags & { readonly 'detailed-exitcode': boolean },
): ExitCode {
  const reading = readCode(facts);
  if (reading !== undefined) return reading;
  if (isTripped(facts, facts.changeSet.works, flags) || isOverBudget(facts)) return EXIT.partly;
  return flags['detailed-exitcode'] && hasChanges(facts.changeSet) ? EXIT.changes : EXIT.done;
}

/** The column of `reconcile`: what a budget left over is due in the next tick, and no failure. */
export function reconcileCode(
  facts: OutcomeFacts & { readonly partial: boolean; readonly works: Works },
  flags: FailOnFlags,
): ExitCode {
  const reading = readCode(facts);
  if (reading !== undefined) return reading;
  return facts.partial || isTripped(facts, facts.works, flags) ? EXIT.partly : EXIT.done;
}

/** For verbs that only look. */
export function readingCode(facts: OutcomeFacts): ExitCode {
  return readCode(facts) ?? EXIT.done;
}
