/** Indexes from `first` to `last`, both included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** A set of indexes as ascending intervals that neither touch nor overlap: its size is that of its gaps. */
export type Intervals = readonly Interval[];

const NUMBER = /^\+?\d+$/;

export const NO_INDEXES: Intervals = [];

/** The interval that a part of a list names, without what lies at or above the end. */
function readPart(part: string, end: number): Interval | undefined {
  const [from = '', to = from] = part.split('-');
  if (!NUMBER.test(from) || !NUMBER.test(to)) return undefined;
  const first = Number(from);
  const last = Math.min(Number(to), end - 1);
  return first > last ? undefined : { first, last };
}

/** Reads `2,4,5,7-9`; what cannot be read, and what is at or above the end, is left out (job.md 2.8). */
export function parseIntervals(text: string, end: number): Intervals {
  if (text === '') return NO_INDEXES;
  const parts = text.split(',').map((part) => readPart(part, end));
  const read = parts.filter((part) => part !== undefined);
  return joined(read.sort((a, b) => a.first - b.first));
}

/** Of intervals that are ordered by their beginning. */
function joined(ordered: readonly Interval[]): Intervals {
  const result: Interval[] = [];
  for (const next of ordered) {
    const before = result.at(-1);
    if (before === undefined || next.first > before.last + 1) result.push(next);
    else if (next.last > before.last) result[result.length - 1] = { first: before.first, last: next.last };
  }
  return result;
}

export function union(...sets: readonly Intervals[]): Intervals {
  return joined(sets.flat().sort((a, b) => a.first - b.first));
}

export function intervalsOf(indexes: Iterable<number>): Intervals {
  return joined([...indexes].sort((a, b) => a - b).map((index) => ({ first: index, last: index })));
}

export function sizeOf(intervals: Intervals): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function hasIndex(intervals: Intervals, index: number): boolean {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle]?.last ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  const found = intervals[low];
  return found !== undefined && found.first <= index;
}

/** How many indexes two sets have in common. */
export function commonSize(a: Intervals, b: Intervals): number {
  let common = 0;
  let j = 0;
  for (const { first, last } of a) {
    while (j < b.length && (b[j]?.last ?? 0) < first) j++;
    for (let k = j; k < b.length; k++) {
      const other = b[k];
      if (other === undefined || other.first > last) break;
      common += Math.min(last, other.last) - Math.max(first, other.first) + 1;
    }
  }
  return common;
}

/** The lowest indexes below the end that are not in the set. */
export function firstAbsent(intervals: Intervals, count: number, end: number): readonly number[] {
  const absent: number[] = [];
  let candidate = 0;
  for (const { first, last } of intervals) {
    while (candidate < Math.min(first, end) && absent.length < count) absent.push(candidate++);
    candidate = Math.max(candidate, last + 1);
  }
  while (candidate < end && absent.length < count) absent.push(candidate++);
  return absent;
}

function partText({ first, last }: Interval): string {
  if (first === last) return `${first}`;
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}

/** `2,4,5,7-9`: two in a row with a comma, three and more with a hyphen. */
export function formatIntervals(intervals: Intervals): string {
  return intervals.map(partText).join(',');
}
