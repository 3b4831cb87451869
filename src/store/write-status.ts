import type { Precondition } from '#core/change/change.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Store, WriteResult } from './port.ts';

export interface StatusWrite {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly precondition: Precondition;
  readonly fields: JsonObject;
  /** The same fields as they were read, in `read`. */
  readonly before: JsonObject;
  readonly read: KubeObject | undefined;
}

/**
 * Where nobody has ever owned a field, one that is to go away is first taken over as it stands: an apply removes only
 * what its manager owns (kubernetes-api.md).
 */
export async function writeStatus(store: Store, write: StatusWrite): Promise<WriteResult> {
  const { type, key, precondition, fields, before, read } = write;
  const managers = read?.metadata.managedFields ?? [];
  const leaves = Object.keys(before).some((field) => !Object.hasOwn(fields, field));
  if (managers.length > 0 || !leaves) return store.applyStatus(type, key, precondition, fields);
  const taken = await store.applyStatus(type, key, precondition, { ...before, ...fields });
  if (!taken.ok) return taken;
  const { resourceVersion = '' } = taken.object.metadata;
  return store.applyStatus(type, key, { ...precondition, resourceVersion }, fields);
}
