import type { Verdict } from '#core/change/verdict.ts';
import { verdictOf } from '#core/change/verdict-of.ts';
import { decide, timingInput } from '#core/decide.ts';
import { deleteRun } from '#core/delete-run.ts';
import { timingOf } from '#core/entry-timing.ts';
import { fieldOf } from '#core/field-of.ts';
import type { Decision, Finding, Schedule, ScheduleKind, Settings } from '#core/kind.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { deferredIn, gapIn, listingOf, NOT_IN_THIS_TICK, type Observed, typeId } from '#core/observed.ts';
import { openSchedule } from '#core/open-schedule.ts';
import { isCalm } from '#core/quiet.ts';
import { type Referents, referentsOf } from '#core/referents.ts';
import { outlivedRuns, surplusRuns } from '#core/run/history.ts';
import { leftoverMarks } from '#core/run/leftover-marks.ts';
import type { Run } from '#core/run/phase.ts';
import { provedSlot } from '#core/run/proved-slot.ts';
import { readRuns } from '#core/run/read-runs.ts';
import { indexRuns, type RunIndex } from '#core/run/run-index.ts';
import type { Entry, Settlement } from '#core/settle.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import { rangeOf, type SlotRange } from '#core/slot/range.ts';
import { stillOwed } from '#core/still-owed.ts';
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
  /** Which objects that govern runs are acted on; all if it is left out. */
  readonly isSelected?: (object: KubeObject) => boolean;
  /** Of `observed`, where somebody made it already. */
  readonly referents?: Referents;
  /** The runs of `observed` by their type, where somebody keeps them ready to be found. */
  readonly indexes?: ReadonlyMap<string, RunIndex>;
  /** Some schedules were left out. */
  readonly isPartial?: boolean;
  /** Of schedules whose runs this tick leaves unread: what was decided about them already. */
  readonly quiet?: ReadonlyMap<SourcedObject, Draft>;
  /** Which schedules are decided about; the others are only looked at where a run of theirs would go. All if left out. */
  readonly isOwn?: (schedule: KubeObject) => boolean;
}

/** A schedule after its own decision: on its way to a change set, or finished without one. */
export type Draft =
  | {
      readonly state: 'entry';
      readonly source: SourcedObject;
      readonly entry: Entry;
      /** Decided without its runs, which nobody read: it stands only if it changes nothing that depends on them. */
      readonly runsUnread?: true;
      /** What follows from it, where it was worked out already. */
      readonly settlement?: Settlement;
    }
  | Finished;

export interface Finished {
  readonly state: 'verdict';
  readonly source: SourcedObject;
  readonly kind: ScheduleKind;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly entry?: Entry;
  /** It is `unreadable` because its runs, which nobody read, may decide otherwise. */
  readonly needsRuns?: true;
}

/** What is the same for all schedules of a kind. */
interface KindContext extends Context {
  /** The namespaces whose runs this tick leaves unread. */
  readonly deferred: ReadonlySet<string> | undefined;
}

interface Context extends Omit<ReconcileInput, 'indexes'> {
  readonly indexes: ReadonlyMap<string, RunIndex | string>;
  readonly referents: Referents;
}

/** Each schedule decided by itself; nothing here knows of budgets or of other schedules. */
export function draftSchedules(input: ReconcileInput): readonly Draft[] {
  const context: Context = {
    ...input,
    indexes: indexAll(input),
    referents: input.referents ?? referentsOf(input.observed),
  };
  return input.kinds.flatMap((kind) => draftKind(kind, context));
}

