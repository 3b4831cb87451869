import type { SettledSlot, SettleInput } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { isFinished } from '#core/run/phase.ts';
import type { RunPlan } from '#core/run/plan.ts';
import type { OwedSlots } from '#core/slot/decide-slot.ts';
import { isComplete, stillOwed } from '#core/still-owed.ts';
import { formatInstant, type Instant, later } from '#core/time/instant.ts';
import { conditionsOf, firedConditions, wasRecorded, wasSuspended } from './conditions.ts';
import type { Effective } from './defaults.ts';
import { type Judgement, judge } from './judge.ts';
import { snapshotName } from './names.ts';
import { instantOf, pinRecord, slotField } from './pin.ts';

export const STATUS_FIELDS = [
  'observedGeneration',
  'lastSchedule',
  'nextSchedule',
  'lastSuccessfulSchedule',
  'lastFailedSchedule',
  'consecutiveFailures',
  'conditions',
];

/** What a schedule was found to be when it was read. */
export interface Reading {
  readonly schedule: KubeObject;
  readonly cron: string;
  readonly suspended: boolean;
  readonly deadlineSeconds: number | undefined;
  readonly effective: Effective;
  /** The recorded pin is absent or no longer holds: the next slot is pinned anew. */
  readonly repins: boolean;
  /** Why a policy that is named cannot be used; undefined where all can. */
  readonly missing: string | undefined;
  /** What voids the recorded pin, if anything does. */
  readonly voidedBy: 'cron' | 'timezone' | 'jitter' | undefined;
  /** That no policy matches the selector; undefined where one does. */
  readonly unmatched: string | undefined;
  /** Which policies are meant could be told. */
  readonly targetsKnown: boolean;
  /** The schedule names its one policy. */
  readonly single: boolean;
}

/** What becomes of the pin: it stays as it is recorded, goes, or lies on another slot. */
type PinMove = 'stays' | { readonly at: Instant | undefined };

/** Whether every run of the slot is there now. */
function isSettled({ decision, outcomes }: SettleInput): boolean {
  if (decision.state !== 'fire') return decision.state === 'done' || decision.state === 'empty';
  return isComplete(decision, outcomes.creates);
}

/** D28: a pin stays while a hold lasts, unless it expires: then the first slot that is still wanted is owed. */
function unexpired(owed: OwedSlots): PinMove {
  return owed.expired === undefined ? 'stays' : { at: owed.expired.next };
}

function pinMove(input: SettleInput, { repins }: Reading): PinMove {
  const { decision } = input;
  switch (decision.state) {
    case 'deleting':
    case 'badTiming':
    case 'never':
      return 'stays';
    case 'suspended':
    case 'waiting':
      return repins ? { at: decision.next } : 'stays';
    case 'resumed':
      return { at: decision.next };
    case 'expired':
      return { at: decision.owed.next };
    case 'held':
    case 'blocked':
    case 'leaving':
    case 'taken':
    case 'deferred':
      return unexpired(decision.owed);
    case 'fire':
    case 'done':
    case 'empty':
      return isSettled(input) ? { at: decision.owed.next } : unexpired(decision.owed);
  }
}

function nextSchedule(input: SettleInput, reading: Reading): Json | undefined {
  const { status } = reading.schedule;
  const move = pinMove(input, reading);
  if (move === 'stays') return isObject(status) ? status.nextSchedule : undefined;
  return move.at === undefined ? undefined : pinRecord(move.at, reading.cron, reading.effective);
}

/** The slot that nothing is said of yet: its runs are still to be created, or were just now. */
function unsettledSlot({ decision }: SettleInput): Instant | undefined {
  return decision.state === 'fire' ? decision.owed.slot : stillOwed(decision);
}

/** The name of a slot's Snapshot where it has one alone: one policy, named by the schedule, and no fan-out. */
function soleRun(slot: Instant, names: readonly string[], { schedule, single }: Reading): string | undefined {
  if (!single || names.length !== 1) return undefined;
  const { name, namespace = '' } = schedule.metadata;
  const plain = snapshotName({ schedule: name, slot, policyNamespace: namespace });
  return names[0] === plain ? plain : undefined;
}

function plannedNames({ runs }: RunPlan): readonly string[] {
  return runs.map(({ name }) => name);
}

function slotRecord(at: Instant, run: string | undefined): JsonObject {
  return { at: formatInstant(at), ...(run === undefined ? {} : { snapshotRef: { name: run } }) };
}

/** A run whose status was lost before an edit made the pin void: it stands for the newest firing all the same. */
function strayFiring({ runs, now }: SettleInput, { repins }: Reading): Instant | undefined {
  if (!repins) return undefined;
  return runs
    .filter((run) => !run.terminating || isFinished(run))
    .map(({ slot }) => (slot !== undefined && slot <= now ? slot : undefined))
    .reduce(later, undefined);
}

/** The newest firing: the one of this tick, one that only its runs prove, or the recorded one as it stands. */
function lastSchedule(input: SettleInput, reading: Reading): Json | undefined {
  const { decision, proved } = input;
  const before = slotField(reading.schedule.status, 'lastSchedule');
  const recorded = instantOf(before);
  const fired = isSettled(input) && 'owed' in decision ? decision.owed?.slot : undefined;
  const earlier = proved === unsettledSlot(input) ? undefined : (proved ?? strayFiring(input, reading));
  const newest = later(fired, earlier);
  if (newest === undefined || (recorded !== undefined && newest <= recorded)) return before?.value;
  const planned = 'plan' in decision ? plannedNames(decision.plan) : [];
  const names = newest === fired ? planned : namesOf(newest, input.runs);
  return slotRecord(newest, soleRun(newest, names, reading));
}

