import type { Finding } from '#core/kind.ts';
import { isPlainText } from '#core/object/plain-text.ts';

const SHOWN = 60;

/** A path segment of the API (path.IsValidPathSegmentName); stricter rules of names are the kinds' and the server's. */
function isSegment(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) return false;
  return isPlainText(name) || !/\p{Cc}/u.test(name);
}

/** A name that no API can hold: a run made for it could never be created. */
export function unusableName(name: string): Finding | undefined {
  if (isSegment(name)) return undefined;
  return {
    code: 'InvalidMetadata',
    severity: 'error',
    path: ['metadata', 'name'],
    what: `metadata.name is ${JSON.stringify(name.slice(0, SHOWN))}, which cannot be part of a path`,
    why: 'the API serves each object under a path that ends in its name',
    fix: 'use lower-case letters, digits, hyphens and dots',
  };
}
