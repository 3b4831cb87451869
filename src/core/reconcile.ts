import { applyBudgets } from '#core/change/budget.ts';
import type { Change } from '#core/change/change.ts';
import { type ChangeSet, countChanges, type ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { verdictOf } from '#core/change/verdict-of.ts';
import { decide, deleteRun } from '#core/decide.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Finding, Outcomes, ScheduleKind, Settings } from '#core/kind.ts';
import { compareKeys, compareText, keyId, keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { knownEvents, listingOf, type Observed, typeId } from '#core/observed.ts';
import { outlivedRuns, surplusRuns } from '#core/run/history.ts';
import type { Run } from '#core/run/phase.ts';
import { indexRuns, type RunIndex } from '#core/run/run-index.ts';
import { type Entry, plannedOutcomes, type Settlement, settle } from '#core/settle.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import type { Instant } from '#core/time/instant.ts';
import { timingFindings } from '#core/timing-findings.ts';
import { writerOf } from '#core/writer.ts';

export interface ReconcileInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
  readonly now: Instant;
  readonly extend?: ExtendedDays;
}

export interface Reconciliation {
  readonly changeSet: ChangeSet;
  /** What remains to be written for a schedule when its creates and replacement deletes came out like this. */
  readonly settleWith: (schedule: ScheduleChanges, outcomes: Outcomes) => Settlement | undefined;
  /** What each managed schedule was decided from, by `keyId`. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** A schedule after its own decision: on its way to a change set, or finished without one. */
type Draft =
  | { readonly state: 'entry'; readonly source: SourcedObject; readonly entry: Entry }
  | {
      readonly state: 'verdict';
      readonly source: SourcedObject;
      readonly kind: ScheduleKind;
      readonly verdict: Verdict;
      readonly findings: readonly Finding[];
      readonly entry?: Entry;
    };

interface Context extends ReconcileInput {
  readonly indexes: ReadonlyMap<string, RunIndex | string>;
}

/** The whole decision of a tick: what was read, and now, in; change set, verdicts and diagnostics out. */
export function reconcile(input: ReconcileInput): Reconciliation {
  const context: Context = { ...input, indexes: indexAll(input) };
  const known = knownEvents(input.observed);
  const drafts = input.kinds.flatMap((kind) => draftKind(kind, context));
  const entries = drafts.flatMap((draft) => (draft.state === 'entry' ? [draft.entry] : []));
  const budgeted = applyBudgets(entries, input.settings);
  const after = new Map(entries.map((entry, index) => [entry, budgeted.entries[index] ?? entry]));
  const byKey = new Map<string, Entry>();
  const diagnostics: Diagnostic[] = listingDiagnostics(input);
  const schedules = drafts.map((draft): ScheduleChanges => {
    if (draft.state === 'verdict') {
      diagnostics.push(...draft.findings.map((finding) => diagnosticOf(draft.source, finding)));
      if (draft.entry !== undefined) byKey.set(keyId(keyOf(draft.source.object)), draft.entry);
      return scheduleChanges(draft.kind, draft.source, draft.verdict, []);
    }
    const entry = after.get(draft.entry) ?? draft.entry;
    byKey.set(keyId(keyOf(draft.source.object)), entry);
    const settlement = settle(entry, plannedOutcomes(entry), known, input.now);
    const findings = [
      ...entry.schedule.findings,
      ...timingFindings(entry.schedule, entry.decision),
      ...settlement.findings,
    ];
    diagnostics.push(...findings.map((finding) => diagnosticOf(draft.source, finding)));
    return scheduleChanges(entry.kind, draft.source, settlement.verdict, orderedChanges(entry, settlement));
  });
  if (budgeted.droppedDeletes > 0) diagnostics.push(droppedDeletes(budgeted.droppedDeletes));
  schedules.sort((a, b) => compareKeys(a.key, b.key));
  const changeSet: ChangeSet = {
    formatVersion: 1,
    now: input.now,
    graceSeconds: input.settings.graceSeconds,
    schedules,
    counts: countChanges(schedules),
    diagnostics: diagnostics.sort(compareDiagnostics),
  };
  return {
    changeSet,
    entries: byKey,
    settleWith: ({ key }, outcomes) => {
      const entry = byKey.get(keyId(key));
      return entry === undefined ? undefined : settle(entry, outcomes, known, input.now);
    },
  };
}

/** Replacement deletes, the create, status, then history and time to live, then events (design.md 3.5). */
function orderedChanges(entry: Entry, settlement: Settlement): readonly Change[] {
  const { decision } = entry;
  const firing: readonly Change[] = decision.state === 'fire' ? [...decision.victims, decision.create] : [];
  const status = settlement.status === undefined ? [] : [settlement.status];
  return [...firing, ...status, ...entry.removals, ...settlement.events];
}

/** Per kind of run: its index, or why it could not be read. */
function indexAll(input: ReconcileInput): ReadonlyMap<string, RunIndex | string> {
  const indexes = new Map<string, RunIndex | string>();
  for (const { run } of input.kinds) {
    if (indexes.has(typeId(run))) continue;
    const listing = listingOf(input.observed, run);
    switch (listing.state) {
      case 'read':
        indexes.set(typeId(run), indexRuns(listing.objects));
        break;
      case 'absent':
        indexes.set(typeId(run), `${run.kind} is not served here`);
        break;
      case 'unreadable':
        indexes.set(typeId(run), listing.reason);
        break;
    }
  }
  return indexes;
}

function draftKind(kind: ScheduleKind, context: Context): Draft[] {
  const listing = listingOf(context.observed, kind.resource);
  if (listing.state !== 'read') return [];
  return listing.objects.map((source) => draft(kind, source, context));
}

function draft(kind: ScheduleKind, source: SourcedObject, context: Context): Draft {
  const { settings, now } = context;
  const writer = writerOf(kind, source.object, settings);
  const opened = kind.open(source.object, settings, now);
  if (opened.state === 'invalid') {
    return { state: 'verdict', source, kind, verdict: { code: 'invalid' }, findings: opened.findings };
  }
  const { schedule } = opened;
  const index = context.indexes.get(typeId(kind.run));
  if (index === undefined || typeof index === 'string') {
    const detail = index ?? `${kind.run.kind} was not read`;
    return {
      state: 'verdict',
      source,
      kind,
      verdict: { code: 'unreadable', detail },
      findings: schedule.findings,
    };
  }
  const runs = readRuns(schedule, index);
  const graceSeconds = writer.state === 'ours' ? settings.graceSeconds : 0;
  const base = { kind, schedule, runs, index, graceSeconds, now };
  const decision = decide(context.extend === undefined ? base : { ...base, extend: context.extend });
  if (writer.state === 'observed') {
    const verdict: Verdict = { code: 'observed', actor: writer.actor, foreseen: verdictOf(decision) };
    const entry: Entry = { kind, schedule, runs, decision, removals: [], removed: [] };
    return {
      state: 'verdict',
      source,
      kind,
      verdict,
      findings: [
        ...schedule.findings,
        ...timingFindings(schedule, decision),
        ...schedule.foretell(decision, now),
      ],
      entry,
    };
  }
  return { state: 'entry', source, entry: withRemovals({ kind, schedule, runs, decision }, now) };
}

function readRuns(schedule: Entry['schedule'], index: RunIndex): readonly Run[] {
  const { uid } = schedule.object.metadata;
  if (uid === undefined) return [];
  const objects = index.controlledBy(uid);
  if (objects.length === 0) return [];
  return objects
    .flatMap((object) => schedule.readRun(object) ?? [])
    .sort((a, b) => compareText(a.object.metadata.name, b.object.metadata.name));
}

/** Runs that go for good: a replaced run is not counted again by the history. */
function withRemovals(entry: Omit<Entry, 'removals' | 'removed'>, now: Instant): Entry {
  const { kind, schedule, runs } = entry;
  if (runs.length === 0) return { ...entry, removals: [], removed: [] };
  const surplus = surplusRuns(schedule.history, runs);
  const outlived = outlivedRuns(runs, now).filter((run) => !surplus.includes(run));
  return {
    ...entry,
    removed: [...surplus, ...outlived],
    removals: [
      ...surplus.map((run) => deleteRun(kind, run, 'HistoryLimit')),
      ...outlived.map((run) => deleteRun(kind, run, 'TimeToLive')),
    ],
  };
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
  return { ...finding, object: keyOf(source.object), ...(place === undefined ? {} : { place }) };
}

function listingDiagnostics(input: ReconcileInput): Diagnostic[] {
  const types = new Map(
    input.kinds.flatMap((kind) => [kind.resource, kind.run]).map((type) => [typeId(type), type]),
  );
  return [...types.values()].flatMap((type): Diagnostic[] => {
    const listing = listingOf(input.observed, type);
    if (listing.state !== 'unreadable') return [];
    return [
      {
        code: 'ListUnreadable',
        severity: 'error',
        what: `${type.plural} could not be read: ${listing.reason}`,
        why: 'an incomplete list is never taken for a short one, so nothing that depends on it was changed',
      },
    ];
  });
}

function droppedDeletes(count: number): Diagnostic {
  return {
    code: 'BudgetExhausted',
    severity: 'warning',
    what: `${count} deletes are left for the next tick`,
    why: '--max-deletes is used up',
  };
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const keys =
    a.object !== undefined && b.object !== undefined
      ? compareKeys(a.object, b.object)
      : Number(a.object !== undefined) - Number(b.object !== undefined);
  return (
    keys ||
    compareText(a.code, b.code) ||
    compareText((a.path ?? []).join('.'), (b.path ?? []).join('.')) ||
    compareText(a.what, b.what)
  );
}
