import { applyBudgets, trimRetention } from '#core/change/budget.ts';
import type { Change, DeleteChange } from '#core/change/change.ts';
import {
  type ChangeSet,
  countChanges,
  type ScheduleChanges,
  type WorkChanges,
} from '#core/change/change-set.ts';
import type { KnownEvents } from '#core/change/event.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { withoutCollisions } from '#core/collisions.ts';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import {
  type Draft,
  draftSchedules,
  type Finished,
  needingRuns,
  type ReconcileInput as ScheduleInput,
} from '#core/draft.ts';
import { timingOf } from '#core/entry-timing.ts';
import { forecastEntry } from '#core/forecast.ts';
import type { Finding, Outcomes, ScheduleKind, Settings } from '#core/kind.ts';
import { compareKeys, keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { knownEvents, typeId } from '#core/observed.ts';
import { isQuiet } from '#core/quiet.ts';
import { referentsOf } from '#core/referents.ts';
import { decideRetention } from '#core/retention.ts';
import type { RunPhase } from '#core/run/phase.ts';
import { type Entry, plannedOutcomes, type Settlement, settle } from '#core/settle.ts';
import { sparedByOwner } from '#core/spared-slots.ts';
import type { Instant } from '#core/time/instant.ts';
import { timingFindings } from '#core/timing-findings.ts';
import { tellUnfilled } from '#core/unfilled-field.ts';
import { unreadLists } from '#core/unread-lists.ts';
import {
  countFailedEarlier,
  type DrivenWork,
  decideWorks,
  isTold,
  type WorksInput,
  withoutDeleted,
  workChanges,
} from '#core/works.ts';

/** What a tick decides from: schedules by their kinds, orders by their drivers. */
export type ReconcileInput = ScheduleInput & Pick<WorksInput, 'drivers' | 'live' | 'render'>;

export interface Reconciliation {
  readonly changeSet: ChangeSet;
  /** What remains to be written for a schedule when its creates and replacement deletes came out like this. */
  readonly settleWith: (schedule: ScheduleChanges, outcomes: Outcomes) => Settlement | undefined;
  /** What each managed schedule was decided from, by `keyId`. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Every order of every driver, by `keyId`; those included that are over. */
  readonly works: ReadonlyMap<string, DrivenWork>;
  /** Whether transitions are told by events. */
  readonly tellsEvents: boolean;
  /** The phase of a freshly read object that a change set deletes: a run, or what carries one out. */
  readonly phaseOf: (change: DeleteChange, fresh: KubeObject) => RunPhase;
  /** Whether a freshly read run may still be deleted for the reason of the change. */
  readonly mayPrune: (change: DeleteChange, fresh: KubeObject) => boolean;
}

const NO_CHANGES: readonly Change[] = [];
const NO_FINDINGS: readonly Finding[] = [];

/** A schedule with everything that this tick says of it. */
interface Concluded {
  readonly source: SourcedObject;
  readonly changes: ScheduleChanges;
  readonly findings: readonly Finding[];
  readonly entry: Entry | undefined;
}

/** The whole decision of a tick: what was read, and now, in; change set, verdicts and diagnostics out. */
export function reconcile(input: ReconcileInput): Reconciliation {
  const known = input.settings.events === 'off' ? 'untold' : knownEvents(input.observed);
  const referents = input.referents ?? referentsOf(input.observed);
  const budgeted = together(draftSchedules({ ...input, referents }), input.settings);
  const concluded = budgeted.drafts.map((draft) => conclude(draft, known, input.now));
  concluded.sort((a, b) => compareKeys(a.changes.key, b.changes.key));
  const schedules = concluded.map(({ changes }) => changes);
  const decided = decideRetention({
    ...input,
    spared: (owners) => sparedByOwner(concluded, owners, { ...input, referents }),
  });
  const trimmed = trimRetention(decided.changes, schedules, input.settings);
  const { retention } = trimmed;
  const driven = withoutDeleted(decideWorks({ ...input, referents }), [...schedules, ...retention]);
  const works = workList(driven, known, input.now);
  const droppedCount = budgeted.droppedDeletes + trimmed.dropped;
  const diagnostics = [
    ...unreadLists(input.observed, input.kinds, input.drivers),
    ...concluded.flatMap(({ source, findings }) => findings.map((finding) => diagnosticOf(source, finding))),
    ...decided.findings.map(({ source, finding }) => diagnosticOf(source, finding)),
    ...driven.flatMap(({ work: { source, findings } }) =>
      findings.map((finding) => diagnosticOf(source, finding)),
    ),
    ...(droppedCount > 0 ? [droppedDeletes(droppedCount)] : []),
  ];
  const entries = entriesByKey(concluded);
  const lookUp = lookUpOf(input.kinds);
  return {
    changeSet: {
      formatVersion: 1,
      now: input.now,
      graceSeconds: input.settings.graceSeconds,
      schedules,
      retention,
      works,
      counts: countChanges(schedules, retention, works, countFailedEarlier(driven)),
      diagnostics: diagnostics.sort(compareDiagnostics),
    },
    entries,
    tellsEvents: known !== 'untold',
    works: new Map(driven.map((one) => [keyId(keyOf(one.work.source.object)), one])),
    phaseOf: (change, fresh) => lookUp(change)?.(fresh) ?? 'unknown',
    mayPrune: (change, fresh) =>
      input.kinds.find(({ run }) => typeId(run) === typeId(change.type))?.mayPrune(fresh, change.reason) ===
      true,
    settleWith: ({ key }, outcomes) => {
      const entry = entries.get(keyId(key));
      return entry === undefined ? undefined : settle(entry, outcomes, known, input.now);
    },
  };
}

function workList(driven: readonly DrivenWork[], known: KnownEvents, now: Instant): readonly WorkChanges[] {
  const told = driven.filter(({ work }) => isTold(work));
  return told.map((one) => workChanges(one, known, now)).sort((a, b) => compareKeys(a.key, b.key));
}

/** What looks at all entries together; each finds its way back to its draft by its place in the list. */
function together(
  drafts: readonly Draft[],
  settings: Settings,
): { readonly drafts: readonly Draft[]; readonly droppedDeletes: number } {
  const entries = drafts.flatMap((draft) => (draft.state === 'entry' ? [draft.entry] : []));
  const budgeted = applyBudgets(withoutCollisions(entries), settings);
  if (budgeted.entries === entries) return { drafts, droppedDeletes: 0 };
  const left = budgeted.entries[Symbol.iterator]();
  return {
    drafts: drafts.map((draft) =>
      draft.state === 'entry' ? { ...draft, entry: left.next().value ?? draft.entry } : draft,
    ),
    droppedDeletes: budgeted.droppedDeletes,
  };
}

function concludeVerdict(draft: Finished): Concluded {
  const { source, entry, kind, verdict, findings } = draft;
  return { source, changes: scheduleChanges(kind, source, verdict, NO_CHANGES), findings, entry };
}

function conclude(draft: Draft, known: KnownEvents, now: Instant): Concluded {
  if (draft.state === 'verdict') return concludeVerdict(draft);
  const { source, entry } = draft;
  const { kind, schedule, decision } = entry;
  const settled = draft.settlement ?? settle(entry, plannedOutcomes(entry), known, now);
  if (draft.runsUnread === true && !isQuiet(entry, settled))
    return concludeVerdict(needingRuns(kind, source, schedule.findings));
  const settlement = ranged(entry, settled, now);
  const changes = orderedChanges(entry, settlement);
  return {
    source,
    changes: scheduleChanges(kind, source, settlement.verdict, changes),
    findings: joined(schedule.findings, timingFindings(schedule, decision), settlement.findings),
    entry,
  };
}

/** How the phase of what is deleted is read, by its type. */
function lookUpOf(
  kinds: readonly ScheduleKind[],
): (change: DeleteChange) => ((object: KubeObject) => RunPhase) | undefined {
  const readers = new Map<string, (object: KubeObject) => RunPhase>();
  for (const { run, phaseOf, workload } of kinds) {
    if (workload !== undefined) readers.set(typeId(workload.resource), workload.phaseOf);
    readers.set(typeId(run), phaseOf);
  }
  return ({ type }) => readers.get(typeId(type));
}

/** Most schedules give no reason to say anything, in every tick. */
function joined(...lists: readonly (readonly Finding[])[]): readonly Finding[] {
  return lists.every((list) => list.length === 0) ? NO_FINDINGS : lists.flat();
}

function entriesByKey(concluded: readonly Concluded[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { changes, entry } of concluded) if (entry !== undefined) entries.set(keyId(changes.key), entry);
  return entries;
}

/** Of an object without a uid of its own: no slot is named that will never come, nor written down. */
function ranged(entry: Entry, settlement: Settlement, now: Instant): Settlement {
  const { decision, range } = entry;
  const timing = timingOf(decision);
  if (range === undefined || timing === undefined) return settlement;
  const [next] = forecastEntry(entry, timing, now, { count: 1 });
  if (next?.until === undefined) return settlement;
  const verdict = { ...settlement.verdict, next: next.slot, nextUntil: next.until };
  return { ...settlement, verdict, status: undefined };
}

/** Replacement deletes, the create, status, then history and time to live, then events (design.md 3.5). */
function orderedChanges(entry: Entry, settlement: Settlement): readonly Change[] {
  const { decision, removals, cleanups } = entry;
  const { status, events } = settlement;
  const others = removals.length + cleanups.length + events.length;
  if (decision.state !== 'fire' && status === undefined && others === 0) return NO_CHANGES;
  const firing: readonly Change[] =
    decision.state === 'fire' ? [...decision.victims, ...decision.creates] : [];
  return [...firing, ...(status === undefined ? [] : [status]), ...removals, ...cleanups, ...events];
}

function scheduleChanges(
  kind: ScheduleKind,
  source: SourcedObject,
  verdict: Verdict,
  changes: readonly Change[],
): ScheduleChanges {
  const { uid = '', resourceVersion = '' } = source.object.metadata;
  return { type: kind.resource, key: keyOf(source.object), uid, resourceVersion, verdict, changes };
}

/** Gives a finding the object and, where it came from a manifest, the place. */
export function diagnosticOf(source: SourcedObject, finding: Finding): Diagnostic {
  const place = source.placeOf?.(finding.path);
  const told = tellUnfilled(source.object, finding);
  return { ...told, object: keyOf(source.object), ...(place === undefined ? {} : { place }) };
}

function droppedDeletes(count: number): Diagnostic {
  return {
    code: 'BudgetExhausted',
    severity: 'warning',
    what: `${count} deletes are left for the next tick`,
    why: '--max-deletes is used up',
  };
}
