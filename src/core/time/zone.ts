import { IANAZone } from 'luxon';
import { formatInstant, type Instant, instant } from './instant.ts';

/** Segments of constant offset that touch each other: segment i runs from `starts[i]` to `starts[i + 1]` or `to`. */
export interface ZoneSpan {
  from: number;
  to: number;
  starts: number[];
  /** Seconds east of UTC. */
  offsets: number[];
  /** The latest local second that any segment before this one reached; what lies above it is new to the clock. */
  reached: number[];
}

/** What is known of a zone grows with the questions; every answer is the same whatever was asked before. */
export interface Zone {
  readonly name: string;
  /** Apart from each other, in order of time. */
  readonly spans: ZoneSpan[];
  /** Index of the span that answered last. */
  last: number;
  readonly offset: (seconds: number) => number;
}

const DAY = 86_400;
/** A weekly scan misses real transitions in five zones (cron.md 4). */
const STEP = 6 * DAY;
/** Transitions of the last fifty years lie on this grid; older ones are found to the second. */
const GRID = 900;
/** About seven months: what a span takes in on each side at a time. */
const CHUNK = 36 * STEP;
/** In 1800; the first transition of the database is of 1844. */
const EARLIEST = -10_349 * STEP;
const FOREVER = 1e13;
/** A span begins at least this long before what it is asked for, so that `reached` is right there. */
const MARGIN = 3 * DAY;

const FIXED = /^(Etc\/.+|UTC|UCT|GMT.*|Greenwich|Universal|Zulu)$/;
const zones = new Map<string, Zone>();

/**
 * The zone of that name, shared by all that ask.
 * @param name checked by `zoneNameProblem`
 * @throws RangeError if the runtime does not know it
 */
export function openZone(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = freshZone(name);
  zones.set(name, zone);
  return zone;
}

/** The zone of that name if somebody opened it before. */
export function openedZone(name: string): Zone | undefined {
  return zones.get(name);
}

function freshZone(name: string): Zone {
  const source = new IANAZone(name);
  if (!source.isValid) throw new RangeError(`unknown time zone ${name}`);
  const offset = (seconds: number) => Math.round(source.offset(seconds * 1000) * 60);
  const spans = FIXED.test(name)
    ? [{ from: -FOREVER, to: FOREVER, starts: [-FOREVER], offsets: [offset(0)], reached: [-FOREVER] }]
    : [];
  return { name, spans, last: 0, offset };
}

/** The span that covers an instant and the days before it; it is made or made longer where that is needed. */
export function spanAt(zone: Zone, at: number): ZoneSpan {
  const last = zone.spans[zone.last];
  if (last !== undefined && at < last.to && at - MARGIN >= last.from) return last;
  return findSpan(zone, at);
}

function findSpan(zone: Zone, at: number): ZoneSpan {
  const spans = zone.spans;
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? FOREVER) + MARGIN <= at) low = middle + 1;
    else high = middle;
  }
  const before = spans[low - 1];
  const after = spans[low];
  if (before !== undefined && at - before.to < CHUNK) {
    zone.last = low - 1;
    if (at >= before.to) addLater(zone, before, before.to + CHUNK);
    return before;
  }
  zone.last = low;
  if (after !== undefined && after.from - at < CHUNK) {
    addEarlier(zone, after, Math.min(after.from - CHUNK, at - MARGIN));
    return after;
  }
  const from = startOfScan(at - CHUNK);
  const span: ZoneSpan = { from, to: from, starts: [], offsets: [], reached: [] };
  addLater(zone, span, Math.max(at + CHUNK, EARLIEST));
  spans.splice(low, 0, span);
  return span;
}

/** Before the first transition of the database nothing ever changed: there a span has no beginning. */
function startOfScan(wanted: number): number {
  return wanted < EARLIEST ? -FOREVER : Math.floor(wanted / STEP) * STEP;
}

function addLater(zone: Zone, span: ZoneSpan, to: number): void {
  scan(zone, span, Math.max(span.to, EARLIEST), to);
  note(span);
}

function addEarlier(zone: Zone, span: ZoneSpan, wanted: number): void {
  const from = startOfScan(wanted);
  const earlier: ZoneSpan = { from, to: from, starts: [], offsets: [], reached: [] };
  scan(zone, earlier, Math.max(from, EARLIEST), span.from);
  const same = earlier.offsets[earlier.offsets.length - 1] === span.offsets[0] ? 1 : 0;
  span.from = from;
  span.starts = [...earlier.starts, ...span.starts.slice(same)];
  span.offsets = [...earlier.offsets, ...span.offsets.slice(same)];
  note(span);
}

/** Appends the segments between two instants of the grid to a span. */
function scan(zone: Zone, span: ZoneSpan, from: number, to: number): void {
  let before = span.offsets[span.offsets.length - 1];
  if (before === undefined) {
    before = zone.offset(from);
    span.starts.push(span.from);
    span.offsets.push(before);
  }
  let at = from;
  for (; at < to; at += STEP) {
    const after = zone.offset(at + STEP);
    for (let left = at; before !== after; ) {
      left = someChange(zone, left, at + STEP, before);
      before = zone.offset(left);
      span.starts.push(left);
      span.offsets.push(before);
    }
  }
  span.to = at;
}

/** An instant in (low, high] at which the offset stops to be `before`, which it is at `low` and is not at `high`. */
function someChange(zone: Zone, low: number, high: number, before: number): number {
  let left = low;
  let right = high;
  for (let grain = GRID; ; grain = 1) {
    while (right - left > grain) {
      const middle = left + (Math.ceil((right - left) / grain) >> 1) * grain;
      if (zone.offset(middle) === before) left = middle;
      else right = middle;
    }
    if (right - left === 1 || zone.offset(right - 1) === before) return right;
  }
}

function note(span: ZoneSpan): void {
  span.reached = [];
  let reached = -FOREVER;
  for (let index = 0; index < span.starts.length; index++) {
    const previous = span.offsets[index - 1];
    if (previous !== undefined) reached = Math.max(reached, (span.starts[index] ?? 0) + previous);
    span.reached.push(reached);
  }
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

/** Seconds east of UTC. */
export function offsetAt(zone: Zone, at: Instant): number {
  const span = spanAt(zone, at);
  return span.offsets[segmentAt(span, at)] ?? 0;
}

/** RFC 3339 with the zone's offset, as Go prints it: `Z` for 0, seconds of old offsets left out. */
export function formatLocal(zone: Zone, at: Instant): string {
  const offset = offsetAt(zone, at);
  const local = formatInstant(instant(at + offset));
  if (offset === 0) return local;
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const digits = [Math.trunc(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${local.slice(0, -1)}${offset < 0 ? '-' : '+'}${digits.join(':')}`;
}

/** A change of a zone's offset; offsets are seconds east of UTC. */
export interface Transition {
  /** The first instant with the new offset. */
  readonly at: Instant;
  readonly before: number;
  readonly after: number;
}

/** The changes in (after, upTo], in order. */
export function transitionsBetween(zone: Zone, after: Instant, upTo: Instant): readonly Transition[] {
  const found: Transition[] = [];
  for (let at: number = after; at < upTo; ) {
    const span = spanAt(zone, at);
    const index = segmentAt(span, at);
    const end = span.starts[index + 1];
    const next = end ?? span.to;
    if (next <= upTo && end !== undefined) {
      found.push({ at: instant(end), before: span.offsets[index] ?? 0, after: span.offsets[index + 1] ?? 0 });
    }
    at = next;
  }
  return found;
}
