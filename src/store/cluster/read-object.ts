import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';

function hasTexts(metadata: JsonObject, isStored: boolean): boolean {
  const { name, uid, resourceVersion, namespace } = metadata;
  const needed = isStored ? [name, uid, resourceVersion] : [name, uid];
  return (
    needed.every((text) => typeof text === 'string' && text !== '') &&
    (namespace === undefined || typeof namespace === 'string')
  );
}

/** How a server calls whoever wrote before it began to keep record. */
const UNRECORDED = [{ manager: 'before-first-apply', operation: 'Update' }];

/**
 * Records of managers can be cleared; the server then takes every value for one from before its records as soon as
 * something is applied, and refuses to let it go. Without any record a status would pass for nobody's.
 */
function withRecord(object: KubeObject): KubeObject {
  const { metadata, status } = object;
  const isRecorded = metadata.managedFields !== undefined && metadata.managedFields.length > 0;
  if (isRecorded || !isObject(status) || Object.keys(status).length === 0) return object;
  return { ...object, metadata: { ...metadata, managedFields: UNRECORDED } };
}

/**
 * An object as an API server sends it; items of lists of built-in kinds say neither kind nor version.
 * @param isStored one that is created by a dry run has a uid, but no version
 * @returns undefined for what no API server sends
 */
export function readObject(value: unknown, type: ResourceType, isStored = true): KubeObject | undefined {
  if (!isObject(value)) return undefined;
  const { metadata } = value;
  if (!isObject(metadata) || !hasTexts(metadata, isStored)) return undefined;
  // Metadata of a served object have the types of the API: its server checked them.
  const object = value as unknown as KubeObject;
  if (object.kind === type.kind && object.apiVersion === apiVersionOf(type)) return withRecord(object);
  return withRecord({ ...object, apiVersion: apiVersionOf(type), kind: type.kind });
}
