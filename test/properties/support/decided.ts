import type { ChangeSet } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import type { Instant } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { KINDS } from '#kinds/index.ts';
import { SETTINGS } from './tick.ts';

/** Every list as read, in the order of the objects. */
export function observedOf(objects: readonly KubeObject[]): Observed {
  const types = [...typesOf(KINDS), EVENT];
  return new Map(
    types.map((type) => {
      const mine = objects.filter(({ kind }) => kind === type.kind).map((object) => ({ object }));
      return [typeId(type), { state: 'read', objects: mine }];
    }),
  );
}

export interface Decided {
  readonly changeSet: ChangeSet;
  readonly problems: readonly Diagnostic[];
}

/** The decision about these objects and what its own check says. */
export function decided(
  objects: readonly KubeObject[],
  now: Instant,
  settings: Partial<Settings> = {},
): Decided {
  const whole = { ...SETTINGS, ...settings };
  const observed = observedOf(objects);
  const { changeSet } = reconcile({ observed, kinds: KINDS, settings: whole, now });
  return { changeSet, problems: checkChangeSet(changeSet, { observed, kinds: KINDS, settings: whole }) };
}
