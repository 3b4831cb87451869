export type FieldName = 'minute' | 'hour' | 'day of month' | 'month' | 'day of week';

/** How one field is read and which of its values a set of at most 31 bits holds. */
export interface FieldSpec {
  readonly name: FieldName;
  readonly min: number;
  /** Where `*` and `a/n` end. */
  readonly max: number;
  /** The largest value that may be written: 7 for a weekday where Sunday may be so called. */
  readonly most: number;
  /** The value of bit 0. */
  readonly base: number;
  /** How many values the set holds, counted from `base`. */
  readonly width: number;
  /** What a star gives. */
  readonly all: number;
  /** Three-letter names of the values from `min` on, packed. */
  readonly names: readonly number[];
}

/** The set of an expression that the grammar refuses; no bit set has this value. */
export const REFUSED = 2 ** 40;
/** Set beside the values when the field keeps the star mark (cron.md 2). */
export const STAR = 1 << 31;

/** No set: with the star mark every value of the field is on. */
const NOT_PLAIN = -2;
const ALL_ONES = 0x7fffffff;
const NO_NAMES: readonly number[] = [];
export const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
export const WEEKDAY_NAMES = 'sun mon tue wed thu fri sat'.split(' ');

/** Five bits a letter; anything but an ASCII letter gives a number that no name has. */
function pack(text: string, from: number): number {
  let packed = 0;
  for (let at = from; at < from + 3; at++) {
    const letter = text.charCodeAt(at) | 32;
    if (letter < 97 || letter > 122) return -1;
    packed = (packed << 5) | (letter - 96);
  }
  return packed;
}

function packed(names: readonly string[]): readonly number[] {
  return names.map((name) => pack(name, 0));
}

export const MINUTES_LOW = spec('minute', 0, 59, 30);
export const MINUTES_HIGH: FieldSpec = { ...MINUTES_LOW, base: 30 };
export const HOURS = spec('hour', 0, 23, 24);
export const DAYS = spec('day of month', 1, 31, 31);
export const MONTHS: FieldSpec = { ...spec('month', 1, 12, 12), names: packed(MONTH_NAMES) };
export const WEEKDAYS_TO_6: FieldSpec = { ...spec('day of week', 0, 6, 7), names: packed(WEEKDAY_NAMES) };
export const WEEKDAYS_TO_7: FieldSpec = { ...WEEKDAYS_TO_6, most: 7, width: 8 };

function spec(name: FieldName, min: number, max: number, width: number): FieldSpec {
  const all = (ALL_ONES >>> (31 - width)) | STAR;
  return { name, min, max, most: max, base: min, width, all, names: NO_NAMES };
}

/**
 * The values that a field names, bit 0 being `base`, with the star mark; the grammar is that of robfig/cron v3
 * (cron-job.md 1.3). Sunday as 7 is folded to 0.
 * @returns REFUSED if an element is none of the grammar
 */
export function fieldBits(text: string, from: number, to: number, spec: FieldSpec): number {
  // Most fields are one star or one plain number.
  const plain = to - from <= 2 ? plainBits(text, from, to, spec) : NOT_PLAIN;
  if (plain !== NOT_PLAIN) return plain;
  let bits = 0;
  for (let start = from; start < to; ) {
    const comma = find(text, 44, start, to);
    if (comma > start) {
      const element = elementBits(text, start, comma, spec);
      if (element === REFUSED) return REFUSED;
      bits |= element;
    }
    start = comma + 1;
  }
  return spec.most === 7 ? (bits & ~128) | ((bits >> 7) & 1) : bits;
}

/** What `fieldBits` gives for a star or one or two digits; NOT_PLAIN for anything else. */
function plainBits(text: string, from: number, to: number, spec: FieldSpec): number {
  const head = text.charCodeAt(from);
  const tail = to - from === 2 ? text.charCodeAt(from + 1) - 48 : 0;
  if ((head === 42 || head === 63) && to - from === 1) return spec.all;
  if (head < 48 || head > 57 || tail < 0 || tail > 9) return NOT_PLAIN;
  const value = to - from === 2 ? (head - 48) * 10 + tail : head - 48;
  if (value < spec.min || value > spec.most) return REFUSED;
  const bit = (value === 7 && spec.most === 7 ? 0 : value) - spec.base;
  return bit < 0 || bit >= spec.width ? 0 : 1 << bit;
}

/** Position of a character in [from, to), or `to`. */
function find(text: string, code: number, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) !== code) at++;
  return at;
}

function elementBits(text: string, from: number, to: number, spec: FieldSpec): number {
  const slash = find(text, 47, from, to);
  const hyphen = find(text, 45, from, slash);
  const head = text.charCodeAt(from);
  // What follows the hyphen after a star is never looked at: `*-5` is `*`.
  const star = hyphen - from === 1 && (head === 42 || head === 63);
  const low = star ? spec.min : valueAt(text, from, hyphen, spec);
  let high = low;
  if (star) high = spec.max;
  else if (hyphen < slash) high = valueAt(text, hyphen + 1, slash, spec);
  else if (slash < to) high = Math.max(low, spec.max);
  const step = slash < to ? numberAt(text, slash + 1, to) : 1;
  if (low < spec.min || low > high || high > spec.most || step < 1) return REFUSED;
  const bits = rangeBits(low, high, step, spec);
  return star && step === 1 ? bits | STAR : bits;
}

function rangeBits(low: number, high: number, step: number, spec: FieldSpec): number {
  const first = low - spec.base;
  const last = Math.min(high - spec.base, spec.width - 1);
  if (step === 1) {
    const from = Math.max(first, 0);
    return last < from ? 0 : (ALL_ONES >>> (30 - last + from)) << from;
  }
  let bits = 0;
  for (let bit = first; bit <= last; bit += step) if (bit >= 0) bits |= 1 << bit;
  return bits;
}

/** A number or, where the field has names, a name in any letter case; -1 for anything else. */
export function valueAt(text: string, from: number, to: number, spec: FieldSpec): number {
  if (to - from === 3 && spec.names.length > 0) {
    const index = spec.names.indexOf(pack(text, from));
    if (index >= 0) return spec.min + index;
  }
  return numberAt(text, from, to);
}

const MOST_DIGITS = '9223372036854775807';

/** Digits with an optional plus, as Go's Atoi reads them into 64 bits; -1 for anything else. */
export function numberAt(text: string, from: number, to: number): number {
  const start = text.charCodeAt(from) === 43 ? from + 1 : from;
  if (start >= to) return -1;
  let value = 0;
  for (let at = start; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value < 2 ** 53 || fitsInt64(text.slice(start, to)) ? value : -1;
}

function fitsInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  if (significant.length !== MOST_DIGITS.length) return significant.length < MOST_DIGITS.length;
  return significant <= MOST_DIGITS;
}