/** Per kind of run: its index, or why it could not be read. */
function indexAll(input: ReconcileInput): ReadonlyMap<string, RunIndex | string> {
  const indexes = new Map<string, RunIndex | string>();
  for (const { run, runKeys } of input.kinds) {
    if (indexes.has(typeId(run))) continue;
    const listing = listingOf(input.observed, run);
    switch (listing.state) {
      case 'read':
        indexes.set(
          typeId(run),
          input.indexes?.get(typeId(run)) ??
            indexRuns(listing.objects, runKeys, (namespace) => gapIn(listing, namespace)),
        );
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

function draftKind(kind: ScheduleKind, given: Context): Draft[] {
  const context = { ...given, deferred: deferredIn(listingOf(given.observed, kind.run)) };
  const listing = listingOf(context.observed, kind.resource);
  if (listing.state !== 'read') return [];
  const isOwn = ({ object }: SourcedObject): boolean => context.isOwn?.(object) !== false;
  const unreadable = (listing.unreadable ?? []).filter(({ source }) => isOwn(source));
  return [
    ...listing.objects.filter(isOwn).map((source) => known(source, context) ?? draft(kind, source, context)),
    ...unreadable.map(({ source, reason }) => unreadableDraft(kind, source, reason)),
  ];
}

/** What was decided without runs holds where none were read since. */
function known(source: SourcedObject, context: KindContext): Draft | undefined {
  return areRunsDeferred(source, context) ? context.quiet?.get(source) : undefined;
}

function draft(kind: ScheduleKind, source: SourcedObject, context: KindContext): Draft {
  const { settings, now, referents } = context;
  const unusable = unusableName(source.object.metadata.name);
  if (unusable !== undefined) return invalidDraft(kind, source, [unusable]);
  const writer = writerOf(kind, source.object, settings);
  const opened = openSchedule(kind, source, { settings, now, referents });
  if (opened.state === 'invalid') return invalidDraft(kind, source, opened.findings);
  const { schedule } = opened;
  const runsUnread = areRunsDeferred(source, context);
  const index = runsUnread ? NO_INDEX : runsFor(kind, source, context);
  if (typeof index === 'string') {
    return unreadableDraft(kind, source, index, schedule.findings);
  }
  const runs = readRuns(index, schedule.ownKeys, schedule.readRun);
  const others = (): readonly Run[] => readRuns(index, schedule.otherKeys(), schedule.readOther);
  const proved = provedSlot(schedule, runs);
  const graceSeconds = writer.state === 'ours' ? settings.graceSeconds : 0;
  const base = { kind, schedule, runs, others, proved, index, referents, graceSeconds, now };
  const decision = decide(context.extend === undefined ? base : { ...base, extend: context.extend });
  const range = source.provisional === true ? rangeOfEntry(schedule, decision, context.extend) : undefined;
  const entry: Entry = {
    kind,
    schedule,
    runs,
    proved,
    decision,
    range,
    removals: NOTHING,
    removed: NOTHING,
    cleanups: NOTHING,
  };
  if (runsUnread && !isCalm(decision)) {
    return needingRuns(kind, source, schedule.findings);
  }
  if (writer.state === 'observed') {
    const verdict: Verdict = { code: 'observed', actor: writer.actor, foreseen: verdictOf(decision) };
    return {
      state: 'verdict',
      source,
      kind,
      verdict,
      findings: [
        ...(writer.since === 'record' ? [otherWriter(kind, source.object, writer.actor)] : []),
        ...schedule.findings,
        ...timingFindings(schedule, decision),
        ...schedule.foretell(decision, now),
      ],
      entry,
    };
  }
  if (runsUnread) return { state: 'entry', source, entry, runsUnread };
  return { state: 'entry', source, entry: withRemovals(entry, now) };
}

/** Nobody may act on it any more: one edit of a status by hand is enough to be its writer. */
function otherWriter({ id, resource }: ScheduleKind, { metadata }: KubeObject, actor: string): Finding {
  const { name, namespace } = metadata;
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  return {
    code: 'Observed',
    severity: 'warning',
    path: ['status'],
    what: `its status is written by ${actor}, so it is only observed: no slot of it is run here`,
    fix:
      `if ${actor} does not act on it, take it over: minutehand adopt ${resource.singular}/${name}${place}; ` +
      `if it acts on all of them, let the configuration say ${fieldOf(id)}: observe`,
  };
}

function rangeOfEntry(
  schedule: Schedule,
  decision: Decision,
  extend: ExtendedDays | undefined,
): SlotRange | undefined {
  const timing = timingOf(decision);
  return timing === undefined ? undefined : rangeOf(timingInput(schedule, extend), timing);
}

/** It stays as it is: what was not read is never taken for empty. */
export function needingRuns(
  kind: ScheduleKind,
  source: SourcedObject,
  findings: readonly Finding[],
): Finished {
  return { ...unreadableDraft(kind, source, NOT_IN_THIS_TICK, findings), needsRuns: true };
}

function invalidDraft(kind: ScheduleKind, source: SourcedObject, findings: readonly Finding[]): Finished {
  return { state: 'verdict', source, kind, verdict: { code: 'invalid' }, findings };
}

function unreadableDraft(
  kind: ScheduleKind,
  source: SourcedObject,
  detail: string,
  findings: readonly Finding[] = [],
): Finished {
  return { state: 'verdict', source, kind, verdict: { code: 'unreadable', detail }, findings };
}

const NO_INDEX = indexRuns([], () => []);

function areRunsDeferred({ object }: SourcedObject, { deferred }: KindContext): boolean {
  return deferred?.has(object.metadata.namespace ?? '') === true;
}

/** The runs that a schedule may have, or why they cannot all be known: a missing one is then not taken for absent. */
function runsFor(kind: ScheduleKind, { object }: SourcedObject, { indexes }: Context): RunIndex | string {
  const index = indexes.get(typeId(kind.run));
  if (index === undefined || typeof index === 'string') return index ?? `${kind.run.kind} was not read`;
  return index.incomplete(object.metadata.namespace ?? '') ?? index;
}

const NOTHING: readonly never[] = [];

const STOPPED: readonly Decision['state'][] = ['deleting', 'badTiming', 'never'];

/** Runs that go for good: a replaced run is not counted again by the history. */
function withRemovals(entry: Entry, now: Instant): Entry {
  const { kind, schedule, runs } = entry;
  if (runs.length === 0) return entry;
  if (kind.rules.prunes === 'whileValid' && STOPPED.includes(entry.decision.state)) return entry;
  const owed = stillOwed(entry.decision);
  const surplus = judgedOnly(schedule, runs, surplusRuns(schedule.history, runs)).filter(
    ({ slot }) => owed === undefined || slot !== owed,
  );
  const outlived = outlivedRuns(runs, now).filter((run) => !surplus.includes(run));
  return {
    ...entry,
    removed: [...surplus, ...outlived],
    removals: [
      ...surplus.map((run) => deleteRun(kind, run, 'HistoryLimit')),
      ...outlived.map((run) => deleteRun(kind, run, 'TimeToLive')),
    ],
    cleanups: leftoverMarks(kind, runs),
  };
}

function judgedOnly({ judged }: Schedule, runs: readonly Run[], surplus: readonly Run[]): readonly Run[] {
  return surplus.length === 0 ? surplus : surplus.filter(judged(runs));
}
