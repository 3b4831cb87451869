import type { ApplyReport } from '#core/change/applied.ts';
import type { Settings } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { type ApplyOptions, applyChangeSet } from '#store/apply.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { type Progress, runNameOf, runObject } from '#test/properties/support/run-object.ts';
import { foresee, SETTINGS } from '#test/properties/support/tick.ts';
import { scheduleObject, type Timetable } from '#test/properties/support/timetable.ts';

export const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z
export const SLOT = 1_781_060_400;
export const HOUR = 3600;

/** Hourly, replacing, with a history of nothing: one tick of it makes every kind of write. */
export const REPLACING: Timetable = {
  kind: 'CronJob',
  namespace: 'harbor',
  name: 'rotate',
  expression: '0 * * * *',
  zone: undefined,
  deadline: undefined,
  concurrency: 'Replace',
  suspend: false,
  limit: 0,
  failedLimit: 0,
  ttl: undefined,
};
export const POLICY: Timetable = {
  ...REPLACING,
  kind: 'EtcdDefragPolicy',
  name: 'defrag',
  concurrency: 'Forbid',
};

export function isoText(at: number): string {
  return formatInstant(instant(at));
}

/** A schedule of the day before whose last slot was settled an hour ago. */
export function settledSchedule(timetable: Timetable): KubeObject {
  return scheduleObject(timetable, SLOT - 24 * HOUR, { lastScheduleTime: isoText(SLOT - HOUR) });
}

export function ownRun(timetable: Timetable, hoursAgo: number, progress: Progress): KubeObject {
  const slot = SLOT - hoursAgo * HOUR;
  return runObject(timetable, {
    name: runNameOf(timetable, slot),
    slot,
    owner: 'own',
    manual: false,
    created: slot,
    progress,
    since: slot + 120,
    terminating: false,
  });
}

/** Two runs to replace, a finished one beyond the history. */
export function richObjects(): readonly KubeObject[] {
  return [
    settledSchedule(REPLACING),
    ownRun(REPLACING, 1, 'running'),
    ownRun(REPLACING, 2, 'running'),
    ownRun(REPLACING, 3, 'succeeded'),
  ];
}

export function storeOf(objects: readonly KubeObject[]): MemoryStore {
  return memoryStore({ objects, now: NOW });
}

export interface Applied {
  readonly reconciliation: Reconciliation;
  readonly report: ApplyReport;
}

/** One tick on the store, from reading to the last event. */
export async function applyTick(
  store: MemoryStore,
  options: {
    readonly now?: Instant;
    readonly settings?: Partial<Settings>;
    readonly apply?: ApplyOptions;
  } = {},
): Promise<Applied> {
  const reconciliation = await foresee(store, options.now ?? NOW, { ...SETTINGS, ...options.settings });
  const report = await applyChangeSet(store, reconciliation, options.apply);
  return { reconciliation, report };
}

export function found(store: MemoryStore, name: string): KubeObject | undefined {
  return store.objects().find(({ kind, metadata }) => kind !== 'Event' && metadata.name === name);
}

export function statusOf(store: MemoryStore, name: string): JsonObject {
  const status = found(store, name)?.status;
  return isObject(status) ? status : {};
}

export function keyOfRun(timetable: Timetable, hoursAgo: number): ObjectKey {
  return keyOf(ownRun(timetable, hoursAgo, 'running'));
}

export function reasonsOf(store: MemoryStore): readonly unknown[] {
  return store
    .objects()
    .filter(({ kind }) => kind === 'Event')
    .map(({ reason }) => reason)
    .sort();
}

/** `verb name state` of everything that was tried, without events. */
export function linesOf({ schedules }: ApplyReport): readonly string[] {
  return schedules
    .flatMap(({ applied }) => applied)
    .filter(({ change }) => change.verb !== 'event')
    .map(({ change, state }) => `${change.verb} ${change.key.name} ${state}`);
}

export const RUN = runNameOf(REPLACING, SLOT);
export const OLDER = runNameOf(REPLACING, SLOT - 2 * HOUR);
export const YOUNGER = runNameOf(REPLACING, SLOT - HOUR);
export const FINISHED = runNameOf(REPLACING, SLOT - 3 * HOUR);
export const SCHEDULE = keyOf(settledSchedule(REPLACING));
/** The order of the writes of the rich tick, counted from 1. */
export const CREATE = 3;
export const STATUS = 4;
export const HISTORY = 5;

export function withStatus(status: KubeObject['status']): (object: KubeObject) => KubeObject {
  return ({ status: _before, ...object }) => (status === undefined ? object : { ...object, status });
}

export function editSpec(object: KubeObject): KubeObject {
  const spec = isObject(object.spec) ? object.spec : {};
  const generation = (object.metadata.generation ?? 0) + 1;
  return {
    ...object,
    metadata: { ...object.metadata, generation },
    spec: { ...spec, schedule: '30 4 * * *' },
  };
}

export function renamed(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } };
}
