import type { ApplyChange } from '#core/change/change.ts';
import { anchorToHold } from '#core/held-anchor.ts';
import type { KindRules } from '#core/kind-rules.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Store, WriteFailure } from './port.ts';

/** A status that was just written, and the object as that left it. */
export interface WrittenStatus extends Pick<ApplyChange, 'type' | 'key'> {
  readonly fields: JsonObject;
  readonly object: KubeObject;
}

/** Where an anchor stands after its status was written, or why it stands nowhere yet. */
export type AnchorPlace =
  | { readonly in: 'status' | 'annotation' }
  | { readonly in: 'nowhere'; readonly failure: WriteFailure };

/**
 * Where the installed definition of a type does not declare the field of the anchor, the store leaves it out of the
 * status that it answers with: then the annotation of the kind holds it (backups.md decision 4). An object that changed
 * right between the two writes is read once more.
 */
export async function holdAnchor(
  store: Store,
  { type, key, fields, object }: WrittenStatus,
  rules: KindRules,
): Promise<AnchorPlace> {
  const annotations = anchorToHold(rules, fields, object);
  if (annotations === undefined) return { in: 'status' };
  const { uid = '', resourceVersion = '' } = object.metadata;
  const result = await store.annotate(type, key, { uid, resourceVersion }, annotations);
  if (result.ok) return { in: 'annotation' };
  const { failure } = result;
  const read = failure.kind === 'conflict' ? await store.get(type, key) : undefined;
  if (read?.state !== 'found' || read.object.metadata.uid !== uid) return { in: 'nowhere', failure };
  const still = anchorToHold(rules, fields, read.object);
  if (still === undefined) return { in: 'annotation' };
  const fresh = { uid, resourceVersion: read.object.metadata.resourceVersion ?? '' };
  const again = await store.annotate(type, key, fresh, still);
  return again.ok ? { in: 'annotation' } : { in: 'nowhere', failure: again.failure };
}
