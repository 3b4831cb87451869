import type { Firing } from './firings.ts';

/** Positions in two lists that are in the order of time. */
export interface Pair {
  readonly from: number;
  readonly to: number;
}

const HOUR = 3600;
/** Further apart they are two firings, and none that moved. */
const FARTHEST = 12 * HOUR;
/** On one day in UTC, where people see one firing that moved; beyond that the one of the day beside it is meant. */
const FARTHEST_ON_A_DAY = 18 * HOUR;
/** So many on either side of the nearest one are looked at. */
const REACH = 16;

type Times = readonly number[];

function dayOf(time: number): number {
  return Math.floor(time / (24 * HOUR));
}

function mayPair(one: number, other: number): boolean {
  const distance = Math.abs(one - other);
  return distance <= FARTHEST || (distance <= FARTHEST_ON_A_DAY && dayOf(one) === dayOf(other));
}

/** As many pairs as there can be, each as early as it can be, or as late. */
function mostPairs(from: Times, to: Times, step: 1 | -1): readonly Pair[] {
  const pairs: Pair[] = [];
  let i = step === 1 ? 0 : from.length - 1;
  let j = step === 1 ? 0 : to.length - 1;
  for (;;) {
    const [one, other] = [from[i], to[j]];
    if (one === undefined || other === undefined) break;
    const isPair = mayPair(one, other);
    if (isPair) pairs.push({ from: i, to: j });
    if (isPair || (other - one) * step > 0) i += step;
    if (isPair || (other - one) * step < 0) j += step;
  }
  return step === 1 ? pairs : pairs.reverse();
}

interface Choice {
  /** For the last one of the few: which of the many, at what distance of all so far. */
  readonly at: number;
  readonly sum: number;
  readonly before: Choice | undefined;
}

/** Where each of the few may lie among the many, narrowed to what is near. */
function nearby(few: Times, many: Times, windows: readonly Pair[]): readonly Pair[] {
  let near = 0;
  let taken = -1;
  return windows.map(({ from, to }, index) => {
    const own = few[index] ?? 0;
    const distance = (at: number): number => Math.abs((many[at] ?? Number.POSITIVE_INFINITY) - own);
    while (distance(near + 1) < distance(near)) near += 1;
    taken = Math.min(to, Math.max(from, near, taken + 1));
    return { from: Math.max(from, taken - REACH), to: Math.min(to, taken + REACH) };
  });
}

/** What one of the few can get behind what those before it can, each at the least distance so far. */
function choicesFor(
  own: number,
  many: Times,
  { from, to }: Pair,
  row: readonly Choice[] | undefined,
): readonly Choice[] {
  const choices: Choice[] = [];
  let before: Choice | undefined;
  let seen = 0;
  for (let at = from; at <= to; at += 1) {
    for (let one = row?.[seen]; one !== undefined && one.at < at; one = row?.[seen]) {
      if (before === undefined || one.sum < before.sum) before = one;
      seen += 1;
    }
    if (row !== undefined && before === undefined) continue;
    choices.push({ at, sum: (before?.sum ?? 0) + Math.abs((many[at] ?? 0) - own), before });
  }
  return choices;
}

/** Each of the few gets one of the many, in their order and at the least distance in all. */
function nearest(few: Times, many: Times, windows: readonly Pair[]): readonly number[] {
  let row: readonly Choice[] | undefined;
  for (const [index, window] of nearby(few, many, windows).entries())
    row = choicesFor(few[index] ?? 0, many, window, row);
  const chosen: number[] = [];
  let last = row?.reduce((best, one) => (one.sum < best.sum ? one : best));
  for (; last !== undefined; last = last.before) chosen.push(last.at);
  return chosen.reverse();
}

interface Span {
  readonly early: Pair;
  readonly late: Pair;
}

/** Pairs of which one side is settled, the other somewhere between the earliest and the latest. */
function settle(spans: readonly Span[], from: Times, to: Times): readonly Pair[] {
  const isFree = spans.some(({ early, late }) => early.from !== late.from);
  const windows = spans.map(({ early, late }) =>
    isFree ? { from: early.from, to: late.from } : { from: early.to, to: late.to },
  );
  const settled = spans.map(({ early }) => (isFree ? early.to : early.from));
  const times = settled.map((at) => (isFree ? to : from)[at] ?? 0);
  return nearest(times, isFree ? from : to, windows).map((at, index) => {
    const own = settled[index] ?? 0;
    return isFree ? { from: at, to: own } : { from: own, to: at };
  });
}

/**
 * Which firings that went and which new ones are one that moved: as few as can be stay without a partner, then the
 * distances are the least in all, in the order of time and never crossing. Partners lie within twelve hours, on one day
 * in UTC within eighteen. The cost grows with the number of firings: of the many that one can go to, those near the
 * nearest are weighed.
 *
 * Where there are most pairs, the nth of them lies between the nth of the earliest and the nth of the latest; of a part
 * of the list that has too many on one side, all of the other have a partner, so that only one of the two is open.
 */
export function pairFirings(gone: readonly Firing[], fresh: readonly Firing[]): readonly Pair[] {
  const from = gone.map(({ slot }) => slot);
  const to = fresh.map(({ slot }) => slot);
  const late = mostPairs(from, to, -1);
  const parts: Span[][] = [];
  let wasFree: boolean | undefined;
  for (const [index, early] of mostPairs(from, to, 1).entries()) {
    const span = { early, late: late[index] ?? early };
    const isFree = span.early.from !== span.late.from;
    if (isFree === wasFree) parts.at(-1)?.push(span);
    else parts.push([span]);
    wasFree = isFree;
  }
  return parts.flatMap((spans) => settle(spans, from, to));
}
