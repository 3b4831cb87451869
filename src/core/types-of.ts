import type { ScheduleKind } from '#core/kind.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';

export function uniqueTypes(types: readonly ResourceType[]): readonly ResourceType[] {
  return [...new Map(types.map((type) => [typeId(type), type])).values()];
}

/** Everything that a tick lists for these kinds and drivers; a type may come several times. */
export function typesOf(
  kinds: readonly ScheduleKind[],
  drivers: readonly Driver[] = [],
): readonly ResourceType[] {
  return [
    ...kinds.flatMap(({ resource, run, referents, workload }) => [
      resource,
      run,
      ...referents.map((referent) => referent.resource),
      ...(workload === undefined ? [] : [workload.resource]),
    ]),
    ...drivers.flatMap(({ orders, types }) => [...orders, ...types]),
  ];
}
