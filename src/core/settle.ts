import type { AnnotateChange, ApplyChange, Change, DeleteChange } from '#core/change/change.ts';
import { type KnownEvents, untoldEvents } from '#core/change/event.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { verdictOf } from '#core/change/verdict-of.ts';
import type { Decision, Finding, Outcomes, Schedule, ScheduleKind, Settled } from '#core/kind.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import type { Run } from '#core/run/phase.ts';
import type { SlotRange } from '#core/slot/range.ts';
import type { Instant } from '#core/time/instant.ts';

/** One schedule on its way through a tick. */
export interface Entry {
  readonly kind: ScheduleKind;
  readonly schedule: Schedule;
  readonly runs: readonly Run[];
  /** What `provedSlot` says of these runs. */
  readonly proved: Instant | undefined;
  readonly decision: Decision;
  /** Where its slots can lie, while they follow from a uid that the object does not have yet. */
  readonly range: SlotRange | undefined;
  /** Deletes of history and time to live, within the budget. */
  readonly removals: readonly DeleteChange[];
  readonly removed: readonly Run[];
  /** Marks of ours that are taken off runs which live on. */
  readonly cleanups: readonly AnnotateChange[];
}

/** What remains to be written once the outcomes of creates and replacement deletes are known. */
export interface Settlement {
  readonly verdict: Verdict;
  readonly status: ApplyChange | undefined;
  readonly events: readonly Change[];
  readonly findings: readonly Finding[];
}

const NOTHING_TO_DO: Outcomes = { creates: [], victims: [], removals: [] };

/** The outcomes that a change set is written for: everything goes through. */
export function plannedOutcomes({ decision, removals }: Entry): Outcomes {
  if (decision.state !== 'fire' && removals.length === 0) return NOTHING_TO_DO;
  const removed = removals.map(() => ({ state: 'deleted' }) as const);
  if (decision.state !== 'fire') return { creates: [], victims: [], removals: removed };
  return {
    creates: decision.creates.map(({ object }) => ({ state: 'created', object })),
    victims: decision.victims.map(() => ({ state: 'deleted' })),
    removals: removed,
  };
}

function pick(status: Json | undefined, fields: readonly string[]): JsonObject {
  if (!isObject(status)) return {};
  const picked: Record<string, Json> = {};
  for (const field of fields) {
    const value = status[field];
    if (value !== undefined) picked[field] = value;
  }
  return picked;
}

function statusChange(kind: ScheduleKind, object: KubeObject, fields: JsonObject): ApplyChange | undefined {
  const before = pick(object.status, kind.rules.statusFields);
  if (sameValue(before, fields)) return undefined;
  return {
    verb: 'apply',
    type: kind.resource,
    key: keyOf(object),
    reason: 'StatusChanged',
    precondition: preconditionOf(object),
    fields,
    before,
  };
}

function finalVerdict(decision: Decision, settled: Settled): Verdict {
  const base = verdictOf(decision);
  return {
    ...base,
    ...(settled.code === undefined ? {} : { code: settled.code }),
    ...(settled.reason === undefined ? {} : { reason: settled.reason }),
    ...(settled.detail === undefined
      ? {}
      : { detail: base.detail === undefined ? settled.detail : `${base.detail}; ${settled.detail}` }),
  };
}

/** Status and events for these outcomes; nothing where nothing changed. */
export function settle(entry: Entry, outcomes: Outcomes, known: KnownEvents, now: Instant): Settlement {
  const { kind, schedule, decision, runs, proved, removed } = entry;
  const input = { now, decision, outcomes, runs, removed };
  const settled = schedule.settle(proved === undefined ? input : { ...input, proved });
  return {
    verdict: finalVerdict(decision, settled),
    status: statusChange(kind, schedule.object, settled.status),
    events: untoldEvents(schedule.object, settled.events, known, now),
    findings: settled.findings,
  };
}
