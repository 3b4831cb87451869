import type { KubeObject, OwnerReference } from '#core/object/object.ts';

const NO_KEYS: readonly string[] = [];

/** The one owner reference that says `controller: true`, if any. */
export function controllerOf({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find((reference) => reference.controller === true);
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

/** For kinds whose runs say by their controller whose they are: its uid is the key. */
export function controllerKeys(run: KubeObject): readonly string[] {
  const uid = controllerOf(run)?.uid;
  return uid === undefined ? NO_KEYS : [uid];
}

function noKeys(): readonly string[] {
  return NO_KEYS;
}

function noRules(): readonly never[] {
  return [];
}

function noRun(): undefined {
  return undefined;
}

/** Of a schedule that controls its runs, those made by hand included; runs of others do not matter to it, nor do others decide which it keeps. */
export function controlledRuns({ metadata: { uid } }: KubeObject): {
  readonly ownKeys: readonly string[];
  readonly otherKeys: () => readonly string[];
  readonly readOther: () => undefined;
  readonly readByHand: () => undefined;
  readonly retainedBy: () => readonly never[];
} {
  return {
    ownKeys: uid === undefined ? NO_KEYS : [uid],
    otherKeys: noKeys,
    readOther: noRun,
    readByHand: noRun,
    retainedBy: noRules,
  };
}
