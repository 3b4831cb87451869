import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { observedOf } from '#core/referents.ts';
import { simulate } from '#core/simulation/simulate.ts';
import { typesOf } from '#core/types-of.ts';
import { KINDS } from '#kinds/index.ts';
import { everyMinute, type History } from './every-minute.ts';
import { type Shown, shownSimulation } from './shown.ts';

/** Grace as in the cluster; CronJobs are acted on, as a simulation does it. */
export const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
};

/** Every type that a tick reads, also those without an object. */
export function observe(objects: readonly KubeObject[]): Observed {
  const found = observedOf(objects.map((object) => ({ object })));
  return new Map(
    typesOf(KINDS, []).map((type) => [
      typeId(type),
      found.get(typeId(type)) ?? { state: 'read', objects: [] },
    ]),
  );
}

/** The same seconds for the runs of every kind. */
export function evenDurations(seconds: number): History['durations'] {
  return Object.fromEntries(KINDS.map(({ resource }) => [resource.kind, seconds]));
}

type Named = Readonly<Record<string, Shown>>;

/** What the simulation says of a history, and what ticks in every minute of it say. */
export async function bothWays(history: History): Promise<{ readonly fast: Named; readonly slow: Named }> {
  const { objects, settings, from, until, offset, durations, end } = history;
  const given = new Map(KINDS.map(({ id, resource }) => [id, durations[resource.kind] ?? 0]));
  const simulation = simulate({
    observed: observe(objects),
    kinds: KINDS,
    settings,
    from,
    until,
    tickOffsetSeconds: offset,
    durations: { given, assumedSeconds: 300 },
    end,
  });
  return { fast: shownSimulation(simulation), slow: await everyMinute(history) };
}
