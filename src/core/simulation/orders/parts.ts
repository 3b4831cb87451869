import type { Json, KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { PartEnd, PartPlay } from '#core/run/part-play.ts';
import type { Line } from '#core/simulation/course.ts';
import { formatInstant, type Instant, instant, later } from '#core/time/instant.ts';
import type { Diary } from './diary.ts';
import { endOfPart, type GivenEnd, type PartEnds } from './part-ends.ts';

/** An order on its way, with its parts as the API would hold them. */
export interface PlayedOrder {
  readonly id: string;
  readonly type: ResourceType;
  readonly uid: string | undefined;
  /** By which ends are given for its parts. */
  readonly names: readonly string[];
  /** How long a part takes for which nothing is given. */
  readonly seconds: number;
  /** The schedule that it counts for. */
  readonly line: Line | undefined;
  readonly diary: Diary;
  /** As the last write left it. */
  status: Json | undefined;
  /** By name. */
  readonly parts: Map<string, KubeObject>;
  /** By place: how many began there. */
  readonly begun: Map<number | undefined, number>;
}

interface Ending {
  readonly order: PlayedOrder;
  readonly name: string;
  readonly uid: string | undefined;
  readonly at: Instant;
  /** `stop`: it stops because it is being deleted · `restart`: what failed in it is started anew. */
  readonly end: PartEnd | 'stop' | 'restart';
}

/** Those who carry out parts, and when what they do is over. */
export interface Parts {
  readonly play: PartPlay;
  readonly ends: PartEnds;
  readonly tickAt: (at: Instant) => Instant;
  /** By the tick that sees them. */
  readonly endings: Map<Instant, Ending[]>;
  born: number;
}

export function openParts(play: PartPlay, ends: PartEnds, tickAt: Parts['tickAt']): Parts {
  return { play, ends, tickAt, endings: new Map(), born: 0 };
}

function schedule({ endings, tickAt }: Parts, ending: Ending): void {
  const tick = tickAt(ending.at);
  const known = endings.get(tick);
  if (known === undefined) endings.set(tick, [ending]);
  // Behind those of the same moment.
  else known.splice(known.findLastIndex(({ at }) => at <= ending.at) + 1, 0, ending);
}

/** How what begins now in a place comes out. */
function nextEnd({ ends }: Parts, order: PlayedOrder, place: number | undefined): GivenEnd {
  const before = order.begun.get(place) ?? 0;
  order.begun.set(place, before + 1);
  return endOfPart(ends, { names: order.names, place, before }, order.seconds);
}

function end(parts: Parts, order: PlayedOrder, part: KubeObject, at: Instant, given: PartEnd): void {
  const { name, uid } = part.metadata;
  schedule(parts, { order, name, uid, at, end: given });
}

/** A part that is created now begins at once. */
export function beginPart(parts: Parts, order: PlayedOrder, object: KubeObject, at: Instant): void {
  const { play } = parts;
  parts.born += 1;
  const metadata = {
    ...object.metadata,
    uid: `simulated-part-${parts.born}`,
    resourceVersion: '1',
    creationTimestamp: formatInstant(at),
  };
  const part = play.begun({ ...object, metadata }, at);
  order.parts.set(metadata.name, part);
  const state = play.read(part);
  order.diary.began(metadata.name, state, at);
  const given = nextEnd(parts, order, state.place);
  end(parts, order, part, instant(at + Math.max(1, given.seconds)), given.end);
}

/** One that is there from the beginning; what took longer than it should already gets its time once more. */
export function meetPart(parts: Parts, order: PlayedOrder, part: KubeObject, from: Instant): void {
  const { play } = parts;
  const { name } = part.metadata;
  const state = play.read(part);
  const { createdAt = from, endedAt = from, restartsAt } = state;
  order.parts.set(name, part);
  order.diary.began(name, state, createdAt);
  const isStopping = part.metadata.deletionTimestamp !== undefined;
  if (state.phase === 'running' && restartsAt !== undefined && !isStopping) {
    restartLater(parts, order, part, later(restartsAt, from));
    return;
  }
  const given = nextEnd(parts, order, state.place);
  if (state.phase !== 'running') order.diary.ended(name, state, endedAt);
  else if (isStopping) stopLater(parts, order, part, from);
  else {
    const seconds = Math.max(1, given.seconds);
    const since = state.restarts === 0 ? createdAt : (state.runsSince ?? createdAt);
    const at = instant(since + seconds);
    end(parts, order, part, at <= from ? instant(from + seconds) : at, given.end);
  }
}

/** What is deleted while something holds it up has stopped a second later. */
function stopLater(parts: Parts, order: PlayedOrder, part: KubeObject, at: Instant): void {
  const { name, uid } = part.metadata;
  order.diary.stopped(name, at);
  schedule(parts, { order, name, uid, at: instant(at + 1), end: 'stop' });
}

/** Until then it counts as not restarted: a limit of restarts is reached when the next start has come. */
function restartLater(parts: Parts, order: PlayedOrder, part: KubeObject, at: Instant): void {
  const { name, uid } = part.metadata;
  schedule(parts, { order, name, uid, at, end: 'restart' });
}

function restartPart(parts: Parts, order: PlayedOrder, part: KubeObject, at: Instant): void {
  const { play } = parts;
  const again = play.restarted(part, at);
  order.diary.restarted(part.metadata.name);
  order.parts.set(part.metadata.name, again);
  const { seconds, end: next } = nextEnd(parts, order, play.read(part).place);
  end(parts, order, again, instant(at + Math.max(1, seconds)), next);
}

/** Nothing holds a part any more that is deleted and over. */
function keepPart({ play }: Parts, order: PlayedOrder, part: KubeObject): void {
  const { name, deletionTimestamp, finalizers = [] } = part.metadata;
  const isOver = play.read(part).phase !== 'running';
  const isGone = isOver && deletionTimestamp !== undefined && finalizers.length === 0;
  if (isGone || play.isSpent(part)) order.parts.delete(name);
  else order.parts.set(name, part);
}

function endPart(parts: Parts, { order, name, at, end: given }: Ending, part: KubeObject): void {
  const { play } = parts;
  const isDeleted = part.metadata.deletionTimestamp !== undefined;
  if (given === 'stop' || isDeleted) {
    keepPart(parts, order, play.stopped(part, at));
    return;
  }
  if (given === 'restart') {
    restartPart(parts, order, part, at);
    return;
  }
  const waiting = play.failed(part, at, given);
  if (waiting !== undefined) {
    order.parts.set(name, waiting);
    restartLater(parts, order, waiting, play.read(waiting).restartsAt ?? at);
    return;
  }
  const over = play.ended(part, at, given);
  order.diary.ended(name, play.read(over), at);
  keepPart(parts, order, over);
}

/** What is started anew may be over by the same tick once more. */
function nextEnding({ endings }: Parts, tick: Instant): Ending | undefined {
  const due = endings.get(tick) ?? [];
  if (due.length === 0) endings.delete(tick);
  return due.shift();
}

/**
 * Ends the parts whose time is over by the tick.
 * @returns the orders of which some did
 */
export function endParts(parts: Parts, tick: Instant): ReadonlySet<PlayedOrder> {
  const touched = new Set<PlayedOrder>();
  for (let ending = nextEnding(parts, tick); ending !== undefined; ending = nextEnding(parts, tick)) {
    const part = ending.order.parts.get(ending.name);
    if (part === undefined || part.metadata.uid !== ending.uid) continue;
    if (parts.play.read(part).phase !== 'running') continue;
    endPart(parts, ending, part);
    touched.add(ending.order);
  }
  return touched;
}

/** The delete of a part takes effect at once, unless it is still to be counted. */
export function removePart(parts: Parts, order: PlayedOrder, name: string, at: Instant): void {
  const part = order.parts.get(name);
  if (part === undefined) return;
  const { finalizers = [], deletionTimestamp } = part.metadata;
  if (finalizers.length === 0) {
    order.diary.stopped(name, at);
    order.parts.delete(name);
  } else if (deletionTimestamp === undefined) {
    const stopping = parts.play.stopping(part, at);
    keepPart(parts, order, stopping);
    stopLater(parts, order, stopping, at);
  }
}

export function freePart(parts: Parts, order: PlayedOrder, name: string, freed: readonly string[]): void {
  const part = order.parts.get(name);
  if (part === undefined) return;
  const finalizers = (part.metadata.finalizers ?? []).filter((one) => !freed.includes(one));
  keepPart(parts, order, { ...part, metadata: { ...part.metadata, finalizers } });
}
