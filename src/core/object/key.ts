import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { groupOf } from '#core/object/resource.ts';

export function keyOf(object: KubeObject): ObjectKey {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
  };
}

/** For people: `CronJob harbor/nightly`, without a namespace `ClusterRepository main`. */
export function keyText(key: ObjectKey): string {
  return key.namespace === '' ? `${key.kind} ${key.name}` : `${key.kind} ${key.namespace}/${key.name}`;
}

/** Unique among all keys; a name cannot hold a slash. */
export function keyId(key: ObjectKey): string {
  return `${key.group}/${key.kind}/${key.namespace}/${key.name}`;
}

/** By code unit, so that no locale of a machine changes the order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Namespace, name, group, kind: the order in which people look for an object. */
export function compareKeys(a: ObjectKey, b: ObjectKey): number {
  return (
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.group, b.group) ||
    compareText(a.kind, b.kind)
  );
}
