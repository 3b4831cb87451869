import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey, Place, SourcedObject } from '#core/object/object.ts';
import { groupOf } from './object-key.ts';

export interface Unique {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

const NAMED_PLACES = 5;

function keyOfObject({ object: { apiVersion, kind, metadata } }: SourcedObject): ObjectKey {
  return { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

function shown({ file, line, document }: Place): string {
  return `${file}:${line}${document === undefined ? '' : ` (document ${document})`}`;
}

function duplicateObject(object: ObjectKey, places: readonly Place[]): Diagnostic {
  const place = places.at(-1);
  const named = places.slice(0, NAMED_PLACES).map(shown).join(', ');
  const more = places.length > NAMED_PLACES ? ` and ${places.length - NAMED_PLACES} more` : '';
  const name = object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
  return {
    code: 'DuplicateObject',
    severity: 'error',
    object,
    ...(place === undefined ? {} : { place }),
    what: `${object.kind} ${name} is defined ${places.length} times: ${named}${more}`,
    why: 'Which definition counts would depend on the order of reading, so none of them is used',
    fix: 'Keep one of them',
  };
}

/** The version takes no part: the cluster has one object under both. */
export function refuseDuplicates(objects: readonly SourcedObject[]): Unique {
  const byKey = new Map<string, SourcedObject[]>();
  for (const sourced of objects) {
    const { group, kind, namespace, name } = keyOfObject(sourced);
    const id = JSON.stringify([group, kind, namespace, name]);
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
          keyOfObject(first),
          [first, ...others].flatMap((one) => one.placeOf?.([]) ?? []),
        ),
      );
  }
  return { objects: unique, diagnostics };
}
