import { words } from './blanks.ts';

/** 64 bits in two halves; FNV-1a of snapshot-schedule.md 2.6, without BigInt because it runs once per base slot. */
interface Hash {
  high: number;
  low: number;
}

/** A jitter window with the hash of its seed, ready for any base slot. */
export interface Spread {
  /** Whole seconds, above 0. */
  readonly window: number;
  readonly high: number;
  readonly low: number;
}

/** The prime is 2^40 + 435: the first part is a shift by 40 bits, the second a product below 2^41. */
const PRIME_LOW = 435;
const HALF = 2 ** 32;

function feed(hash: Hash, byte: number): void {
  const low = (hash.low ^ byte) >>> 0;
  const product = low * PRIME_LOW;
  hash.high = (Math.imul(hash.high, PRIME_LOW) + (low << 8) + ((product / HALF) | 0)) | 0;
  hash.low = product >>> 0;
}

/** UTF-8; a lone surrogate counts as U+FFFD. */
function feedText(hash: Hash, text: string): void {
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    feedPoint(hash, point >= 0xd800 && point <= 0xdfff ? 0xfffd : point);
  }
}

function feedPoint(hash: Hash, point: number): void {
  if (point < 0x80) {
    feed(hash, point);
    return;
  }
  if (point < 0x800) feed(hash, 0xc0 | (point >> 6));
  else {
    if (point < 0x10000) feed(hash, 0xe0 | (point >> 12));
    else {
      feed(hash, 0xf0 | (point >> 18));
      feed(hash, 0x80 | ((point >> 12) & 63));
    }
    feed(hash, 0x80 | ((point >> 6) & 63));
  }
  feed(hash, 0x80 | (point & 63));
}

/** A signed 64-bit number, its lowest byte first. */
function feedNumber(hash: Hash, value: number): void {
  feedHalf(hash, value >>> 0);
  feedHalf(hash, Math.floor(value / HALF) >>> 0);
}

function feedHalf(hash: Hash, half: number): void {
  for (let shift = 0; shift < 32; shift += 8) feed(hash, (half >>> shift) & 255);
}

function hashOf(seed: string): Hash {
  const hash = { high: 0xcbf29ce4, low: 0x84222325 };
  feedText(hash, seed);
  return hash;
}

/** @param windowSeconds whole seconds above 0 */
export function spreadOf(seed: string, windowSeconds: number): Spread {
  const { high, low } = hashOf(seed);
  return { window: windowSeconds, high, low };
}

/** Seconds from a base slot to its slot, in [0, window). */
export function offsetOf(spread: Spread, baseSlot: number): number {
  const hash = { high: spread.high, low: spread.low };
  feedNumber(hash, baseSlot);
  const { window } = spread;
  // 16 bits at a time, so that no step leaves the exact integers.
  let rest = (hash.high >>> 0) % window;
  rest = (rest * 65_536 + (hash.low >>> 16)) % window;
  return (rest * 65_536 + (hash.low & 65_535)) % window;
}

/**
 * Seconds from a base slot to its slot (snapshot-schedule.md 2.6).
 * @param seed the schedule's uid
 * @param baseSlot seconds since the epoch, before jitter
 * @returns [0, windowSeconds); 0 if there is no window
 */
export function jitterOffset(seed: string, baseSlot: number, windowSeconds: number): number {
  return windowSeconds > 0 ? offsetOf(spreadOf(seed, windowSeconds), baseSlot) : 0;
}

/** First value and number of values of the five fields; the day ends at 28, which every month has. */
const HASHED = [
  [0, 60],
  [0, 24],
  [1, 28],
  [1, 12],
  [0, 7],
] as const;

/**
 * Puts a number for each field that is exactly `H` (snapshot-schedule.md 2.7).
 * @returns the five fields with single blanks, or the expression as it stands if it has not five fields
 */
export function substituteH(expression: string, seed: string): string {
  const fields = words(expression);
  if (fields.length !== HASHED.length) return expression;
  const hash = hashOf(seed);
  feedNumber(hash, 0);
  return fields
    .map((field, index) => {
      const [low, width] = HASHED[index] ?? [0, 1];
      return field === 'H' ? String(low + (rotated(hash, 7 * (index + 1)) % width)) : field;
    })
    .join(' ');
}

/** The expression with the first or the last value that `H` can stand for, field by field, or with all of them. */
export function boundH(expression: string, bound: 'first' | 'last' | 'all'): string {
  const fields = words(expression);
  if (fields.length !== HASHED.length) return expression;
  return fields
    .map((field, index) => {
      const [low, width] = HASHED[index] ?? [0, 1];
      const high = low + width - 1;
      if (field !== 'H') return field;
      return bound === 'all' ? `${low}-${high}` : String(bound === 'first' ? low : high);
    })
    .join(' ');
}

/** The hash rotated left, reduced to a number that leaves the same rest for every width of HASHED. */
function rotated(hash: Hash, bits: number): number {
  const wide = bits >= 32;
  const high = (wide ? hash.low : hash.high) >>> 0;
  const low = (wide ? hash.high : hash.low) >>> 0;
  const shift = bits & 31;
  const turnedHigh = ((high << shift) | (low >>> (32 - shift))) >>> 0;
  const turnedLow = ((low << shift) | (high >>> (32 - shift))) >>> 0;
  // 840 is the least common multiple of 60, 24, 28, 12 and 7.
  return ((turnedHigh % 840) * (HALF % 840) + turnedLow) % 840;
}
