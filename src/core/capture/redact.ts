import { type Mask, maskSecrets, maskText, newMask } from '#core/change/mask.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject, Metadata } from '#core/object/object.ts';

/** Takes what looks secret out of a capture; everything goes through one, so that equal values stay equal. */
export interface Redactor {
  readonly object: (object: KubeObject) => KubeObject;
  readonly diagnostic: (diagnostic: Diagnostic) => Diagnostic;
  readonly text: (text: string) => string;
  /** How many different values were taken out. */
  readonly count: () => number;
}

const PRIVATE_KEY = /-----BEGIN /;

/**
 * In place of a secret: what a plan takes for one as well, wherever a secret was found, so that the plan of a capture
 * masks and numbers the same values. It is a web token by its form, and nothing of it is secret.
 */
function standIn(number: number, value: string): string {
  // Quotes are part of a value that was assigned, and none of a text that was masked as a whole.
  const quote = PRIVATE_KEY.test(value) ? '' : (/^(["']).*\1$/s.exec(value)?.[1] ?? '');
  return `${quote}eyJmasked-${number}.x.x${quote}`;
}

/** Members that name something: what is found by them, or called after them, would not be found any more. */
const NAME_MEMBER = /(?:^|[a-z])(?:name|namespace|uid)$/i;
/** Members that select, and what is selected by. */
const SELECTING = new Set(['labels', 'matchLabels', 'matchExpressions', 'nodeSelector', 'ownerReferences']);

function collectNames(value: unknown, names: Set<string>, isNamed: (member: string) => boolean): void {
  const items = Array.isArray(value) ? value.map((item) => ['', item] as const) : [];
  const members = isObject(value) ? Object.entries(value) : items;
  for (const [key, member] of members) {
    if (typeof member === 'string') {
      if (isNamed(key)) names.add(member);
    } else collectNames(member, names, SELECTING.has(key) ? () => true : isNamed);
  }
}

const DATA = /^\s*[[{]/;

function isData(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A text that holds data has to stay readable as data, since the data decide. */
function repaired(value: Json, redacted: Json, mask: Mask): Json {
  if (typeof value === 'string' && typeof redacted === 'string') {
    // What was masked as a whole stays so, whatever it held.
    if (value === redacted || !DATA.test(redacted) || !isData(value) || isData(redacted)) return redacted;
    return JSON.stringify(redact(JSON.parse(value), mask));
  }
  if (Array.isArray(value) && Array.isArray(redacted)) {
    return value.map((item: Json, index) => repaired(item, redacted[index] ?? null, mask));
  }
  if (!isObject(value) || !isObject(redacted)) return redacted;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, repaired(item, redacted[key] ?? null, mask)]),
  );
}

function redact(value: Json, mask: Mask): Json {
  return repaired(value, maskSecrets(value, mask), mask);
}

/** Of all metadata only annotations can hold a secret without breaking what they are for. */
function redactMetadata({ annotations, ...metadata }: Metadata, mask: Mask): Metadata {
  if (annotations === undefined) return metadata;
  const redacted = redact(annotations, mask);
  return { ...metadata, annotations: redacted as typeof annotations };
}

function redactObject({ apiVersion, kind, metadata, ...rest }: KubeObject, mask: Mask): KubeObject {
  // Beyond its checked metadata an object is plain data.
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  const redacted = redact(Object.fromEntries(members) as { [key: string]: Json }, mask);
  return {
    ...(isObject(redacted) ? redacted : {}),
    apiVersion,
    kind,
    metadata: redactMetadata(metadata, mask),
  };
}

/** @param objects all that the capture holds: their names, and the names in them, are no secrets */
export function newRedactor(objects: readonly KubeObject[]): Redactor {
  const names = new Set<string>();
  for (const object of objects) collectNames(object, names, (member) => NAME_MEMBER.test(member));
  const mask = newMask({
    standIn,
    isName: (word) => word.split('/').every((part) => names.has(part)),
    isKept: (member) => SELECTING.has(member),
  });
  const text = (value: string): string => maskText(value, mask);
  return {
    object: (object) => redactObject(object, mask),
    diagnostic: ({ what, why, fix, ...rest }) => ({
      ...rest,
      what: text(what),
      ...(why === undefined ? {} : { why: text(why) }),
      ...(fix === undefined ? {} : { fix: text(fix) }),
    }),
    text,
    count: () => mask.seen.size,
  };
}