export function recordedFailures({ status }: KubeObject): number {
  const failures = isObject(status) ? status.consecutiveFailures : undefined;
  return typeof failures === 'number' && Number.isInteger(failures) && failures > 0 ? failures : 0;
}

function recordOf(schedule: KubeObject): Judgement {
  const { status } = schedule;
  return {
    success: instantOf(slotField(status, 'lastSuccessfulSchedule')),
    failure: instantOf(slotField(status, 'lastFailedSchedule')),
    failures: recordedFailures(schedule),
  };
}

/** What the finished runs say, before history takes any of them away (D7). */
export function judgeRuns(
  schedule: KubeObject,
  runs: SettleInput['runs'],
  unsettled: Instant | undefined,
): Judgement {
  return judge(runs, recordOf(schedule), unsettled);
}

/** A run that was cancelled in this tick is on its way out and will never have a result. */
function withCancelled({ decision, outcomes, runs }: SettleInput): SettleInput['runs'] {
  if (decision.state !== 'fire' || decision.victims.length === 0) return runs;
  const gone = new Set(
    decision.victims.flatMap(({ precondition }, index) => {
      const state = outcomes.victims[index]?.state;
      return state === 'deleted' || state === 'gone' ? [precondition.uid] : [];
    }),
  );
  return runs.map((run) => (gone.has(run.object.metadata.uid ?? '') ? { ...run, terminating: true } : run));
}

function namesOf(slot: Instant, runs: SettleInput['runs']): readonly string[] {
  return runs.filter((run) => run.slot === slot).map(({ object }) => object.metadata.name);
}

function judgedFields(judged: Judgement, runs: SettleInput['runs'], reading: Reading): JsonObject {
  const { status } = reading.schedule;
  const success = slotField(status, 'lastSuccessfulSchedule');
  const failure = slotField(status, 'lastFailedSchedule');
  const lastSuccess =
    judged.success === undefined || judged.success === instantOf(success)
      ? success?.value
      : slotRecord(judged.success, soleRun(judged.success, namesOf(judged.success, runs), reading));
  const lastFailure =
    judged.failure === undefined || judged.failure === instantOf(failure)
      ? failure?.value
      : slotRecord(judged.failure, undefined);
  return {
    ...(lastSuccess === undefined ? {} : { lastSuccessfulSchedule: lastSuccess }),
    ...(lastFailure === undefined ? {} : { lastFailedSchedule: lastFailure }),
    consecutiveFailures: judged.failures,
  };
}

function ownedFields(status: Json | undefined): JsonObject {
  if (!isObject(status)) return {};
  return Object.fromEntries(
    STATUS_FIELDS.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]]])),
  );
}

function stillMissing({ schedule, suspended, missing }: Reading): string | undefined {
  return !suspended && wasRecorded(schedule, 'Ready', 'False', 'MissingDependency') ? missing : undefined;
}

export function statusOf(input: SettleInput, reading: Reading): JsonObject {
  const { schedule, suspended, effective } = reading;
  const { generation } = schedule.metadata;
  const last = lastSchedule(input, reading);
  const next = nextSchedule(input, reading);
  const judged = judgeRuns(schedule, withCancelled(input), unsettledSlot(input));
  const { decision, now } = input;
  const fields = {
    ...(last === undefined ? {} : { lastSchedule: last }),
    ...(next === undefined ? {} : { nextSchedule: next }),
    ...judgedFields(judged, input.runs, reading),
  };
  // Of a schedule under deletion only the runs are still kept track of.
  if (decision.state === 'deleting') return { ...ownedFields(schedule.status), ...fields };
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...fields,
    conditions: conditionsOf(schedule, {
      decision,
      suspended,
      paused: suspended || wasSuspended(schedule),
      effective,
      stillMissing: stillMissing(reading),
      targetsKnown: reading.targetsKnown,
      now,
    }),
  };
}

/** The owned fields of a fresh read with the anchor moved forward, never back (design.md 3.6). */
export function moveAnchor(
  fresh: KubeObject,
  { slot, next, plan }: SettledSlot,
  reading: Reading,
  now: Instant,
): JsonObject {
  const { cron, effective } = reading;
  const owned = ownedFields(fresh.status);
  const last = instantOf(slotField(fresh.status, 'lastSchedule'));
  const pin = slotField(fresh.status, 'nextSchedule');
  const at = instantOf(pin);
  const { nextSchedule: _pin, ...rest } = owned;
  // Recorded as it was computed: an expression that was edited meanwhile invalidates it on the next tick.
  const moved = next === undefined ? {} : { nextSchedule: pinRecord(next, cron, effective) };
  return {
    ...rest,
    ...(last !== undefined && last >= slot
      ? {}
      : {
          lastSchedule: slotRecord(slot, soleRun(slot, plannedNames(plan), reading)),
          conditions: firedConditions(fresh, plan, now),
        }),
    ...(at !== undefined && at > slot ? { nextSchedule: owned.nextSchedule ?? null } : moved),
  };
}
