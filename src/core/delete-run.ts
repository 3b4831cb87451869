import type { DeleteChange, DeleteReason } from '#core/change/change.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { Referents } from '#core/referents.ts';
import type { Run } from '#core/run/phase.ts';

export function deleteRun(
  kind: Pick<ScheduleKind, 'run' | 'rules'>,
  run: Pick<Run, 'object' | 'slot'>,
  reason: DeleteReason,
): DeleteChange {
  const marks = kind.rules.deleteMarks[reason];
  return {
    verb: 'delete',
    type: kind.run,
    key: keyOf(run.object),
    reason,
    precondition: preconditionOf(run.object),
    ...(run.slot === undefined ? {} : { slot: run.slot }),
    ...(marks === undefined ? {} : { marks }),
  };
}

/** Each victim behind what carries it out (snapshot-schedule.md 3.3); a text says why that cannot be known. */
export function replacements(
  { kind, referents }: { readonly kind: ScheduleKind; readonly referents: Referents },
  victims: readonly Run[],
): readonly DeleteChange[] | string {
  const changes: DeleteChange[] = [];
  for (const victim of victims) {
    const workload = workloadOf(kind, victim, referents);
    if (typeof workload === 'string') return workload;
    if (workload !== undefined) changes.push(workload);
    changes.push(deleteRun(kind, victim, 'Replaced'));
  }
  return changes;
}

function workloadOf(
  kind: ScheduleKind,
  victim: Run,
  referents: Referents,
): DeleteChange | string | undefined {
  const workload = kind.workload?.resource;
  if (workload === undefined) return undefined;
  const { name, namespace = '', uid } = victim.object.metadata;
  const found = referents.find(workload, namespace, name);
  if (found.state === 'unreadable')
    return `whether ${workload.kind} ${name} is to be stopped cannot be told: ${found.reason}`;
  if (found.state === 'missing' || !isControlledBy(found.object, uid)) return undefined;
  if (found.object.metadata.deletionTimestamp !== undefined) return undefined;
  return {
    verb: 'delete',
    type: workload,
    key: keyOf(found.object),
    reason: 'Replaced',
    precondition: preconditionOf(found.object),
  };
}
