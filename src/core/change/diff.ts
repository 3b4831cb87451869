import { createPatch } from 'rfc6902';
import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';

/** One field that a change sets, alters or removes. */
export interface FieldDiff {
  /** A JSON pointer, for example `/status/lastScheduleTime`. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|credential|api[-_]?key|private[-_]?key|authorization/i;
/** Long runs without blanks that mix letters and digits: keys, tokens, certificates. */
const SECRET_VALUE =
  /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9+/=_-]{32,}$|-----BEGIN [A-Z ]+-----|^eyJ[A-Za-z0-9_-]+\./;
/** Words that end like a secret but hold the name of one. */
const REFERENCE_NAME =
  /^(secretName|secretRef|secretKeyRef|imagePullSecrets|automountServiceAccountToken|serviceAccountToken)$/;

/** Numbers masked values: the same value has the same number, so that a change stays visible and the value does not. */
export interface Mask {
  readonly seen: Map<string, number>;
}

export function newMask(): Mask {
  return { seen: new Map() };
}

function masked(value: string, mask: Mask): string {
  const number = mask.seen.get(value) ?? mask.seen.size + 1;
  mask.seen.set(value, number);
  return `(masked ${number})`;
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !REFERENCE_NAME.test(name);
}

/** The same value with everything that looks secret masked; `name` is the member that holds it. */
export function maskSecrets(value: Json, mask: Mask, name = ''): Json {
  if (typeof value === 'string') {
    return value !== '' && (isSecretName(name) || SECRET_VALUE.test(value)) ? masked(value, mask) : value;
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, mask, name));
  if (!isObject(value)) return value;
  const holder = typeof value.name === 'string' && isSecretName(value.name) ? value.name : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      maskSecrets(member, mask, key === 'value' && holder !== undefined ? holder : key),
    ]),
  );
}

function at(root: Json, pointer: string): Json | undefined {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/**
 * The fields in which two values differ, in the order of their paths; list items by position. Values are masked
 * before they are compared, under one numbering, so that no secret ever reaches a difference.
 */
export function fieldDiffs(before: Json, after: Json, mask: Mask = newMask()): readonly FieldDiff[] {
  const from = maskSecrets(before, mask);
  const to = maskSecrets(after, mask);
  return createPatch(from, to).map(({ op, path }): FieldDiff => {
    const old = op === 'add' ? undefined : at(from, path);
    const value = op === 'remove' ? undefined : at(to, path);
    return {
      path,
      ...(old === undefined ? {} : { before: old }),
      ...(value === undefined ? {} : { after: value }),
    };
  });
}
