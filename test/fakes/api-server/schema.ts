import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import type { ServedKind } from '#test/fakes/api-server/options.ts';

type Part = 'spec' | 'status';

function declared(kind: ServedKind, part: Part): readonly string[] | undefined {
  return part === 'spec' ? kind.specFields : kind.statusFields;
}

/** Fields that the schema of the kind does not declare, as `spec.x`. */
export function unknownFields(kind: ServedKind, object: KubeObject): readonly string[] {
  return (['spec', 'status'] as const).flatMap((part) => {
    const known = declared(kind, part);
    const value = object[part];
    if (known === undefined || !isObject(value)) return [];
    return Object.keys(value)
      .filter((field) => !known.includes(field))
      .map((field) => `${part}.${field}`);
  });
}

/** Without them: what is not declared is not kept. */
export function pruned(kind: ServedKind, object: KubeObject): KubeObject {
  const parts = (['spec', 'status'] as const).flatMap((part): [Part, Json][] => {
    const known = declared(kind, part);
    const value = object[part];
    if (known === undefined || !isObject(value)) return [];
    return [[part, Object.fromEntries(Object.entries(value).filter(([field]) => known.includes(field)))]];
  });
  return { ...object, ...Object.fromEntries(parts) };
}
