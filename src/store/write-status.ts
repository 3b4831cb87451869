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
  /** Annotations that travel along; null: one that is there is to go. */
  readonly annotations?: Readonly<Record<string, string | null>> | undefined;
}

type Texts = Readonly<Record<string, string>>;

/** What is to stand; undefined where the write takes no annotations along. */
function wantedTexts({ annotations }: StatusWrite): Texts | undefined {
  if (annotations === undefined) return undefined;
  const entries = Object.entries(annotations).flatMap(([name, text]) =>
    text === null ? [] : [[name, text]],
  );
  return Object.fromEntries(entries);
}

/** What stands of the annotations that are to go. */
function leavingTexts({ annotations = {}, read }: StatusWrite): Texts {
  const standing = read?.metadata.annotations ?? {};
  const names = Object.keys(annotations).filter((name) => annotations[name] === null);
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = standing[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/**
 * Where nobody has ever owned a field, one that is to go away is first taken over as it stands: an apply removes only
 * what its manager owns (kubernetes-api.md).
 */
export async function writeStatus(store: Store, write: StatusWrite): Promise<WriteResult> {
  const { type, key, precondition, fields, before, read } = write;
  const managers = read?.metadata.managedFields ?? [];
  const wanted = wantedTexts(write);
  const leaving = leavingTexts(write);
  const leaves =
    Object.keys(before).some((field) => !Object.hasOwn(fields, field)) || Object.keys(leaving).length > 0;
  if (managers.length > 0 || !leaves) return store.applyStatus(type, key, precondition, fields, wanted);
  const all = wanted === undefined ? undefined : { ...leaving, ...wanted };
  const taken = await store.applyStatus(type, key, precondition, { ...before, ...fields }, all);
  if (!taken.ok) return taken;
  const { resourceVersion = '' } = taken.object.metadata;
  return store.applyStatus(type, key, { ...precondition, resourceVersion }, fields, wanted);
}
