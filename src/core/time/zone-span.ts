/*
 * What is known of a zone: spans of time, apart from each other, each a table of segments of constant offset. A span
 * is made where somebody asks and made longer when somebody asks beside it, so that a daily schedule costs a few
 * weeks of scanning, and a date years away costs only the weeks around it.
 */

/** Segments that touch each other: segment i runs from `starts[i]` to `starts[i + 1]` or `to`. */
export interface ZoneSpan {
  from: number;
  to: number;
  starts: number[];
  /** Seconds east of UTC. */
  offsets: number[];
  /** The latest local second that any segment before this one reached; what lies above it is new to the clock. */
  reached: number[];
}

/** Spans in order of time, and where to ask for what they do not hold. */
export interface ZoneTable {
  readonly spans: ZoneSpan[];
  /** Index of the span that answered last. */
  last: number;
  /** Seconds east of UTC at an instant: slow. */
  readonly offset: (seconds: number) => number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A weekly scan misses real transitions in five zones (cron.md 4). */
const STEP = 6 * DAY;
/** Transitions of the last fifty years lie on this grid but for a few; those are found to the second as well. */
const GRID = 900;
/** The first span reaches this far on either side: enough for the slots of a month. */
const FIRST_REACH = 6 * STEP;
/** A span nearer than this is made longer; further away a new one is cheaper. */
const NEAR = STEP;
/** The most that a span is made longer at a time. */
const MOST_GROWTH = 36 * STEP;
/** In 1800; the first transition of the database is of 1844. */
const EARLIEST = -10_349 * STEP;
/**
 * A span begins at least this long before what it is asked for: a search looks back by less than a day and a half
 * from there, and no clock was ever put back by more than a day, so that `reached` is right.
 */
const MARGIN = 60 * HOUR;
const FOREVER = 1e13;

/** The one segment of a zone that never changes. */
export function fixedSpan(offset: number): ZoneSpan {
  return { from: -FOREVER, to: FOREVER, starts: [-FOREVER], offsets: [offset], reached: [-FOREVER] };
}

/** The span that covers an instant and the days before it; it is made or made longer where that is needed. */
export function spanAt(table: ZoneTable, at: number): ZoneSpan {
  const last = table.spans[table.last];
  if (last !== undefined && at < last.to && at - MARGIN >= last.from) return last;
  table.last = indexOfSpan(table, at);
  return table.spans[table.last] ?? fixedSpan(table.offset(at));
}

/** Index of the segment that holds an instant of the span. */
export function segmentAt(span: ZoneSpan, at: number): number {
  const starts = span.starts;
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? FOREVER) <= at) low = middle;
    else high = middle;
  }
  return low;
}

function indexOfSpan(table: ZoneTable, at: number): number {
  const { spans } = table;
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? FOREVER) + MARGIN <= at) low = middle + 1;
    else high = middle;
  }
  const before = spans[low - 1];
  const after = spans[low];
  if (before !== undefined && at < before.to) return low - 1;
  const late = before === undefined ? FOREVER : at - before.to;
  const early = after === undefined ? FOREVER : after.from - at;
  if (before !== undefined && late < NEAR && late <= early) {
    growLater(table, low - 1, Math.max(at + STEP, before.to + growth(before)));
    return low - 1;
  }
  if (after !== undefined && early < NEAR) return growEarlier(table, low, at);
  spans.splice(low, 0, newSpan(table, at));
  return low;
}

function newSpan(table: ZoneTable, at: number): ZoneSpan {
  const first = table.spans.length === 0;
  const span = emptySpan(startOfScan(at - (first ? FIRST_REACH : MARGIN)));
  scan(table, span, first ? at + FIRST_REACH : Math.max(span.from, EARLIEST) + STEP);
  return span;
}

function emptySpan(from: number): ZoneSpan {
  return { from, to: from, starts: [], offsets: [], reached: [] };
}

/** Before the first transition of the database nothing ever changed: there a span has no beginning. */
function startOfScan(wanted: number): number {
  return wanted < EARLIEST ? -FOREVER : Math.floor(wanted / DAY) * DAY;
}

/** An eighth of its length: a walk along the years scans each step once and lengthens the tables seldom. */
function growth(span: ZoneSpan): number {
  return Math.min(MOST_GROWTH, (span.to - Math.max(span.from, EARLIEST)) / 8);
}

