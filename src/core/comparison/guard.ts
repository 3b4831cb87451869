import { compareKeys } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { Comparison, ScheduleComparison, Tripped } from './comparison.ts';

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

/** Removed, suspended, or without a slot: it had firings to come, and has none. */
export function stopsFiring({ firings, runsBefore, runsAfter }: ScheduleComparison): boolean {
  const [before, after] = [firings.before * runsBefore, firings.after * runsAfter];
  return before > 0 && after === 0;
}

const TRIPS: Readonly<Record<Exclude<GuardName, 'peak'>, (one: ScheduleComparison) => boolean>> = {
  'fires-now': ({ merge }) => merge.firesNow !== undefined,
  cancels: ({ merge }) => merge.cancels.length > 0,
  prunes: ({ merge }) => merge.prunes.length > 0,
  invalid: ({ broken }) => broken.some(({ severity }) => severity === 'error'),
  'never-fires': ({ neverFires }) => neverFires,
  stops: stopsFiring,
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
  if (guard.name === 'peak') {
    const starts = comparison.peaks[0]?.after?.starts ?? 0;
    const isHeld = flags.some(({ name, object }) => name === 'peak' && object === undefined);
    return starts > guard.above && !isHeld ? { guard, schedules: [] } : undefined;
  }
  const trips = TRIPS[guard.name];
  const schedules: ObjectKey[] = comparison.schedules
    .filter((one) => trips(one) && !isAcknowledged(one, guard.name, flags))
    .map(({ key }) => key);
  if (guard.name === 'prunes')
    schedules.push(
      ...comparison.referents
        .filter(
          ({ key, prunes }) =>
            prunes.length > 0 && !isAcknowledged({ key, acknowledged: [] }, 'prunes', flags),
        )
        .map(({ key }) => key),
    );
  if (guard.name === 'invalid') {
    const referents = comparison.referents.filter(({ broken }) =>
      broken.some(({ severity }) => severity === 'error'),
    );
    schedules.push(
      ...referents
        .map(({ key }) => key)
        .filter((key) => !isAcknowledged({ key, acknowledged: [] }, 'invalid', flags)),
    );
    const loose = comparison.broken.some(({ severity }) => severity === 'error');
    const isHeld = flags.some(({ name, object }) => name === 'invalid' && object === undefined);
    if (loose && !isHeld) return { guard, schedules: schedules.sort(compareKeys) };
  }
  return schedules.length === 0 ? undefined : { guard, schedules: schedules.sort(compareKeys) };
}

/** The guards that a change trips, in the order in which they were asked for. */
export function trippedGuards(
  guards: readonly Guard[],
  comparison: Comparison,
  acknowledgements: readonly Acknowledgement[],
): readonly Tripped[] {
  return guards.flatMap((guard) => trippedBy(guard, comparison, acknowledgements) ?? []);
}
