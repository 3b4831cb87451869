import type { AnnotateChange } from '#core/change/change.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import { isFinished, type Run } from '#core/run/phase.ts';

/**
 * Runs that were marked to be replaced and finished before they could be deleted: they keep living, and the mark of
 * ours is taken off (snapshot-schedule.md D31).
 */
export function leftoverMarks(kind: ScheduleKind, runs: readonly Run[]): readonly AnnotateChange[] {
  const marks = kind.rules.deleteMarks.Replaced;
  if (marks === undefined) return [];
  const names = Object.keys(marks);
  return runs.flatMap((run): AnnotateChange[] => {
    const { annotations = {} } = run.object.metadata;
    const left = names.filter(
      (name) => Object.hasOwn(annotations, name) && annotations[name] === marks[name],
    );
    if (left.length === 0 || !isFinished(run) || run.terminating) return [];
    return [
      {
        verb: 'annotate',
        type: kind.run,
        key: keyOf(run.object),
        reason: 'LeftoverMark',
        precondition: preconditionOf(run.object),
        annotations: Object.fromEntries(left.map((name) => [name, null])),
      },
    ];
  });
}
