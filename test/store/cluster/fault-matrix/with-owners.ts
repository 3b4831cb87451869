import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import { KINDS } from '#kinds/index.ts';

function marksOf(fields: readonly string[]): JsonObject {
  return { 'f:status': Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) };
}

/**
 * With the owners that the fields of a schedule have in a cluster: what we write is ours, the rest an operator's.
 * Without any entry a server would take all of it for somebody else's (kubernetes-api.md).
 */
export function withOwners(object: KubeObject): KubeObject {
  const { group, kind: name } = keyOf(object);
  const kind = KINDS.find(({ resource }) => resource.group === group && resource.kind === name);
  const isKnown = (object.metadata.managedFields ?? []).length > 0;
  if (kind === undefined || isKnown || !isObject(object.status)) return object;
  const fields = Object.keys(object.status);
  const ours = fields.filter((field) => kind.rules.statusFields.includes(field));
  const theirs = fields.filter((field) => !ours.includes(field));
  const entries: readonly ManagedFieldsEntry[] = [
    { manager: FIELD_MANAGER, operation: 'Apply', subresource: 'status', fieldsV1: marksOf(ours) },
    { manager: 'operator', operation: 'Update', subresource: 'status', fieldsV1: marksOf(theirs) },
  ];
  const managedFields = entries.filter(
    ({ manager }) => (manager === FIELD_MANAGER ? ours : theirs).length > 0,
  );
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
