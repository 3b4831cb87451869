import type { KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import type { Seed } from '#test/store/contract/harness.ts';

/** A seed as an API server would hold it, with the owners of its status fields written down. */
export function seededObject(seed: Seed): KubeObject {
  const managedFields: ManagedFieldsEntry[] = Object.entries(seed.managers ?? {}).map(
    ([manager, fields]) => ({
      manager,
      operation: 'Update',
      subresource: 'status',
      fieldsV1: { 'f:status': Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
    }),
  );
  if (managedFields.length === 0) return seed.object;
  return { ...seed.object, metadata: { ...seed.object.metadata, managedFields } };
}
