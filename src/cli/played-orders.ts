import { keyId } from '#core/object/key.ts';
import { controllerOf } from '#core/object/owner.ts';
import { typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';
import type { OrderAccount } from '#core/simulation/orders/diary.ts';
import type { PlayedOrders } from '#core/simulation/orders/orders.ts';
import type { PartEnds } from '#core/simulation/orders/part-ends.ts';
import type { Simulation } from '#core/simulation/simulate.ts';
import { DRIVERS } from '#drivers/index.ts';
import { escapeText } from '#render/escape-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type ObjectRef, objectsNamed, readOrderRef, severalText } from './find-schedule.ts';
import type { Sight } from './look.ts';

/** The driver whose orders are carried out by parts that can be played, if it acts here. */
function playingDriver({ tick }: Sight): (Driver & Required<Pick<Driver, 'play'>>) | undefined {
  for (const driver of tick.drivers) {
    const { play, id } = driver;
    if (play !== undefined && tick.settings.writers[id] === 'manage') return { ...driver, play };
  }
  return undefined;
}

/** The orders that take part in a simulation, with what was read of them; undefined where nobody carries any out. */
export function playedOrders(sight: Sight, ends: PartEnds): PlayedOrders | undefined {
  const driver = playingDriver(sight);
  if (driver === undefined) return undefined;
  const { works } = sight.tick.reconciliation;
  const orders = [...works.values()].flatMap(({ driver: { id }, work }) => {
    const { type, source, state } = work;
    if (id !== driver.id || !driver.play.isPlayed(source.object)) return [];
    return [{ type, object: source.object, ...(state === 'finished' ? { over: work } : {}) }];
  });
  return { driver, play: driver.play, orders, parts: sight.tick.besides, ends };
}

/** A name by which ends can be given, and in how many places parts of it can begin. */
type NamedPlaces = readonly [name: string, places: number];

function placesOfOrders({ play, orders }: PlayedOrders): readonly NamedPlaces[] {
  return orders.flatMap(({ object }) => {
    const names = [object.metadata.name, controllerOf(object)?.name];
    const places = play.places(object);
    return names.flatMap((name): readonly NamedPlaces[] => (name === undefined ? [] : [[name, places]]));
  });
}

/** Of schedules that make such objects. */
function placesOfMakers(sight: Sight, { driver, play }: PlayedOrders): readonly NamedPlaces[] {
  const { changeSet, tick, now } = sight;
  const types = new Set(driver.orders.map(typeId));
  const kinds = tick.kinds.filter(({ run }) => types.has(typeId(run)));
  const makers = new Set(kinds.map(({ resource }) => typeId(resource)));
  const { entries } = tick.reconciliation;
  return changeSet.schedules.flatMap(({ key, type }): readonly NamedPlaces[] => {
    if (!makers.has(typeId(type))) return [];
    const made = entries.get(keyId(key))?.schedule.manualRuns(now).runs ?? [];
    if (made.length === 0) return [[key.name, Number.POSITIVE_INFINITY]];
    const played = made.map(({ build }) => build()).filter(play.isPlayed);
    return played.map((one) => [key.name, play.places(one)]);
  });
}

/** All names of orders, of what made them, and of schedules that make such objects. */
export function playedNames(sight: Sight, played: PlayedOrders | undefined): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  if (played === undefined) return names;
  for (const [name, places] of [...placesOfOrders(played), ...placesOfMakers(sight, played)])
    names.set(name, Math.max(places, names.get(name) ?? 0));
  return names;
}

export type Chosen =
  | { readonly ok: true; readonly value: Simulation }
  | { readonly ok: false; readonly code: ExitCode; readonly message: string };

/** `KIND/NAME` of an order that is played; undefined where the words mean none. */
export function readPlayedRef(words: readonly string[]): ObjectRef | undefined {
  const ref = words.length === 0 ? undefined : readOrderRef(words);
  const played = DRIVERS.flatMap(({ play, orders }) => (play === undefined ? [] : orders));
  return ref?.types.some((type) => played.includes(type)) === true ? ref : undefined;
}

/** The order that is named and no schedule; one that is made anew under its name belongs to it. */
export function onlyOrder(simulation: Simulation, ref: ObjectRef): Chosen {
  const orders = objectsNamed(simulation.orders, ref);
  if (orders.length === 0) return { ok: false, code: EXIT.failed, message: noOrderText(ref) };
  const different = [...new Map(orders.map((order) => [keyId(order.key), order])).values()];
  if (different.length > 1)
    return { ok: false, code: EXIT.usage, message: severalText(different, 'objects') };
  return { ok: true, value: { ...simulation, schedules: [], orders } };
}

function noOrderText({ types, name }: ObjectRef): string {
  const kinds = [...new Set(types.map(({ kind }) => kind))].join(' or ');
  return `no ${kinds} named ${escapeText(name)} is carried out here in that time; a Job is, where it has spec.managedBy: minutehand.dev/job and the configuration does not say otherwise (managedJobs: manage)`;
}

/** What these schedules made, and where all of them are meant, everything else. */
export function ordersOf(
  orders: readonly OrderAccount[],
  schedules: ReadonlySet<string> | undefined,
): readonly OrderAccount[] {
  if (schedules === undefined) return orders;
  return orders.filter(({ schedule }) => schedule !== undefined && schedules.has(keyId(schedule)));
}
