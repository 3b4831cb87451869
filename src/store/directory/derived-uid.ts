import { sha1 } from './sha1.ts';

/** The namespace of all uids that are derived here; changing it would change every one of them. */
const NAMESPACE = Buffer.from('ed1acc6218514034af457b7172b50b24', 'hex');

/**
 * A version 5 UUID (RFC 9562, 5.5): the same parts give the same uid, in every process and on every machine.
 * @param parts group, kind, namespace, name, creation time, and what else tells the object from its namesakes
 */
export function derivedUid(parts: readonly string[]): string {
  const name = Buffer.from(JSON.stringify(parts));
  const digest = Buffer.from(sha1(Buffer.concat([NAMESPACE, name]))).subarray(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
