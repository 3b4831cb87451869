import type { KubeObject } from '#core/object/object.ts';
import type { Precondition } from './change.ts';

/** An object as it was read, and no other version of it. */
export function preconditionOf({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): Precondition {
  return { uid, resourceVersion };
}
