import { compareDiagnostics, type Diagnostic, type DiagnosticCode, type Severity } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Comparison, ScheduleComparison, Tripped } from './comparison.ts';
import { type Acknowledgement, type GuardName, isAcknowledged, stopsFiring } from './guard.ts';

/** What goes cannot say anything any more. */
function wayOut({ change, key: { namespace, name } }: ScheduleComparison, guard: string): string {
  return change === 'removed'
    ? `where it is meant, acknowledge it by --acknowledge ${guard}=${namespace}/${name}`
    : `where it is meant, acknowledge it by the annotation minutehand.dev/acknowledge: ${guard}`;
}

function named(keys: readonly ObjectKey[]): string {
  const [first] = keys;
  const rest = keys.length - 1;
  return `${first?.kind ?? ''} ${first?.name ?? ''}${rest > 0 ? ` and ${rest} more` : ''}`;
}

interface Found {
  readonly code: DiagnosticCode;
  readonly guard: Exclude<GuardName, 'peak' | 'invalid'>;
  readonly what: string;
}

function effectsOf(one: ScheduleComparison): readonly Found[] {
  const { merge, neverFires } = one;
  const { firesNow, cancels, prunes } = merge;
  const found: Found[] = [];
  if (firesNow !== undefined) {
    const what = `merging this runs the slot ${formatInstant(firesNow.slot)} at once`;
    found.push({ code: 'FiresOnMerge', guard: 'fires-now', what });
  }
  if (cancels.length > 0)
    found.push({ code: 'RunsCancelled', guard: 'cancels', what: `merging this cancels ${named(cancels)}` });
  if (prunes.length > 0)
    found.push({ code: 'RunsPruned', guard: 'prunes', what: `merging this deletes ${named(prunes)}` });
  if (neverFires)
    found.push({
      code: 'NeverFires',
      guard: 'never-fires',
      what: 'after this change it has no slot to come',
    });
  if (stopsFiring(one) && !neverFires)
    found.push({ code: 'StopsFiring', guard: 'stops', what: 'after this change it does not fire any more' });
  return found;
}

function toDiagnostic(one: ScheduleComparison, found: Found, severity: Severity): Diagnostic {
  const { key, place } = one;
  const { code, guard, what } = found;
  return {
    code,
    severity,
    object: key,
    ...(place === undefined ? {} : { place }),
    what,
    ...(severity === 'note' ? {} : { fix: wayOut(one, guard) }),
  };
}

/** What a change breaks or sets off, for tools that show findings at lines; what trips a guard is an error. */
export function comparisonDiagnostics(
  comparison: Comparison,
  tripped: readonly Tripped[],
  acknowledgements: readonly Acknowledgement[],
): readonly Diagnostic[] {
  const trips = new Set(
    tripped.flatMap(({ guard, schedules }) => schedules.map((key) => `${guard.name} ${keyId(key)}`)),
  );
  const severityOf = (one: ScheduleComparison, { guard }: Found): Severity => {
    if (trips.has(`${guard} ${keyId(one.key)}`)) return 'error';
    return isAcknowledged(one, guard, acknowledgements) ? 'note' : 'warning';
  };
  const effects = comparison.schedules.flatMap((one) =>
    effectsOf(one).map((found) => toDiagnostic(one, found, severityOf(one, found))),
  );
  const broken = [...comparison.schedules, ...comparison.referents].flatMap((one) => one.broken);
  const peak = tripped.flatMap(({ guard }): readonly Diagnostic[] => {
    const after = comparison.peaks[0]?.after;
    if (guard.name !== 'peak' || after === undefined) return [];
    const what = `${after.starts} runs start in the minute of ${formatInstant(after.at)}, more than ${guard.above}`;
    return [
      {
        code: 'ManyStarts',
        severity: 'error',
        what,
        fix: 'spread the schedules, by H or jitter where the kind has them',
      },
    ];
  });
  return [...broken, ...comparison.broken, ...effects, ...peak].sort(compareDiagnostics);
}
