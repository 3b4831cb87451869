import { fnv1a32 } from '#core/object/hash.ts';

/** The API refuses longer label values. */
const MAX_LABEL = 63;
const HASH = 8;

/** A longer name is cut and ends in the hash of the whole, so that two of them stay apart. */
export function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const kept = name.slice(0, most - HASH - 1).replace(/[^A-Za-z0-9]+$/, '');
  return `${kept}-${fnv1a32(name)}`;
}

/**
 * A name as a label value: names may have 253 characters, label values 63. A longer one says where to look and is no
 * identity.
 */
export function labelValue(name: string): string {
  return shortened(name, MAX_LABEL);
}
