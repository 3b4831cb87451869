import type { Verdict } from '#core/change/verdict.ts';
import { isError } from '#core/diagnostic.ts';
import { compareKeys } from '#core/object/key.ts';
import type { Comparison, ReferentComparison, ScheduleComparison, Tripped } from './comparison.ts';
import { nextOf } from './next-beyond.ts';

/** What a pipeline refuses unless somebody acknowledges it; closed. */
export const GUARD_NAMES = [
  'fires-now',
  'cancels',
  'prunes',
  'invalid',
  'peak',
  'never-fires',
  'stops',
] as const;
export type GuardName = (typeof GUARD_NAMES)[number];

export type Guard =
  | { readonly name: Exclude<GuardName, 'peak'> }
  /** More starts than this in one minute. */
  | { readonly name: 'peak'; readonly above: number };

/** A guard that a flag acknowledges, of one object or of all. */
export interface Acknowledgement {
  readonly name: GuardName;
  readonly namespace?: string;
  readonly object?: string;
}

/** Something starts in the window; where it shows no slot, one that comes later counts. */
function fires(firings: number, runs: number, verdict: Verdict | undefined): boolean {
  return firings > 0 ? runs > 0 : nextOf(verdict) !== undefined;
}

/** Removed, suspended, with nothing to start or without a slot: it had firings to come, and has none. */
export function stopsFiring(one: ScheduleComparison): boolean {
  const { firings, runsBefore, runsAfter, before, after, unknown } = one;
  if (unknown !== undefined) return false;
  return fires(firings.before, runsBefore, before) && !fires(firings.after, runsAfter, after);
}

const TRIPS: Readonly<Record<Exclude<GuardName, 'peak'>, (one: ScheduleComparison) => boolean>> = {
  'fires-now': ({ merge }) => merge.firesNow !== undefined,
  cancels: ({ merge }) => merge.cancels.length > 0,
  prunes: ({ merge }) => merge.prunes.length > 0,
  invalid: ({ broken }) => broken.some(isError),
  'never-fires': ({ neverFires }) => neverFires,
  stops: stopsFiring,
};

/** What is no schedule trips some of them as well. */
const REFERENT_TRIPS: Readonly<Partial<Record<GuardName, (one: ReferentComparison) => boolean>>> = {
  prunes: ({ prunes }) => prunes.length > 0,
  invalid: ({ broken }) => broken.some(isError),
};

export function isAcknowledged(
  { key, acknowledged }: Pick<ScheduleComparison, 'key' | 'acknowledged'>,
  name: GuardName,
  flags: readonly Acknowledgement[],
): boolean {
  if (acknowledged.includes(name)) return true;
  return flags.some(
    (flag) =>
      flag.name === name &&
      (flag.object === undefined || (flag.object === key.name && flag.namespace === key.namespace)),
  );
}

function trippedBy(
  guard: Guard,
  comparison: Comparison,
  flags: readonly Acknowledgement[],
): Tripped | undefined {
  const isWaived = flags.some(({ name, object }) => name === guard.name && object === undefined);
  if (guard.name === 'peak') {
    const starts = comparison.peaks[0]?.after?.starts ?? 0;
    return starts > guard.above && !isWaived ? { guard, schedules: [] } : undefined;
  }
  const trips = REFERENT_TRIPS[guard.name];
  const referents = comparison.referents
    .filter((one) => trips?.(one) === true)
    .map(({ key }) => ({ key, acknowledged: [] }));
  const schedules = [...comparison.schedules.filter(TRIPS[guard.name]), ...referents]
    .filter((one) => !isAcknowledged(one, guard.name, flags))
    .map(({ key }) => key)
    .sort(compareKeys);
  // What belongs to no object trips it without naming one.
  const isLoose = guard.name === 'invalid' && comparison.broken.some(isError) && !isWaived;
  return schedules.length > 0 || isLoose ? { guard, schedules } : undefined;
}

/** The guards that a change trips, in the order in which they were asked for. */
export function trippedGuards(
  guards: readonly Guard[],
  comparison: Comparison,
  acknowledgements: readonly Acknowledgement[],
): readonly Tripped[] {
  return guards.flatMap((guard) => trippedBy(guard, comparison, acknowledgements) ?? []);
}
