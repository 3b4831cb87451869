import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { firstTypes } from '#core/reading.ts';
import { typesOf } from '#core/types-of.ts';
import { KINDS } from '#kinds/index.ts';
import { CLUSTER_DRIVERS } from './cluster-drivers.ts';

/** Everything that a tick may list beside events, each type once. */
export const ALL_TYPES: readonly ResourceType[] = [
  ...new Map(typesOf(KINDS, CLUSTER_DRIVERS).map((type) => [typeId(type), type])).values(),
];

/** What a tick lists whatever there is: schedules and orders. */
export const FIRST_TYPES = firstTypes({ kinds: KINDS, drivers: CLUSTER_DRIVERS });

const FIRST = new Set(FIRST_TYPES.map(typeId));

/** What it lists where something points to it. */
const REFERRED = new Set(
  [
    ...KINDS.flatMap(({ referents }) => referents.map(({ resource }) => resource)),
    ...CLUSTER_DRIVERS.flatMap(({ types, beside }) => types.filter((type) => !beside.includes(type))),
  ].map(typeId),
);

export function isReferred(type: ResourceType): boolean {
  return REFERRED.has(typeId(type)) && !FIRST.has(typeId(type));
}
