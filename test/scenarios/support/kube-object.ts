import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

export function isKubeObject(value: unknown): value is KubeObject {
  return isObject(value) && typeof value.kind === 'string' && isObject(value.metadata);
}
