import { quoted } from '#api/shown-value.ts';

/** How many indexes a list names, or why it is none. */
export type IndexCount = { readonly count: number } | { readonly problem: string };

interface Interval {
  readonly first: number;
  readonly last: number;
}

const NUMBER = /^\+?\d+$/;

function parseIndex(text: string, completions: number): number | { readonly problem: string } {
  const value = Number(text);
  if (!NUMBER.test(text) || value > Number.MAX_SAFE_INTEGER) {
    return { problem: `cannot convert string to integer for index: ${quoted(text)}` };
  }
  return value >= completions ? { problem: `too large index: ${quoted(text)}` } : value;
}

function parseInterval(text: string, completions: number): Interval | { readonly problem: string } {
  const parts = text.split('-', 3);
  if (parts.length > 2) {
    const rule = "an index interval can have at most two parts separated by '-'";
    return { problem: `the fragment ${quoted(text)} violates the requirement that ${rule}` };
  }
  const first = parseIndex(parts[0] ?? '', completions);
  if (typeof first !== 'number') return first;
  if (parts[1] === undefined) return { first, last: first };
  const last = parseIndex(parts[1], completions);
  if (typeof last !== 'number') return last;
  if (first < last) return { first, last };
  return { problem: `non-increasing order, previous: ${first}, current: ${last}` };
}

/**
 * Reads a list of completion indexes such as `2,4,5,7-9` (job.md 2.8): ascending, below `completions`.
 * The problem is in the API server's words. An empty text names no index.
 */
export function countIndexes(text: string, completions: number): IndexCount {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous = -1;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if ('problem' in interval) return interval;
    if (previous >= interval.first) {
      return { problem: `non-increasing order, previous: ${previous}, current: ${interval.first}` };
    }
    count += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return { count };
}
