import type { FieldPath } from './object.ts';

/** A JSON pointer (RFC 6901). */
export function pointerOf(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
