import type { KubeObject } from '#core/object/object.ts';
import type { Precondition } from './change.ts';

/** The version of an object that stands in it. */
export function preconditionOf({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): Precondition {
  return { uid, resourceVersion };
}
