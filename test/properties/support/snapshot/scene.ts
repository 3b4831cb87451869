import type { KubeObject } from '#core/object/object.ts';
import { member, secondsOf } from '#test/properties/support/expected.ts';
import {
  type Defaults,
  OWNER_MARK,
  type Recipe,
  SCHEDULE_LABEL,
  SLOT_MARK,
  type Timetable,
} from './objects.ts';

/** What the authors of a cluster meant at one instant; the models read this and never the objects made from it. */
export interface Authors {
  /** By the uid of the schedule. */
  readonly timetables: ReadonlyMap<string, Timetable>;
  readonly recipes: ReadonlyMap<string, Recipe>;
  /** Policies under deletion. */
  readonly leaving: ReadonlySet<string>;
  readonly defaults: ReadonlyMap<string, Defaults>;
  readonly claims: ReadonlyMap<string, string>;
  /** A kind that cannot be read in this tick. */
  readonly unread?: string | undefined;
}

/** One schedule as a tick finds it. */
export interface Scene {
  readonly uid: string;
  readonly timetable: Timetable;
  readonly authors: Authors;
  readonly schedule: KubeObject;
  /** Every Snapshot. */
  readonly runs: readonly KubeObject[];
  /** Names that schedules before this one create in the same tick. */
  readonly claimed: ReadonlySet<string>;
  readonly now: number;
}

/** snapshot-schedule.md 1.3. */
export type Phase = 'waiting' | 'running' | 'ok' | 'failed' | 'aside' | 'odd';

export function phaseOf(run: KubeObject): Phase {
  const phase = member(run.status, 'phase');
  switch (phase) {
    case undefined:
    case 'Pending':
      return 'waiting';
    case 'Running':
      return 'running';
    case 'Succeeded':
    case 'Unchanged':
      return 'ok';
    case 'Failed':
      return 'failed';
    case 'Discovered':
    case 'Deleting':
      return 'aside';
    default:
      return 'odd';
  }
}

export function isTerminating(run: KubeObject): boolean {
  return run.metadata.deletionTimestamp !== undefined;
}

export function isUnfinished(run: KubeObject): boolean {
  return ['waiting', 'running', 'odd'].includes(phaseOf(run));
}

export function isParked(run: KubeObject): boolean {
  return phaseOf(run) === 'waiting' && JSON.stringify(run.status ?? {}).includes('"WaitingForSlot"');
}

/** By our mark, or by the controller of runs that the operator itself made (design.md 3.16). */
export function ownerOf(run: KubeObject): string | undefined {
  const { annotations, ownerReferences } = run.metadata;
  return annotations?.[OWNER_MARK] ?? ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

export function isMarked(run: KubeObject): boolean {
  return run.metadata.annotations?.[SLOT_MARK] !== undefined;
}

const STAMP = /-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?=-|$)/;

/** Runs of the operator itself say their slot in their name only. */
export function slotOf(run: KubeObject): number | undefined {
  const marked = secondsOf(run.metadata.annotations?.[SLOT_MARK]);
  if (marked !== undefined || ownerOf(run) === undefined) return marked;
  const [, year, month, day, hour, minute, second] = STAMP.exec(run.metadata.name) ?? [];
  return year === undefined ? undefined : secondsOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** D11: the label says the schedule, and the uid proves it. */
export function isOwn(run: KubeObject, uid: string, timetable: Timetable): boolean {
  return run.metadata.labels?.[SCHEDULE_LABEL] === timetable.name && ownerOf(run) === uid;
}

export function ownRuns({ runs, uid, timetable }: Scene): readonly KubeObject[] {
  return runs.filter((run) => isOwn(run, uid, timetable));
}

export function policyOf(run: KubeObject): string | undefined {
  const name = member(member(run.spec, 'policyRef'), 'name');
  return typeof name === 'string' ? name : undefined;
}

/** What a run backs up, whatever it is called. */
export function targetOf(run: KubeObject): string {
  const claim = member(member(member(run.spec, 'source'), 'target'), 'pvc');
  const repository = member(run.spec, 'repository');
  return [policyOf(run), member(claim, 'name') ?? '', member(repository, 'name') ?? ''].join('/');
}

export function endOf(run: KubeObject): number | undefined {
  return (
    secondsOf(member(member(run.status, 'timing'), 'endTime')) ?? secondsOf(run.metadata.creationTimestamp)
  );
}

/** A slot of the status. */
export function recordedAt(schedule: KubeObject | undefined, field: string): number | undefined {
  return secondsOf(member(member(schedule?.status, field), 'at'));
}

/** The policies of a schedule: all that a selector matches, or the one it names, there or not. */
export function targetsOf({ aim }: Timetable, { recipes }: Authors): readonly string[] {
  if ('policy' in aim) return [aim.policy];
  return [...recipes].flatMap(([name, { tier }]) => (tier === aim.tier ? [name] : [])).sort();
}

/** A policy that is there and stays. */
export function usableRecipe(name: string, { recipes, leaving }: Authors): Recipe | undefined {
  return leaving.has(name) ? undefined : recipes.get(name);
}
