import type { ChangeSet, ScheduleChanges } from '#core/change/change-set.ts';
import { maskText, newMask } from '#core/change/mask.ts';
import { toldByObject } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';

function isUnexplained({ verdict }: ScheduleChanges): boolean {
  return verdict.code === 'invalid' && verdict.detail === undefined;
}

/** Gives every verdict `invalid` its reason, the first error about the object, so that no view leaves it out. */
export function withReasons(changeSet: ChangeSet): ChangeSet {
  if (!changeSet.schedules.some(isUnexplained)) return changeSet;
  const errors = toldByObject(changeSet.diagnostics.filter(({ severity }) => severity === 'error'));
  const schedules = changeSet.schedules.map((schedule): ScheduleChanges => {
    const [first, ...others] = isUnexplained(schedule) ? (errors.get(keyId(schedule.key)) ?? []) : [];
    if (first === undefined) return schedule;
    const more = others.length === 0 ? '' : `; and ${others.length} more`;
    const detail = maskText(first.what, newMask()) + more;
    return { ...schedule, verdict: { ...schedule.verdict, detail } };
  });
  return { ...changeSet, schedules };
}
