import { compareText } from '#core/object/key.ts';
import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { groupOf } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';

/** What Git holds, by kind and by name. */
export interface ManifestIndex {
  /** How many objects, of whatever kind. */
  readonly size: number;
  readonly ofType: (
    type: ResourceType,
  ) => readonly { readonly key: ObjectKey; readonly source: SourcedObject }[];
  /** Every namespace that some object is in. */
  readonly namespaces: () => readonly string[];
  readonly at: (key: ObjectKey) => SourcedObject | undefined;
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A namespaced object without a namespace is in `default`, as for kubectl without a context. */
function namespaceOf(source: SourcedObject): string {
  return source.object.metadata.namespace || 'default';
}

function isAt(source: SourcedObject, key: ObjectKey): boolean {
  return key.namespace === '' || namespaceOf(source) === key.namespace;
}

function keyIn(source: SourcedObject, type: ResourceType): ObjectKey {
  const namespace = type.namespaced ? namespaceOf(source) : '';
  return { group: type.group, kind: type.kind, namespace, name: source.object.metadata.name };
}

/** Of two manifests of one object the first counts; the reader of manifests reports them. */
export function indexManifests(manifests: readonly SourcedObject[]): ManifestIndex {
  const kinds = new Map<string, SourcedObject[]>();
  const names = new Map<string, SourcedObject[]>();
  for (const source of manifests) {
    const { apiVersion, kind, metadata } = source.object;
    const id = typeId({ group: groupOf(apiVersion), kind });
    append(kinds, id, source);
    append(names, `${id}/${metadata.name}`, source);
  }
  return {
    size: manifests.length,
    ofType: (type) => {
      const entries = (kinds.get(typeId(type)) ?? []).map((source) => ({
        key: keyIn(source, type),
        source,
      }));
      return entries.sort(
        (a, b) => compareText(a.key.namespace, b.key.namespace) || compareText(a.key.name, b.key.name),
      );
    },
    namespaces: () => [...new Set(manifests.map(namespaceOf))],
    at: (key) => names.get(`${typeId(key)}/${key.name}`)?.find((source) => isAt(source, key)),
  };
}
