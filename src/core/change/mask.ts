import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';

const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|credential|api[-_]?key|private[-_]?key|authorization/i;
/** Names that end like a secret but hold the name of one, or say how one is used. */
const REFERENCE_NAME =
  /^(secretName|secretRef|secretKeyRef|imagePullSecrets|automountServiceAccountToken|serviceAccountToken|tokenExpirationSeconds)$/;
/** Keys, certificates and web tokens that are known by how they begin. */
const KNOWN_SECRET = /-----BEGIN [A-Z ]+-----|^eyJ[A-Za-z0-9_-]+\./;
/** Long runs without blanks that mix letters and digits. */
const KEY_LIKE = /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9+/=_-]{32,}$/;
/** Lower-case parts as names, paths and uids have them; no key is made of these alone. */
const NAME_LIKE = /^(?:[a-z]*|\d*|[a-z\d]{1,12})(?:[-/_](?:[a-z]*|\d*|[a-z\d]{1,12}))+$/;
/** `--token=…`, `PGPASSWORD=…`, `password: …` inside a longer text; a shell variable is not the value itself. */
const ASSIGNMENT =
  /([\w-]*(?:pass(?:word|wd|phrase)?|secret|token|credentials?|api[-_]?key|private[-_]?key|authorization))(["']?\s*[=:]\s*(?:(?:bearer|basic)\s+)?)("[^"]*"|'[^']*'|[^\s"'$&;,][^\s"'&;,]*)/gi;
/** The password of `scheme://user:password@host`. */
const USER_INFO = /([a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi;
/** A whole object once more, as text. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const SECRET_FLAG = /^--?[\w-]+$/;

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

function looksSecret(value: string): boolean {
  return KNOWN_SECRET.test(value) || (KEY_LIKE.test(value) && !NAME_LIKE.test(value));
}

/** Masks what is secret inside a text that is not secret as a whole: a command line, an address, a message. */
export function maskText(text: string, mask: Mask): string {
  return text
    .replace(USER_INFO, (_whole, before: string, secret: string) => before + masked(secret, mask))
    .replace(ASSIGNMENT, (whole, name: string, between: string, secret: string) =>
      REFERENCE_NAME.test(name) || secret.startsWith('(masked') ? whole : name + between + masked(secret, mask),
    );
}

function maskString(value: string, mask: Mask, name: string): string {
  if (value === '') return value;
  if (name === LAST_APPLIED) return '(left out)';
  return isSecretName(name) || looksSecret(value) ? masked(value, mask) : maskText(value, mask);
}

/** Of a command line in parts, the part after `--token` is its value. */
function maskItems(items: readonly Json[], mask: Mask, name: string): Json {
  return items.map((item, index) => {
    const flag = items[index - 1];
    const isValue = typeof flag === 'string' && SECRET_FLAG.test(flag) && isSecretName(flag);
    return typeof item === 'string' && isValue ? maskString(item, mask, flag) : maskSecrets(item, mask, name);
  });
}

/** The same value with everything that looks secret masked; `name` is the member that holds it. */
export function maskSecrets(value: Json, mask: Mask, name = ''): Json {
  if (typeof value === 'string') return maskString(value, mask, name);
  if (Array.isArray(value)) return maskItems(value, mask, name);
  if (!isObject(value)) return value;
  const holder = typeof value.name === 'string' && isSecretName(value.name) ? value.name : undefined;
  const named = (key: string): string => (key === 'value' && holder !== undefined ? holder : key);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, maskSecrets(member, mask, named(key))]),
  );
}
