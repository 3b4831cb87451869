import { IANAZone } from 'luxon';
import { formatInstant, type Instant, instant } from './instant.ts';
import { fixedSpan, segmentAt, spanAt, type ZoneTable } from './zone-span.ts';

/**
 * A zone by its name as written, with what is known of it. The table grows with the questions; every answer is the
 * same whatever was asked before.
 */
export interface Zone extends ZoneTable {
  readonly name: string;
}

const FIXED = /^(?:Etc\/)?(?:UTC|UCT|GMT0?|GMT([+-])(\d{1,2})|Greenwich|Universal|Zulu)$/;
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

/** The offset of a zone that never changes, whose name says it; `Etc/GMT+5` lies five hours west. */
function fixedOffset(name: string): number | undefined {
  const match = FIXED.exec(name);
  if (match === null) return undefined;
  const hours = Number(match[2] ?? 0);
  return match[1] === '+' ? -3600 * hours : 3600 * hours;
}

/** The runtime is asked only where the name does not say all: its first answer costs half a start of this program. */
function freshZone(name: string): Zone {
  const fixed = fixedOffset(name);
  if (fixed !== undefined) return { name, spans: [fixedSpan(fixed)], last: 0, offset: () => fixed };
  const source = new IANAZone(name);
  if (!source.isValid) throw new RangeError(`unknown time zone ${name}`);
  return { name, spans: [], last: 0, offset: (seconds) => Math.round(source.offset(seconds * 1000) * 60) };
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
