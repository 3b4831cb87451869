import { LAST_APPLIED_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json } from '#core/object/object.ts';

const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|credential|api[-_]?key|private[-_]?key|authorization/i;
/** Names that end like a secret but hold the name of one, or say how one is used. */
const REFERENCE_NAME =
  /^(secretName|secretRef|secretKeyRef|imagePullSecrets|automountServiceAccountToken|serviceAccountToken|tokenExpirationSeconds)$/;
/** Long runs without blanks that mix letters and digits: keys and tokens. */
const KEY_LIKE = /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9+/=_-]{32,}$/;
/** A part of a name, a path or a uid; no key is made of these alone. */
const NAME_PART = /^(?:[a-z]*|\d+|[a-z\d]{1,12})$/;
/*
 * The expressions below begin only where no character of theirs stands before, so that a long text without any
 * match is looked through once and not once from each of its characters.
 */
/** A word of a text that may be a key: what follows a colon or an at sign is a digest or a part of an address. */
const LONG_WORD = /(?<![\w:@.+/=-])[A-Za-z0-9+/=_-]{32,}(?![\w:@.+/-])/g;
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]+\.[\w-]*(?:\.[\w-]*)?/g;
const PEM = '-----BEGIN ';
/** `--token=…`, `PGPASSWORD=…`, `password: …` inside a longer text; a shell variable is not the value itself. */
const ASSIGNMENT =
  /(?<![\w-])([\w-]*(?:pass|secret|token|credential|api[-_]?key|private[-_]?key|authorization)[\w-]{0,40})(["']?\s*[=:]\s*(?:(?:bearer|basic)\s+)?)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'$&;,][^\s"'&;,]*)/gis;
/** The password of `scheme://user:password@host`. */
const USER_INFO = /(?<![a-z\d+.-])([a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi;
/** A whole object once more, as text. */
/** Most texts are names: shorter than any key, and without what every other secret needs. */
const SHORTEST_KEY = 32;
const SUSPECT = /[=:@]|eyJ|-----/;
const FLAG = /^--?[\w-]+$/;
/** A value that is hidden, or was masked before. */
const MASKED = /^(?:\uFDD0|\(masked)/;

/** Numbers masked values: the same value has the same number, so that a change stays visible and the value does not. */
export interface Mask {
  readonly seen: Map<string, number>;
  /** What stands in the place of a value. */
  readonly standIn: (number: number, value: string) => string;
  /** A word that looks like a key and is none. */
  readonly isName: (word: string) => boolean;
  /** A member that stays as it is, with everything below it. */
  readonly isKept: (member: string) => boolean;
}

export function newMask(options: Partial<Omit<Mask, 'seen'>> = {}): Mask {
  return {
    seen: new Map(),
    standIn: (number) => `(masked ${number})`,
    isName: () => false,
    isKept: () => false,
    ...options,
  };
}

function masked(value: string, mask: Mask): string {
  const number = mask.seen.get(value) ?? mask.seen.size + 1;
  mask.seen.set(value, number);
  return mask.standIn(number, value);
}

/** The secrets of one text while it is searched: none is numbered before all are found, since one may hold another. */
interface Findings {
  readonly hide: (secret: string) => string;
  readonly reveal: (text: string, show: (secret: string) => string) => string;
}

/** Noncharacters of Unicode: no word of a text goes on over them. */
const HIDDEN = /\uFDD0(\d+)\uFDD1/g;
/** A text that has some itself must not point into its own secrets. */
const NONCHARACTER = /[\uFDD0\uFDD1]/g;

function newFindings(): Findings {
  const secrets: string[] = [];
  return {
    hide: (secret) => `\uFDD0${secrets.push(secret) - 1}\uFDD1`,
    reveal: (text, show) =>
      text.replace(HIDDEN, (token, index: string) => {
        const secret = secrets[Number(index)];
        return secret === undefined ? token : show(secret);
      }),
  };
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !REFERENCE_NAME.test(name);
}

function looksSecret(value: string): boolean {
  if (!KEY_LIKE.test(value)) return false;
  const parts = value.split(/[-/_]/);
  return parts.length === 1 || !parts.every((part) => NAME_PART.test(part));
}

/** Of `--flag=value` the value alone is judged; the `=` signs that end a key are part of it. */
function hideWord(word: string, { hide }: Findings, { isName }: Mask): string {
  const [, name = '', value = word] = /^([\w-]+=)(?!=*$)(.+)$/.exec(word) ?? [];
  return looksSecret(value) && !isName(value) ? name + hide(value) : word;
}

/** Masks what is secret inside a text that is not secret as a whole: a command line, an address, a message. */
export function maskText(text: string, mask: Mask): string {
  if (text.length < SHORTEST_KEY && !SUSPECT.test(text)) return text;
  if (text.includes(PEM)) return masked(text, mask);
  const findings = newFindings();
  const { hide, reveal } = findings;
  const hidden = text
    .replace(NONCHARACTER, '\uFFFD')
    .replace(USER_INFO, (_whole, before: string, secret: string) => before + hide(secret))
    .replace(ASSIGNMENT, (whole, name: string, between: string, secret: string) =>
      !isSecretName(name) || MASKED.test(secret) ? whole : name + between + hide(secret),
    )
    .replace(WEB_TOKEN, hide)
    .replace(LONG_WORD, (word) => hideWord(word, findings, mask));
  const whole = (secret: string): string => reveal(secret, whole);
  return reveal(hidden, (secret) => masked(whole(secret), mask));
}

function maskString(value: string, mask: Mask, name: string): string {
  if (value === '') return value;
  if (name === LAST_APPLIED_ANNOTATION) return '(left out)';
  return isSecretName(name) ? masked(value, mask) : maskText(value, mask);
}

/** Of a command line in parts, the part after `--token` is its value. */
function maskItems(items: readonly Json[], mask: Mask, name: string): Json {
  return items.map((item, index) => {
    const flag = items[index - 1];
    const isValue = typeof flag === 'string' && FLAG.test(flag) && isSecretName(flag);
    return typeof item === 'string' && isValue ? maskString(item, mask, flag) : maskSecrets(item, mask, name);
  });
}

/** What names the value beside it: a text that itself assigns something names nothing. */
function isHolder(name: Json | undefined): name is string {
  return typeof name === 'string' && isSecretName(name) && !/[=:]/.test(name);
}

/** The same value with everything that looks secret masked; `name` is the member that holds it. */
export function maskSecrets(value: Json, mask: Mask, name = ''): Json {
  if (mask.isKept(name)) return value;
  if (typeof value === 'string') return maskString(value, mask, name);
  if (Array.isArray(value)) return maskItems(value, mask, name);
  if (!isObject(value)) return value;
  const holder = isHolder(value.name) ? value.name : undefined;
  const named = (key: string): string => (key === 'value' && holder !== undefined ? holder : key);
  // In the order of their names, so that the numbers do not depend on the order of the input.
  const members = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(members.map(([key, member]) => [key, maskSecrets(member, mask, named(key))]));
}
