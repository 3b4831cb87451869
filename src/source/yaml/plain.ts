/** What a plain (unquoted) scalar is when it is not text. `exact` is there when a double cannot hold the integer. */
export type PlainReading =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: number; readonly exact?: bigint }
  | { readonly type: 'float'; readonly value: number; readonly exact?: bigint };

const WORDS = new Map<string, PlainReading>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map(word(true)),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map(word(false)),
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, { type: 'null', value: null }] as const),
  ...['.nan', '.NaN', '.NAN'].map(float(Number.NaN)),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(float(Number.POSITIVE_INFINITY)),
  ...['-.inf', '-.Inf', '-.INF'].map(float(Number.NEGATIVE_INFINITY)),
]);

function word(value: boolean): (text: string) => readonly [string, PlainReading] {
  return (text) => [text, { type: 'bool', value }];
}

function float(value: number): (text: string) => readonly [string, PlainReading] {
  return (text) => [text, { type: 'float', value }];
}

const MAY_RESOLVE = /^[-+.0-9~yYnNtTfFoO]|^$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const DOT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

function magnitude(match: RegExpExecArray): bigint {
  if (match[2] !== undefined) return BigInt(`0x${match[2]}`);
  if (match[3] !== undefined) return BigInt(`0b${match[3]}`);
  if (match[4] !== undefined) return BigInt(`0o${match[4]}`);
  return BigInt(match[5] ?? '0');
}

/** Go's strconv.ParseInt, then ParseUint, which takes no sign. */
function readInteger(digits: string): PlainReading | undefined {
  const match = INTEGER.exec(digits);
  if (match === null) return undefined;
  if (digits.length < 16 && match[5] !== undefined) {
    const small = Number(digits);
    return { type: 'int', value: small === 0 ? 0 : small };
  }
  const exact = match[1] === '-' ? -magnitude(match) : magnitude(match);
  if (exact < INT64_MIN || exact > (match[1] === '' ? UINT64_MAX : INT64_MAX)) return undefined;
  const value = Number(exact);
  return Number.isSafeInteger(value) ? { type: 'int', value } : { type: 'int', value, exact };
}

function readFloat(text: string, grammar: RegExp): PlainReading | undefined {
  if (!grammar.test(text)) return undefined;
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isFinite(value)) return undefined;
  return /^[-+]?[0-9]+$/.test(text)
    ? { type: 'float', value, exact: BigInt(text) }
    : { type: 'float', value };
}

/**
 * A plain scalar as kubectl reads it: sigs.k8s.io/yaml over go-yaml v2 (resolve.go), YAML 1.1 words and integers,
 * no sexagesimals, time stamps left as text.
 * @returns undefined for text
 */
export function readPlain(text: string): PlainReading | undefined {
  if (!MAY_RESOLVE.test(text)) return undefined;
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  if (text.startsWith('.')) return readFloat(text, DOT_FLOAT);
  if (!/^[-+0-9]/.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  return readInteger(digits) ?? readFloat(digits, FLOAT);
}

/** As `readPlain`, by the YAML 1.2 core schema: the numbers of such a file are small. */
export function readCorePlain(text: string): PlainReading | undefined {
  const value = readCore(text);
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'boolean':
      return { type: 'bool', value };
    case 'number':
      return { type: Number.isInteger(value) ? 'int' : 'float', value: value === 0 ? 0 : value };
    default:
      return { type: 'null', value: null };
  }
}

/** The same scalar in the YAML 1.2 core schema (10.3.2): what most other tools see. Undefined is text. */
export function readCore(text: string): null | boolean | number | undefined {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(text) || FLOAT.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : undefined;
}
