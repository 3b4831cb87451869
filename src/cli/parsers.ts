import { parseLabelSelector } from '#api/label-selector.ts';
import { dnsLabelProblem } from '#api/metadata.ts';
import type { Shard } from '#core/shard.ts';
import { parseDuration } from '#core/time/duration.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';

/** The labels of an object against the text that kubectl takes after `-l`. */
export type Selector = (labels: Readonly<Record<string, string>>) => boolean;

/** Ten years: far beyond any use, and far from overflow. */
const MOST_SECONDS = 315_360_000;
const MOST_COUNT = 1_000_000;
/** Each of them reads the whole cluster. */
const MOST_SHARDS = 100;
const DAY = 86_400;
const MOST_WINDOW = 92 * DAY;

// What these throw is put behind the flag and the value by the formatter of usage errors.

export function readInstant(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new Error('is not an RFC 3339 time such as 2026-11-29T03:00:00Z');
  return at;
}

/** @returns whole seconds */
export function readDuration(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new Error('is not a duration such as 90s, 5m or 1h30m');
  if (seconds > MOST_SECONDS) throw new Error('is too long: write at most 87600h, which is ten years');
  return seconds;
}

/** As a duration, and with days and weeks: `7d`, `2w`, `1d12h`. @returns whole seconds */
export function readSpan(text: string): number {
  const [, weeks = '0', days = '0', rest = ''] = /^(?:(\d{1,5})w)?(?:(\d{1,5})d)?(.*)$/.exec(text) ?? [];
  const isCalendar = /^\d{1,5}[wd]/.test(text);
  if (isCalendar && rest === '') return withinTenYears(Number(weeks) * 7 * DAY + Number(days) * DAY);
  const seconds = parseDuration(rest);
  if (seconds === undefined || (isCalendar && /^\d+$/.test(rest)))
    throw new Error('is not a length of time such as 12h, 7d, 2w or 1d12h');
  return withinTenYears(Number(weeks) * 7 * DAY + Number(days) * DAY + seconds);
}

/** Firings are compared one by one. */
export function readWindow(text: string): number {
  const seconds = readSpan(text);
  if (seconds > MOST_WINDOW) throw new Error('is too long: firings are compared over at most 92d');
  return seconds;
}

function withinTenYears(seconds: number): number {
  if (seconds === 0) throw new Error('is no time at all: write for example 7d');
  if (seconds > MOST_SECONDS) throw new Error('is too long: write at most 3650d, which is ten years');
  return seconds;
}

function readNumber(text: string, least: number): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= least && count <= MOST_COUNT))
    throw new Error(`is not a whole number from ${least} to ${MOST_COUNT}`);
  return count;
}

export function readCount(text: string): number {
  return readNumber(text, 0);
}

export function readPositive(text: string): number {
  return readNumber(text, 1);
}

/** One of several, from 0: `0/3`, `1/3` and `2/3` are all of three. */
export function readShard(text: string): Shard {
  const [, first = '', second = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const index = Number(first);
  const count = Number(second);
  if (second === '') throw new Error('is no shard such as 0/3, which is the first of three');
  if (count < 1 || count > MOST_SHARDS)
    throw new Error(`is no shard: there can be 1 to ${MOST_SHARDS} of them`);
  if (index >= count)
    throw new Error(`is no shard: they are counted from 0, so that the last one is ${count - 1}/${count}`);
  return { index, count };
}

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** Shards get a number behind it. */
const MOST_LEASE_NAME = 60;

/** The namespace is always named: two ticks that are to meet there may have different ones of their own. */
export function readLease(text: string): LeaseName {
  const [namespace = '', name = '', ...more] = text.split('/');
  const isNamed = [namespace, name].every((part) => dnsLabelProblem(part) === undefined);
  if (more.length > 0 || !isNamed || name.length > MOST_LEASE_NAME) {
    const rule = `a namespace and a name of at most ${MOST_LEASE_NAME} lower-case letters, digits and -`;
    throw new Error(`is no Lease such as minutehand/minutehand: write ${rule}`);
  }
  return { namespace, name };
}

export function readSelector(text: string): Selector {
  const parsed = parseLabelSelector(text);
  if ('problem' in parsed)
    throw new Error(
      `is no label selector: ${parsed.problem}; write for example app=web,tier in (a,b),!legacy`,
    );
  return parsed.matches;
}

export const NAMESPACE_FIX =
  'write at most 63 lower-case letters, digits and -, with a letter or digit at both ends';

/** One name, by the rule of the API. */
export function readNamespace(text: string): string {
  if (text === '') return readText(text);
  if (text.includes(',')) {
    throw new Error(
      'is no name of a namespace: write one, or several as `namespaces: [a, b]` in the configuration',
    );
  }
  if (dnsLabelProblem(text) !== undefined) throw new Error(`is no name of a namespace: ${NAMESPACE_FIX}`);
  return text;
}

/** The first lines of a comment have to fit in any case. */
export function readCommentLimit(text: string): number {
  return readNumber(text, 4000);
}

/** Text that must not be empty, such as a path. */
export function readText(text: string): string {
  if (text === '') throw new Error('is empty: write a value, or leave it out');
  return text;
}
