import type { ScheduleKind } from '#core/kind.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** Everything that a tick reads for these kinds. */
export function typesOf(kinds: readonly ScheduleKind[]): readonly ResourceType[] {
  return kinds.flatMap(({ resource, run, referents, workload }) => [
    resource,
    run,
    ...referents.map((referent) => referent.resource),
    ...(workload === undefined ? [] : [workload.resource]),
  ]);
}
