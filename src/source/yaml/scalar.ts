import type { Fault } from '#source/text/problem.ts';
import { type PlainReading, readCore, readCorePlain, readPlain } from './plain.ts';

/** Whose rules say what a plain scalar is: those of kubectl for manifests, those of YAML 1.2, as editors have them, else. */
export type ScalarRules = 'kubectl' | 'core';

/** Why a scalar has no value. */
export interface ScalarFault extends Fault {
  readonly type: 'fault';
}

export type ScalarReading = PlainReading | { readonly type: 'text'; readonly value: string } | ScalarFault;

/** A scalar after the parser undid quotes and folding. */
export interface RawScalar {
  readonly text: string;
  readonly plain: boolean;
  /** Resolved: `tag:yaml.org,2002:int`, or `!`. */
  readonly tag?: string | undefined;
}

const CORE = 'tag:yaml.org,2002:';
const DATE = /^\d{4}-\d{1,2}-\d{1,2}/;

function shownTag(tag: string): string {
  return tag.startsWith(CORE) ? `!!${tag.slice(CORE.length)}` : tag;
}

export function unknownTag(tag: string): ScalarFault {
  return {
    type: 'fault',
    code: 'UnknownTag',
    what: `the tag \`${shownTag(tag)}\` is not known`,
    why: 'objects of the Kubernetes API are plain data; kubectl would drop the tag and keep the value as text',
    fix: 'remove the tag and write the value itself',
  };
}

function misfit(text: string, tag: string): ScalarFault {
  return {
    type: 'fault',
    code: 'InvalidYaml',
    what: `\`${text}\` is not a value of the tag \`${shownTag(tag)}\``,
    why: 'a tag decides the type of its value, and kubectl refuses one that does not fit',
    fix: 'remove the tag, or write a value of that type',
  };
}

function readBinary(text: string, tag: string): ScalarReading {
  const packed = text.replace(/[ \r\n\t]/g, '');
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.toString('base64') !== packed) return misfit(text, tag);
  const value = bytes.toString('utf8');
  return Buffer.from(value, 'utf8').equals(bytes) ? { type: 'text', value } : misfit(text, tag);
}

const PLAIN: Readonly<Record<ScalarRules, typeof readPlain>> = { kubectl: readPlain, core: readCorePlain };

function readTyped(text: string, tag: string): ScalarReading {
  const reading = readPlain(text);
  const type = reading?.type === 'int' && tag === `${CORE}float` ? 'float' : reading?.type;
  return reading !== undefined && tag === `${CORE}${type}` ? reading : misfit(text, tag);
}

function readTagged(text: string, tag: string): ScalarReading {
  switch (tag) {
    case '!':
    case `${CORE}str`:
      return { type: 'text', value: text };
    case `${CORE}null`:
    case `${CORE}bool`:
    case `${CORE}int`:
    case `${CORE}float`:
      return readTyped(text, tag);
    case `${CORE}timestamp`:
      return DATE.test(text) ? { type: 'text', value: text } : misfit(text, tag);
    case `${CORE}binary`:
      return readBinary(text, tag);
    default:
      return unknownTag(tag);
  }
}

/** A scalar with or without quotes and tag; kubectl's rules are those of go-yaml v2 (decode.go and resolve.go). */
export function readScalar({ text, plain, tag }: RawScalar, rules: ScalarRules): ScalarReading {
  const reading: ScalarReading | undefined =
    tag === undefined ? (plain ? PLAIN[rules](text) : undefined) : readTagged(text, tag);
  if (reading !== undefined && reading.type !== 'text') return reading;
  const value = reading?.value ?? text;
  if (value.isWellFormed()) return { type: 'text', value };
  const what = `${JSON.stringify(value)} holds half of a surrogate pair`;
  return { type: 'fault', code: 'InvalidYaml', what, fix: 'write the character itself, or both halves' };
}

/** True where a reader of YAML 1.2 gets something else out of the same plain scalar. */
export function isAmbiguous({ text, plain, tag }: RawScalar, reading: ScalarReading): boolean {
  if (!plain || tag !== undefined || reading.type === 'text' || reading.type === 'fault') return false;
  return !Object.is(readCore(text), reading.value);
}
