import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { groupOf } from '#core/object/resource.ts';
import type { Fault } from '#source/text/problem.ts';
import { textOf } from './object-key.ts';

/** SOPS leaves its own record in the file, with a checksum that is itself encrypted. */
export function isEncrypted(value: JsonObject): boolean {
  const sops = value['sops'];
  return isObject(sops) && typeof sops['mac'] === 'string';
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
  fix: 'decrypt first, for example `sops decrypt FILE | minutehand plan -f -`, or leave the file out',
};

/** A file that tells kustomize what to build; with or without the type, which kustomize lets be left out. */
export function isKustomization(value: JsonObject, file: string): boolean {
  const apiVersion = textOf(value['apiVersion']);
  if (apiVersion !== undefined) return groupOf(apiVersion) === 'kustomize.config.k8s.io';
  return value['kind'] === undefined && /(?:^|\/)kustomization\.ya?ml$|(?:^|\/)Kustomization$/.test(file);
}

export const kustomization: Fault = {
  code: 'NotAnObject',
  what: 'a file for kustomize, skipped',
  why: 'it is not an object of the API but says how to build some',
  fix: 'to read what it builds, pipe it in: `kustomize build FOLDER | minutehand plan -f -`',
};
