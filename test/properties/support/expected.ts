import type { KubeObject } from '#core/object/object.ts';
import { isEnded } from './cluster.ts';
import { runNameOf } from './run-object.ts';
import { latestIn } from './slot-model.ts';
import type { Timetable } from './timetable.ts';

/** A slot seen late by nature is still on time (design.md 3.12). */
const GRACE = 90;

/** What one undisturbed tick must make of one schedule, by the documents and not by the code under test. */
export interface Expected {
  readonly verdict: string;
  readonly slot: number | undefined;
  readonly creates: boolean;
  /** `status.lastScheduleTime` afterwards; undefined = as it was. */
  readonly anchor: number | undefined;
}

export function secondsOf(text: unknown): number | undefined {
  return typeof text === 'string' ? Math.floor(Date.parse(text) / 1000) : undefined;
}

export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

export function anchorOf(schedule: KubeObject): number {
  return (
    secondsOf(member(schedule.status, 'lastScheduleTime')) ??
    secondsOf(schedule.metadata.creationTimestamp) ??
    Number.NaN
  );
}

export function slotOf(run: KubeObject): number | undefined {
  return secondsOf(run.metadata.annotations?.['minutehand.dev/slot']);
}

function isByHand(run: KubeObject): boolean {
  return run.metadata.annotations?.['cronjob.kubernetes.io/instantiate'] === 'manual';
}

export function isTerminating(run: KubeObject): boolean {
  return run.metadata.deletionTimestamp !== undefined;
}

/** The runs of the schedule's own that are still at work. */
export function activeOf(runs: readonly KubeObject[]): readonly KubeObject[] {
  return runs.filter((run) => !isByHand(run) && !isEnded(run));
}

function recordedSuspended(schedule: KubeObject): boolean {
  return JSON.stringify(schedule.status ?? {}).includes('"reason":"Suspended"');
}

/** The newest slot that a run of the schedule stands for, where the status does not say so. */
function provedSlot(schedule: KubeObject, runs: readonly KubeObject[]): number | undefined {
  const slots = runs
    .filter((run) => !isTerminating(run) || isEnded(run))
    .flatMap((run) => slotOf(run) ?? [])
    .filter((slot) => slot > anchorOf(schedule));
  return slots.length === 0 ? undefined : Math.max(...slots);
}

/** The latest slot that is not settled, or whose run shows that it is. */
export function latestSlot({ timetable, schedule, runs, now }: Omit<Scene, 'strangers'>): number | undefined {
  const when = { expression: timetable.expression, zone: timetable.zone ?? 'UTC' };
  const proved = provedSlot(schedule, runs);
  return latestIn(when, proved === undefined ? anchorOf(schedule) : proved - 1, now);
}

export function isLate(timetable: Timetable, slot: number, now: number): boolean {
  return timetable.deadline !== undefined && now - slot > Math.max(timetable.deadline, GRACE);
}

/** A pause that was recorded and is over consumes what passed in it; CronJobs catch up instead. */
export function isResumed(timetable: Timetable, schedule: KubeObject): boolean {
  return timetable.kind === 'EtcdDefragPolicy' && !timetable.suspend && recordedSuspended(schedule);
}

export interface Scene {
  readonly timetable: Timetable;
  readonly schedule: KubeObject;
  readonly runs: readonly KubeObject[];
  /** Names of runs that the schedule does not control, in its namespace and kind. */
  readonly strangers: ReadonlySet<string>;
  readonly now: number;
}

export function expect(scene: Scene): Expected {
  const { timetable, schedule, runs, strangers, now } = scene;
  const slot = latestSlot(scene);
  const proved = provedSlot(schedule, runs);
  const outcome = (verdict: string, anchor?: number, creates = false): Expected => ({
    verdict,
    slot,
    creates,
    anchor: anchor === undefined ? proved : Math.max(anchor, proved ?? anchor),
  });
  const consumed = timetable.kind === 'CronJob' ? undefined : slot;
  if (timetable.suspend) return outcome('suspended', consumed);
  if (slot === undefined) return outcome('waiting');
  const name = runNameOf(timetable, slot);
  const own = runs.find((run) => run.metadata.name === name);
  if (own !== undefined && isTerminating(own) && !isEnded(own)) return outcome('held');
  if (own !== undefined) return outcome('fired', slot);
  if (isResumed(timetable, schedule)) return outcome('suspended', slot);
  if (isLate(timetable, slot, now)) return outcome('expired', consumed);
  if (strangers.has(name)) return outcome('conflict');
  if (timetable.concurrency === 'Forbid' && activeOf(runs).length > 0) return outcome('held', consumed);
  return outcome('fired', slot, true);
}
