import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { listingOf, type Observed, typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';
import { typesOf } from '#core/types-of.ts';

/** What a change set is held against: read anew, not taken from the decision that made it. */
export interface CheckInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
  readonly drivers?: readonly Driver[];
  /** What drivers asked for beside the lists. */
  readonly besides?: readonly KubeObject[];
}

/** What was read, found by what a change claims about it. */
export interface Facts {
  readonly settings: Settings;
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
  readonly kindOf: (schedule: ScheduleChanges) => ScheduleKind | undefined;
  readonly schedule: (key: ObjectKey, uid: string) => KubeObject | undefined;
  /** A run, what carries one out, an order, or a part of what carries it out. */
  readonly run: (key: ObjectKey, uid: string) => KubeObject | undefined;
}

function identity(key: ObjectKey, uid: string): string {
  return `${keyId(key)}#${uid}`;
}

export function factsOf({ observed, kinds, settings, drivers = [], besides = [] }: CheckInput): Facts {
  const byType = new Map(kinds.map((kind) => [typeId(kind.resource), kind]));
  const objects = new Map<string, KubeObject>();
  for (const type of typesOf(kinds, drivers)) {
    const listing = listingOf(observed, type);
    if (listing.state !== 'read') continue;
    for (const { object } of listing.objects) {
      objects.set(identity(keyOf(object), object.metadata.uid ?? ''), object);
    }
  }
  for (const object of besides) objects.set(identity(keyOf(object), object.metadata.uid ?? ''), object);
  const find = (key: ObjectKey, uid: string): KubeObject | undefined => objects.get(identity(key, uid));
  return {
    settings,
    kinds,
    drivers,
    kindOf: ({ type }) => byType.get(typeId(type)),
    schedule: find,
    run: find,
  };
}
