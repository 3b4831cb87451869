import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import { PIPED_IN } from '#core/object/piped-in.ts';
import type { Fault } from '#source/text/problem.ts';

/** SOPS leaves its own record in the file: which keys there are, when it was written, a checksum. */
const SOPS_FIELDS = [
  'mac',
  'version',
  'lastmodified',
  'age',
  'pgp',
  'kms',
  'gcp_kms',
  'azure_kv',
  'hc_vault',
];
/** How a value begins that SOPS encrypted. */
export const CIPHERTEXT = 'ENC[AES256_GCM,';

export function isEncrypted(value: JsonObject): boolean {
  const sops = value['sops'];
  return isObject(sops) && SOPS_FIELDS.some((field) => Object.hasOwn(sops, field));
}

/** Where an encrypted value stands whose record was lost; undefined where there is none. */
export function encryptedPath(value: Json): FieldPath | undefined {
  if (typeof value === 'string') return value.startsWith(CIPHERTEXT) ? [] : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const steps: readonly (readonly [string | number, Json])[] = isObject(value)
    ? Object.entries(value)
    : [...value.entries()];
  for (const [step, inner] of steps) {
    const path = encryptedPath(inner);
    if (path !== undefined) return [step, ...path];
  }
  return undefined;
}

const ENVELOPE = /^\s*(?:\$ANSIBLE_VAULT;|-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)-----)/;

/** Tools that encrypt a file as a whole. */
export function isEnvelope(text: string): boolean {
  return ENVELOPE.test(text);
}

export const envelope: Fault = {
  code: 'EncryptedFile',
  what: 'the file is encrypted as a whole',
  why: 'what it defines cannot be told',
  fix: 'decrypt it first, or leave it out',
};

export const encrypted: Fault = {
  code: 'EncryptedFile',
  what: 'the document is encrypted (SOPS)',
  why: 'its values are not the ones that would be applied',
  fix: `decrypt first, for example \`sops decrypt FILE ${PIPED_IN}\`, or leave the file out`,
};

/** As above, for one value: it is never shown. */
export function encryptedValue(path: FieldPath): Fault {
  return { ...encrypted, what: `${path.join('.')} is encrypted (SOPS), without a record of how` };
}
