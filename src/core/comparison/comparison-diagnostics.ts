import { compareDiagnostics, type Diagnostic, type DiagnosticCode, type Severity } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Comparison, ReferentComparison, ScheduleComparison, Tripped } from './comparison.ts';
import { firingSentence } from './firing-sentence.ts';
import { type Acknowledgement, type GuardName, isAcknowledged, stopsFiring } from './guard.ts';

/** A schedule, or something that it points to, on which an annotation acknowledges nothing. */
type Subject = Pick<ReferentComparison, 'key' | 'change' | 'place'> &
  Partial<Pick<ScheduleComparison, 'changedAt' | 'acknowledged'>>;

/** What goes cannot say anything any more. */
function wayOut({ change, acknowledged, key: { namespace, name } }: Subject, guard: string): string {
  return change === 'removed' || acknowledged === undefined
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

function prunedBy(prunes: readonly ObjectKey[]): Found {
  return { code: 'RunsPruned', guard: 'prunes', what: `merging this deletes ${named(prunes)}` };
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
  if (prunes.length > 0) found.push(prunedBy(prunes));
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

function whereOf({ changedAt, place }: Subject): Pick<Diagnostic, 'place'> {
  const where = changedAt ?? place;
  return where === undefined ? {} : { place: where };
}

function toDiagnostic(one: Subject, found: Found, severity: Severity): Diagnostic {
  const { code, guard, what } = found;
  const fix = severity === 'note' ? {} : { fix: wayOut(one, guard) };
  return { code, severity, object: one.key, ...whereOf(one), what, ...fix };
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
  const severityOf = ({ key, acknowledged = [] }: Subject, { guard }: Found): Severity => {
    if (trips.has(`${guard} ${keyId(key)}`)) return 'error';
    return isAcknowledged({ key, acknowledged }, guard, acknowledgements) ? 'note' : 'warning';
  };
  const told = (one: Subject, found: readonly Found[]): readonly Diagnostic[] =>
    found.map((each) => toDiagnostic(one, each, severityOf(one, each)));
  const effects = comparison.schedules.flatMap((one) => told(one, effectsOf(one)));
  const pruned = comparison.referents
    .filter(({ prunes }) => prunes.length > 0)
    .flatMap((one) => told(one, [prunedBy(one.prunes)]));
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
  return [...broken, ...comparison.broken, ...effects, ...pruned, ...peak].sort(compareDiagnostics);
}

/** A schedule that fires otherwise, and goes on firing: nothing is wrong with it, and a reader of the change wants to know. */
function noticeOf(one: ScheduleComparison): readonly Diagnostic[] {
  if (one.change === 'removed' || one.neverFires || stopsFiring(one)) return [];
  const what = firingSentence(one);
  if (what === undefined) return [];
  return [{ code: 'FiringsChanged', severity: 'note', object: one.key, ...whereOf(one), what }];
}

/** How the rest of a change moves firings, for readers at the lines: nothing that anybody has to mend. */
export function comparisonNotices({ schedules }: Comparison): readonly Diagnostic[] {
  return schedules.flatMap(noticeOf).sort(compareDiagnostics);
}
