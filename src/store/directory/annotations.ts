import type { KubeObject, Metadata } from '#core/object/object.ts';

type Annotations = Metadata['annotations'];

/**
 * Annotations that were set or removed here although the manifest says otherwise, each with what it said of it then;
 * null: nothing. What the annotation is instead stands in the object.
 */
export type Annotated = Readonly<Record<string, string | null>>;

/** A name such as `__proto__` is an ordinary one: only own members count. */
function textOf(annotations: Annotations, name: string): string | null {
  return annotations !== undefined && Object.hasOwn(annotations, name) ? (annotations[name] ?? null) : null;
}

function fromValues(values: ReadonlyMap<string, string>): Annotations {
  return values.size === 0 ? undefined : Object.fromEntries(values);
}

/** The object with annotations set (text) and removed (null); undefined when nothing would change. */
export function withAnnotations(object: KubeObject, changes: Annotated): KubeObject | undefined {
  const { annotations: before, ...metadata } = object.metadata;
  const entries = Object.entries(changes);
  if (entries.every(([name, value]) => textOf(before, name) === value)) return undefined;
  const values = new Map(Object.entries(before ?? {}));
  for (const [name, value] of entries) {
    if (value === null) values.delete(name);
    else values.set(name, value);
  }
  const annotations = fromValues(values);
  return { ...object, metadata: annotations === undefined ? metadata : { ...metadata, annotations } };
}

/** Where the annotations of an object differ from those of its manifest; undefined when they do not. */
export function annotatedOver(declared: Annotations, live: Annotations): Annotated | undefined {
  const names = new Set([...Object.keys(declared ?? {}), ...Object.keys(live ?? {})]);
  const differing = [...names].filter((name) => textOf(declared, name) !== textOf(live, name));
  if (differing.length === 0) return undefined;
  return Object.fromEntries(differing.map((name) => [name, textOf(declared, name)]));
}

/** What of it still holds: the manifest has said nothing new about these since. */
export function stillAnnotated(
  annotated: Annotated | undefined,
  declared: Annotations,
): Annotated | undefined {
  if (annotated === undefined) return undefined;
  const holding = Object.entries(annotated).filter(([name, then]) => textOf(declared, name) === then);
  return holding.length === 0 ? undefined : Object.fromEntries(holding);
}

/** The annotations of the manifest, but as they were recorded where they were set or removed here. */
export function mergedAnnotations(
  declared: Annotations,
  recorded: Annotations,
  annotated: Annotated | undefined,
): Annotations {
  if (annotated === undefined) return declared;
  const values = new Map(Object.entries(declared ?? {}));
  for (const name of Object.keys(annotated)) {
    const value = textOf(recorded, name);
    if (value === null) values.delete(name);
    else values.set(name, value);
  }
  return fromValues(values);
}
