import type { Verdict } from '#core/change/verdict.ts';
import { verdictOf } from '#core/change/verdict-of.ts';
import { decide, deleteRun } from '#core/decide.ts';
import type { Finding, ScheduleKind, Settings } from '#core/kind.ts';
import { compareText } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { listingOf, type Observed, typeId } from '#core/observed.ts';
import { outlivedRuns, surplusRuns } from '#core/run/history.ts';
import type { Run } from '#core/run/phase.ts';
import { provedSlot } from '#core/run/proved-slot.ts';
import { indexRuns, type RunIndex } from '#core/run/run-index.ts';
import type { Entry } from '#core/settle.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import type { Instant } from '#core/time/instant.ts';
import { timingFindings } from '#core/timing-findings.ts';
import { unusableName } from '#core/unusable-name.ts';
import { writerOf } from '#core/writer.ts';

export interface ReconcileInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
  readonly now: Instant;
  readonly extend?: ExtendedDays;
}

/** A schedule after its own decision: on its way to a change set, or finished without one. */
export type Draft =
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

/** Each schedule decided by itself; nothing here knows of budgets or of other schedules. */
export function draftSchedules(input: ReconcileInput): readonly Draft[] {
  const context: Context = { ...input, indexes: indexAll(input) };
  return input.kinds.flatMap((kind) => draftKind(kind, context));
}

/** Per kind of run: its index, or why it could not be read. */
function indexAll(input: ReconcileInput): ReadonlyMap<string, RunIndex | string> {
  const indexes = new Map<string, RunIndex | string>();
  for (const { run } of input.kinds) {
    if (indexes.has(typeId(run))) continue;
    const listing = listingOf(input.observed, run);
    switch (listing.state) {
      case 'read':
        indexes.set(typeId(run), indexRuns(listing.objects, listing.incomplete));
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
  const unreadable = listing.unreadable ?? [];
  return [
    ...listing.objects.map((source) => draft(kind, source, context)),
    ...unreadable.map(({ source, reason }) => unreadableDraft(kind, source, reason)),
  ];
}

function draft(kind: ScheduleKind, source: SourcedObject, context: Context): Draft {
  const { settings, now } = context;
  const unusable = unusableName(source.object.metadata.name);
  if (unusable !== undefined) return invalidDraft(kind, source, [unusable]);
  const writer = writerOf(kind, source.object, settings);
  const opened = kind.open(source.object, settings, now);
  if (opened.state === 'invalid') return invalidDraft(kind, source, opened.findings);
  const { schedule } = opened;
  const index = runsFor(kind, source, context);
  if (typeof index === 'string') {
    return unreadableDraft(kind, source, index, schedule.findings);
  }
  const runs = readRuns(schedule, index);
  const proved = provedSlot(schedule, runs);
  const graceSeconds = writer.state === 'ours' ? settings.graceSeconds : 0;
  const base = { kind, schedule, runs, proved, index, graceSeconds, now };
  const decision = decide(context.extend === undefined ? base : { ...base, extend: context.extend });
  if (writer.state === 'observed') {
    const verdict: Verdict = { code: 'observed', actor: writer.actor, foreseen: verdictOf(decision) };
    const entry: Entry = { kind, schedule, runs, proved, decision, removals: [], removed: [] };
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
  return { state: 'entry', source, entry: withRemovals({ kind, schedule, runs, proved, decision }, now) };
}

function invalidDraft(kind: ScheduleKind, source: SourcedObject, findings: readonly Finding[]): Draft {
  return { state: 'verdict', source, kind, verdict: { code: 'invalid' }, findings };
}

function unreadableDraft(
  kind: ScheduleKind,
  source: SourcedObject,
  detail: string,
  findings: readonly Finding[] = [],
): Draft {
  return { state: 'verdict', source, kind, verdict: { code: 'unreadable', detail }, findings };
}

/** The runs that a schedule may have, or why they cannot all be known: a missing one is then not taken for absent. */
function runsFor(kind: ScheduleKind, { object }: SourcedObject, { indexes }: Context): RunIndex | string {
  const index = indexes.get(typeId(kind.run));
  if (index === undefined || typeof index === 'string') return index ?? `${kind.run.kind} was not read`;
  return index.incomplete(object.metadata.namespace ?? '') ?? index;
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