/** Makes a span reach `to`, or joins it to the next one if that is nearer. */
function growLater(table: ZoneTable, index: number, to: number): void {
  const span = table.spans[index];
  const next = table.spans[index + 1];
  if (span === undefined) return;
  if (next === undefined || to < next.from) {
    scan(table, span, to);
    return;
  }
  scanUpTo(table, span, next);
  table.spans.splice(index + 1, 1);
}

/** Makes a span begin before `at`, or joins it to the one before it if that is nearer. */
function growEarlier(table: ZoneTable, index: number, at: number): number {
  const span = table.spans[index];
  const previous = table.spans[index - 1];
  if (span === undefined) return index;
  const from = startOfScan(Math.min(at - MARGIN, span.from - growth(span)));
  const joined = previous !== undefined && from <= previous.to;
  const earlier = joined ? previous : emptySpan(from);
  scanUpTo(table, earlier, span);
  table.spans.splice(joined ? index - 1 : index, joined ? 2 : 1, earlier);
  return joined ? index - 1 : index;
}

/** Scans from the end of a span to the next one and makes one of both. */
function scanUpTo(table: ZoneTable, span: ZoneSpan, next: ZoneSpan): void {
  scan(table, span, next.from, next.offsets[0]);
  const same = span.offsets[span.offsets.length - 1] === next.offsets[0] ? 1 : 0;
  span.starts = [...span.starts, ...next.starts.slice(same)];
  span.offsets = [...span.offsets, ...next.offsets.slice(same)];
  span.to = next.to;
  note(span);
}

/** Appends what lies between the end of a span and an instant, in whole days. */
function scan(table: ZoneTable, span: ZoneSpan, to: number, known?: number): void {
  const end = Math.ceil(to / DAY) * DAY;
  let at = Math.max(span.to, EARLIEST);
  let before = span.offsets[span.offsets.length - 1] ?? append(span, span.from, table.offset(at));
  while (at < end) {
    const next = Math.min(at + STEP, end);
    const after = next === end && known !== undefined ? known : table.offset(next);
    for (let left = at; before !== after; ) {
      left = someChange(table, left, next, before);
      before = append(span, left, left === next ? after : table.offset(left));
    }
    at = next;
  }
  span.to = at;
  note(span);
}

function append(span: ZoneSpan, start: number, offset: number): number {
  span.starts.push(start);
  span.offsets.push(offset);
  return offset;
}

/** An instant in (low, high] at which the offset stops to be `before`, which it is at `low` and is not at `high`. */
function someChange(table: ZoneTable, low: number, high: number, before: number): number {
  const isBefore = (seconds: number) => table.offset(seconds) === before;
  let left = low;
  let right = high;
  // Most clocks change on a Sunday, at 01:00 UTC or at 02:00 by themselves. The epoch was a Thursday.
  const sunday = Math.floor((right - 1 - 3 * DAY) / (7 * DAY)) * 7 * DAY + 3 * DAY;
  for (const guess of [sunday + HOUR, sunday + 2 * HOUR - before]) {
    if (guess <= left || guess > right) continue;
    if (guess < right && isBefore(guess)) left = guess;
    else if (isBefore(guess - 1)) return guess;
    else right = guess - 1;
  }
  for (const grain of [DAY, GRID]) [left, right] = narrow(isBefore, left, right, grain);
  return isBefore(right - 1) ? right : narrow(isBefore, left, right, 1)[1];
}

/** Halves an interval, at whole grains from its left end, until it is no longer than a grain. */
function narrow(
  isBefore: (seconds: number) => boolean,
  low: number,
  high: number,
  grain: number,
): [left: number, right: number] {
  let left = low;
  let right = high;
  while (right - left > grain) {
    const middle = left + (Math.ceil((right - left) / grain) >> 1) * grain;
    if (isBefore(middle)) left = middle;
    else right = middle;
  }
  return [left, right];
}

/** Brings `reached` up to the segments. */
function note(span: ZoneSpan): void {
  for (let index = span.reached.length; index < span.starts.length; index++) {
    const previous = span.offsets[index - 1];
    const end = previous === undefined ? -FOREVER : (span.starts[index] ?? 0) + previous;
    span.reached.push(Math.max(span.reached[index - 1] ?? -FOREVER, end));
  }
}
