import type { ScheduleKind } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { withSpecField } from '#core/object/spec-field.ts';
import { listingOf, narrowed, typeId } from '#core/observed.ts';
import { type ReconcileInput, type Reconciliation, reconcile } from '#core/reconcile.ts';

/** The object as it would stand once it is no longer suspended; the same where it is not. */
function resumed(object: KubeObject, field: readonly string[]): KubeObject {
  const changed = withSpecField(object, field, false);
  return changed.state === 'set' ? changed.object : object;
}

/** What a tick would decide about one schedule, and no other, if it were not suspended. */
export function decideAsResumed(
  input: Omit<ReconcileInput, 'kinds' | 'drivers' | 'isSelected' | 'isPartial' | 'indexes'>,
  kind: ScheduleKind,
  source: SourcedObject,
): Reconciliation {
  const { field } = kind.suspension;
  const { object } = source;
  const objects = field === undefined ? [source] : [{ ...source, object: resumed(object, field) }];
  const id = keyId(keyOf(object));
  const only = narrowed(listingOf(input.observed, kind.resource), (one) => keyId(keyOf(one)) === id);
  const observed = new Map(input.observed);
  if (only.state === 'read') observed.set(typeId(kind.resource), { ...only, objects });
  return reconcile({ ...input, observed, kinds: [kind], isPartial: true });
}
