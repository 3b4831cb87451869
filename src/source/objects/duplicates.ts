import { comparePlaces, type Diagnostic } from '#core/diagnostic.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import type { ObjectKey, Place, SourcedObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';

export interface Unique {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** What is defined several times and so not used. */
  readonly unusable: readonly UnusableObject[];
}

const NAMED_PLACES = 5;

function shown({ file, line, document }: Place): string {
  return `${file}:${line}${document === undefined ? '' : ` (document ${document})`}`;
}

function duplicateObject(object: ObjectKey, found: readonly Place[]): Diagnostic {
  // Not in the order of reading: the same files give the same words in any order.
  const places = [...found].sort(comparePlaces);
  const place = places.at(-1);
  const named = places.slice(0, NAMED_PLACES).map(shown).join(', ');
  const more = places.length > NAMED_PLACES ? ` and ${places.length - NAMED_PLACES} more` : '';
  return {
    code: 'DuplicateObject',
    severity: 'error',
    object,
    ...(place === undefined ? {} : { place }),
    what: `${keyText(object)} is defined ${places.length} times: ${named}${more}`,
    why: 'which definition counts would depend on the order of reading, so none of them is used',
    fix: 'keep one of them',
  };
}

/** A namespaced object that names no namespace is in `default`; one of the whole cluster has none to name. */
function identity(source: SourcedObject): string {
  const key = keyOf(source.object);
  return keyId({ ...key, namespace: key.namespace || 'default' });
}

/** The version takes no part: the cluster has one object under both. */
export function refuseDuplicates(objects: readonly SourcedObject[]): Unique {
  const byKey = new Map<string, SourcedObject[]>();
  for (const sourced of objects) {
    const id = identity(sourced);
    const known = byKey.get(id);
    if (known === undefined) byKey.set(id, [sourced]);
    else known.push(sourced);
  }
  const unique: SourcedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [first, ...others] of byKey.values()) {
    if (first === undefined) continue;
    if (others.length === 0) unique.push(first);
    else
      diagnostics.push(
        duplicateObject(
          keyOf(first.object),
          [first, ...others].flatMap((one) => one.placeOf?.([]) ?? []),
        ),
      );
  }
  const unusable = diagnostics.flatMap(({ object, place }): readonly UnusableObject[] =>
    object === undefined
      ? []
      : [{ key: object, namespaceTold: true, ...(place === undefined ? {} : { place }) }],
  );
  return { objects: unique, diagnostics, unusable };
}
