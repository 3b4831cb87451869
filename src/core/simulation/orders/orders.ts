import { compareText, keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { referentsOf } from '#core/referents.ts';
import type { Driver, Work } from '#core/run/driver.ts';
import type { PartPlay } from '#core/run/part-play.ts';
import { openAgenda } from '#core/simulation/agenda.ts';
import type { Course, Line } from '#core/simulation/course.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { NOTHING_LIVE } from '#core/works.ts';
import { type OrderAccount, openDiary } from './diary.ts';
import type { SpanRoom } from './kept-spans.ts';
import type { PartEnds } from './part-ends.ts';
import { endParts, meetPart, openParts, type Parts, type PlayedOrder } from './parts.ts';
import { writeWork } from './write-work.ts';

export interface GivenOrder {
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** Of one that is over already. */
  readonly over?: Work;
}

/** Orders whose parts are played. */
export interface PlayedOrders {
  readonly driver: Driver;
  readonly play: PartPlay;
  /** Those that are there from the beginning, and everything of them. */
  readonly orders: readonly GivenOrder[];
  readonly parts: readonly KubeObject[];
  readonly ends: PartEnds;
}

/** The orders of a simulation, beside its schedules. */
export interface Orders {
  /** Whether the run is an order that is carried out here: then nothing else ends it. */
  readonly plays: (run: KubeObject) => boolean;
  /** Made by a tick, so that the next one is the first to see it; or there from the beginning. */
  readonly add: (order: GivenOrder, line: Line | undefined, at: Instant) => void;
  /** Something was done to it. */
  readonly wake: (id: string, tick: Instant) => void;
  /** Ends parts whose time is over by the tick, before it is decided. */
  readonly endParts: (tick: Instant) => void;
  /** @returns whether there was anything to decide */
  readonly decide: (tick: Instant) => boolean;
  readonly close: (until: Instant) => readonly OrderAccount[];
}

/** Spans of all orders together. */
const MOST_SPANS = 5000;

/** As they were made: each takes its turn among the ends that are given. */
function inTheirTurn(parts: readonly KubeObject[]): readonly KubeObject[] {
  const made = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return [...parts].sort((a, b) => compareText(made(a), made(b)));
}

export function openOrders(course: Omit<Course, 'orders'>, played: PlayedOrders): Orders {
  const { world, input, tickAt } = course;
  const { driver, play, ends } = played;
  const agenda = openAgenda();
  const room: SpanRoom = { left: MOST_SPANS };
  const all: PlayedOrder[] = [];
  const open = new Map<string, PlayedOrder>();
  const parts: Parts = openParts(play, ends, tickAt);
  const found = Map.groupBy(played.parts, (part) => controllerOf(part)?.uid);

  function add({ object, type, over }: GivenOrder, line: Line | undefined, at: Instant): void {
    const key: ObjectKey = keyOf(object);
    const id = keyId(key);
    const schedule = line?.changes.key;
    const made = timeOf(readTimeValue(object.metadata.creationTimestamp));
    const subject = {
      type,
      key,
      seen: at,
      ...(made === undefined ? {} : { made }),
      ...(schedule === undefined ? {} : { schedule }),
    };
    const owner = controllerOf(object)?.name;
    const order: PlayedOrder = {
      id,
      type,
      uid: object.metadata.uid,
      names: [key.name, ...(owner === undefined ? [] : [owner])],
      seconds: line?.duration?.seconds ?? ends.seconds,
      line,
      diary: openDiary(subject, room),
      status: object.status,
      parts: new Map(),
      begun: new Map(),
    };
    if (over !== undefined) order.diary.decided(at, over);
    open.get(id)?.diary.gone(at);
    all.push(order);
    open.set(id, order);
    for (const part of inTheirTurn(found.get(order.uid) ?? [])) meetPart(parts, order, part, at);
    agenda.wake(id, tickAt(at));
  }

  /** The order as it stands; undefined once it is gone, or another has its name. */
  function standing({ id, type, uid }: PlayedOrder): KubeObject | undefined {
    const object = world.run(typeId(type), id);
    return object?.metadata.uid === uid ? object : undefined;
  }

  function leave(order: PlayedOrder, at: Instant): void {
    order.diary.gone(at);
    order.parts.clear();
    if (open.get(order.id) === order) open.delete(order.id);
  }

  function decideWorks(due: readonly PlayedOrder[], now: Instant): readonly Work[] {
    const byType = Map.groupBy(due, ({ type }) => typeId(type));
    const observed: Observed = new Map(
      [...byType].map(([type, orders]) => {
        const objects = orders.flatMap((order) => standing(order) ?? []).map((object) => ({ object }));
        return [type, { state: 'read', objects }];
      }),
    );
    const objects = due.flatMap((order) => [...order.parts.values()]);
    const live = { ...NOTHING_LIVE, labelled: () => ({ state: 'read', objects }) as const };
    const referents = referentsOf(observed);
    return driver.works({ observed, referents, settings: input.settings, now, live });
  }

  /** When the order is to be looked at again. */
  function lookAhead(order: PlayedOrder, { state, turns = [] }: Work, tick: Instant): void {
    // The order stays: its schedule may delete it some day.
    if (state === 'finished' && turns.length === 0) order.parts.clear();
    const soonest = instant(tick + 1);
    for (const { at } of turns) agenda.wake(order.id, tickAt(at > tick ? at : soonest));
  }

  function settle(order: PlayedOrder, work: Work, tick: Instant): void {
    const { steps, state } = work;
    order.diary.decided(tick, work);
    if (state === 'succeeded' || state === 'failed') order.line?.ledger.ended(tick, state === 'succeeded');
    const next = tickAt(instant(tick + 1));
    switch (writeWork({ course, parts, order, next }, steps, tick)) {
      case 'deleted':
        leave(order, tick);
        break;
      case 'written':
        agenda.wake(order.id, next);
        break;
      case 'nothing':
        lookAhead(order, work, tick);
        break;
    }
  }

  return {
    plays: play.isPlayed,
    add,
    wake: (id, tick) => {
      if (open.has(id)) agenda.wake(id, tick);
    },
    endParts: (tick) => {
      for (const order of endParts(parts, tick)) agenda.wake(order.id, tick);
    },
    decide(tick) {
      const due: PlayedOrder[] = [];
      for (const id of agenda.take(tick)) {
        const order = open.get(id);
        if (order === undefined) continue;
        if (standing(order) === undefined) leave(order, tick);
        else due.push(order);
      }
      if (due.length === 0) return false;
      for (const work of decideWorks(due, tick)) {
        const order = open.get(keyId(keyOf(work.source.object)));
        if (order !== undefined) settle(order, work, tick);
      }
      return true;
    },
    close: (until) => all.map(({ diary, status }) => ({ ...diary.close(until), status })),
  };
}
