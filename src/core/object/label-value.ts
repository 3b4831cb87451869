import { fnv1a32 } from '#core/object/hash.ts';

/** The API refuses longer label values. */
const MAX_LABEL = 63;
const HASH = 8;

/**
 * A name as a label value: names may have 253 characters, label values 63. A longer one is cut and ends in the hash
 * of the whole, so that two of them stay apart; it says where to look and is no identity.
 */
export function labelValue(name: string): string {
  if (name.length <= MAX_LABEL) return name;
  const kept = name.slice(0, MAX_LABEL - HASH - 1).replace(/[^A-Za-z0-9]+$/, '');
  return `${kept}-${fnv1a32(name)}`;
}
