import type { KubeObject, OwnerReference } from '#core/object/object.ts';

/** The one owner reference that says `controller: true`, if any. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the object is controlled by the one with this uid. Names and labels prove nothing: they are used again. */
export function isControlledBy(object: KubeObject, uid: string | undefined): boolean {
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** A reference that makes the owner the controller, so that deleting the owner deletes the object. */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
