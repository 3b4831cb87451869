import { parseLabelSelector } from '#api/label-selector.ts';
import { parseDuration } from '#core/time/duration.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';

/** The labels of an object against the text that kubectl takes after `-l`. */
export type Selector = (labels: Readonly<Record<string, string>>) => boolean;

/** Ten years: far beyond any use, and far from overflow. */
const MOST_SECONDS = 315_360_000;
const MOST_COUNT = 1_000_000;

// What these throw is put behind the flag and the value by the formatter of usage errors.

export function readInstant(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new Error('write an RFC 3339 time, such as 2026-11-29T03:00:00Z');
  return at;
}

/** @returns whole seconds */
export function readDuration(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new Error('write a duration such as 90s, 5m or 1h30m');
  if (seconds > MOST_SECONDS) throw new Error('write at most 87600h, which is ten years');
  return seconds;
}

export function readCount(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= MOST_COUNT)) throw new Error(`write a whole number from 0 to ${MOST_COUNT}`);
  return count;
}

export function readPositive(text: string): number {
  const count = readCount(text);
  if (count === 0) throw new Error('write 1 or more');
  return count;
}

export function readSelector(text: string): Selector {
  const parsed = parseLabelSelector(text);
  if ('problem' in parsed)
    throw new Error(`${parsed.problem}; write for example app=web,tier in (a,b),!legacy`);
  return parsed.matches;
}

/** Text that must not be empty: a path, a namespace. */
export function readText(text: string): string {
  if (text === '') throw new Error('write a value, or leave the flag out');
  return text;
}
