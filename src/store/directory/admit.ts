import { sameValue } from '#core/object/canonical.ts';
import type { KubeObject, Metadata, ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { formatInstant } from '#core/time/instant.ts';
import { type Annotated, mergedAnnotations, stillAnnotated } from './annotations.ts';
import { derivedUid } from './derived-uid.ts';

/** An object as the API of a cluster would hold it after its manifest was applied. */
export interface Admitted {
  readonly object: KubeObject;
  /** The state folder does not know this yet. */
  readonly pending: boolean;
  /** Its uid, status and the like are the recorded ones, not those of the manifest. */
  readonly recorded: boolean;
  /** What was set or removed here and still holds against the manifest. */
  readonly annotated?: Annotated | undefined;
}

/** What the state folder knows of an object. */
interface Recorded {
  readonly object: KubeObject;
  readonly annotated?: Annotated | undefined;
}

/** An object that nothing was recorded of has no resource version yet; this one is never written. */
const UNRECORDED = '0';

export function uidOf(key: ObjectKey, created: string, more: readonly string[] = []): string {
  return derivedUid([key.group, key.kind, key.namespace, key.name, created, ...more]);
}

/** The uid that a manifest stands for by itself; undefined when it follows from the time of its first admission. */
export function declaredUid(manifest: KubeObject, key: ObjectKey): string | undefined {
  const { uid, creationTimestamp } = manifest.metadata;
  return uid ?? (creationTimestamp === undefined ? undefined : uidOf(key, creationTimestamp));
}

function inNamespace(metadata: Metadata, namespace: string): Metadata {
  const { namespace: _declared, ...rest } = metadata;
  return namespace === '' ? rest : { ...rest, namespace };
}

function admitNew(manifest: KubeObject, key: ObjectKey, now: Instant): Admitted {
  const creationTimestamp = manifest.metadata.creationTimestamp ?? formatInstant(now);
  const metadata: Metadata = {
    ...inNamespace(manifest.metadata, key.namespace),
    uid: manifest.metadata.uid ?? uidOf(key, creationTimestamp),
    generation: manifest.metadata.generation ?? 1,
    resourceVersion: manifest.metadata.resourceVersion ?? UNRECORDED,
    creationTimestamp,
  };
  return { object: { ...manifest, metadata }, pending: true, recorded: false };
}

interface Declared {
  readonly labels: Metadata['labels'];
  readonly annotations: Metadata['annotations'];
}

/** Labels and annotations are those of the declaration, everything else is the API's. */
function mergedMetadata(
  { labels, annotations }: Declared,
  recorded: Metadata,
  specChanged: boolean,
): Metadata {
  const { labels: _labels, annotations: _annotations, ...kept } = recorded;
  return {
    ...kept,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    generation: (recorded.generation ?? 0) + (specChanged ? 1 : 0),
  };
}

/** Whether nothing is new but perhaps the spec, which is compared by itself. */
function sameDeclaration(a: KubeObject, b: KubeObject): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    sameValue(a.metadata.labels ?? {}, b.metadata.labels ?? {}) &&
    sameValue(a.metadata.annotations ?? {}, b.metadata.annotations ?? {})
  );
}

function admitKnown(manifest: KubeObject, { object: recorded, annotated: before }: Recorded): Admitted {
  const specChanged = !sameValue(manifest.spec, recorded.spec);
  const { status: _ignored, ...declared } = manifest;
  const { labels, annotations: given } = manifest.metadata;
  const annotated = stillAnnotated(before, given);
  const annotations = mergedAnnotations(given, recorded.metadata.annotations, annotated);
  const object: KubeObject = {
    ...declared,
    metadata: mergedMetadata({ labels, annotations }, recorded.metadata, specChanged),
    ...(recorded.status === undefined ? {} : { status: recorded.status }),
  };
  const pending = specChanged || !sameDeclaration(object, recorded) || !sameValue(annotated, before);
  return { object, pending, recorded: true, annotated };
}

/**
 * A manifest merged with what the state folder recorded: labels, annotations and spec are Git's, everything else
 * in metadata and the status are the API's. An annotation that was set or removed here stays so until Git says
 * something new about it, as it does in a cluster until the next apply. A manifest that spells out another uid is
 * another object. The generation rises by one with every change of the spec.
 */
export function admit(
  manifest: KubeObject,
  recorded: Recorded | undefined,
  key: ObjectKey,
  now: Instant,
): Admitted {
  const uid = manifest.metadata.uid;
  const isKnown = recorded !== undefined && (uid === undefined || uid === recorded.object.metadata.uid);
  return isKnown ? admitKnown(manifest, recorded) : admitNew(manifest, key, now);
}
