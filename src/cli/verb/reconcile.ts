import type { ReconcileFlags } from '#cli/command/reconcile.ts';
import { NO_CONFIG } from '#cli/config.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { type Input, NO_INPUT, readInput } from '#cli/input.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { type Hold, underLease } from '#cli/lease.ts';
import { noteNothingSelected } from '#cli/nothing-selected.ts';
import { planCode, reconcileCode } from '#cli/outcome.ts';
import { type Place, placeOf } from '#cli/place.ts';
import { print } from '#cli/print.ts';
import { startProgress } from '#cli/progress.ts';
import { narrowedPrune, pruningOf } from '#cli/prune.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { openPlan, type PlanFile, planSourceProblem, refuseStale } from '#cli/saved-plan.ts';
import { isSelective, reachOf, selectionOf } from '#cli/select.ts';
import { readSettings } from '#cli/settings.ts';
import { shardOf } from '#cli/shard.ts';
import { STATE_FOLDER } from '#cli/state-folder.ts';
import { textOptions } from '#cli/style.ts';
import { type Journal, withJournal } from '#cli/telemetry/journal.ts';
import { telemetryProblem } from '#cli/telemetry/wish.ts';
import {
  decideTick,
  nowOf,
  type Reading,
  stoppedEarly,
  type Tick,
  type TickRequest,
  unreachableDiagnostics,
  wholeChangeSet,
  withStore,
} from '#cli/tick.ts';
import { tickView } from '#cli/tick-view.ts';
import { tellUnreachable } from '#cli/unreachable.ts';
import { usageError } from '#cli/usage-error.ts';
import { toDocument } from '#core/change/document.ts';
import { soundPart } from '#core/change/sound-part.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Shard } from '#core/shard.ts';
import type { TickOutcome } from '#core/tick-record.ts';
import { NOTHING_STORED } from '#render/apply-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { planText } from '#render/plan-text.ts';
import { applyChangeSet } from '#store/apply.ts';

/** What the flags say that cannot be done together; undefined where all is well. */
function contradiction(flags: ReconcileFlags, place: Place, shard: Shard | undefined): string | undefined {
  const isCluster = place.kind === 'cluster';
  const telemetry = telemetryProblem(flags);
  if (telemetry !== undefined) return telemetry;
  if (!isCluster && flags['dry-run'] === 'server') {
    return '--dry-run=server asks the API server of a cluster, and -f reads manifests: write --dry-run=client';
  }
  if (!isCluster && flags.lease !== undefined)
    return '--lease is of a cluster, and a state folder has a lock of its own: give it without -f';
  if (flags.plan === undefined && flags['plan-max-age'] !== undefined)
    return '--plan-max-age is the age of a plan: give one with --plan';
  const source = planSourceProblem(flags.plan, flags.filename);
  if (source !== undefined) return source;
  if (flags.plan !== undefined && flags.prune)
    return '--prune removes what no plan tells of: give it without --plan';
  if (!flags.prune) return undefined;
  if (isCluster) return '--prune cleans a state folder, and a cluster has none: give manifests with -f';
  if (shard !== undefined) return '--prune looks at the whole state folder: give it without --shard';
  return isSelective(selectionOf(flags, NO_CONFIG))
    ? '--prune looks at the whole state folder: give it without -n and -l'
    : undefined;
}

type Asked =
  | { readonly ok: true; readonly place: Place; readonly shard: Shard | undefined }
  | { readonly ok: false; readonly message: string };

/** Where the objects are and which part of them is meant. */
function askedOf(flags: ReconcileFlags, io: Io): Asked {
  const found = placeOf(flags);
  if (!found.ok) return { ok: false, message: escapeText(found.message) };
  const part = shardOf(flags, io.env);
  if (!part.ok) return part;
  const { place } = found;
  const message = contradiction(flags, place, part.shard);
  return message === undefined ? { ok: true, place, shard: part.shard } : { ok: false, message };
}

/** Files are read whole anyway. */
function readingOf(place: Place, { full }: ReconcileFlags): Reading {
  return place.kind === 'files' || full ? 'whole' : 'needed';
}

/** One tick: read, decide, check, apply, tell. */
export function reconcileOnce(flags: ReconcileFlags, io: Io): Promise<ExitCode> {
  return withJournal(flags, io, (journal) => tickOnce(flags, journal));
}

async function tickOnce(flags: ReconcileFlags, journal: Journal): Promise<ExitCode> {
  const { io } = journal;
  const asked = askedOf(flags, io);
  if (!asked.ok) return usageError(io, asked.message);
  const { place, shard } = asked;
  const isLocal = place.kind === 'files';
  const state = isLocal ? (flags.state ?? STATE_FOLDER) : undefined;
  if (flags['dry-run'] === 'client' && flags.plan === undefined) return planInstead(flags, state, io);
  const read = await readSettings(flags, isLocal ? 'state' : 'cluster', io);
  if (read === undefined) return EXIT.usage;
  journal.configure(read.config.telemetry);
  const selection = selectionOf(flags, read.config);
  const narrowed = flags.prune ? narrowedPrune(selection, read) : undefined;
  if (narrowed !== undefined) return usageError(io, narrowed);
  const input = isLocal ? await readInput(flags, io, read, state) : NO_INPUT;
  const clock = nowOf(flags, io);
  const saved = await openPlan(flags.plan, { clock, maxAge: flags['plan-max-age'] }, io);
  if (!saved.ok) return saved.code;
  const { plan } = saved;
  // What a plan holds was decided for its own time.
  const now = plan?.now ?? clock;
  journal.note({ now, shard });
  const prune = pruningOf(flags.prune, false);
  const { config } = read;
  const dryRun = flags['dry-run'] === 'server';
  const where = { place, config, reach: reachOf(flags, config), state, now, prune, dryRun };
  if (io.isStopped()) return stoppedEarly(io);
  const lease = {
    lease: flags.lease ?? config.lease,
    isDry: flags['dry-run'] !== undefined,
    shard,
    now,
    coversAll: plan === undefined && !isSelective(selectionOf(flags, NO_CONFIG)),
  };
  const request = { ...read, selection, now, reading: readingOf(place, flags), shard, watch: journal.watch };
  return withStore(input, where, io, (store) => {
    journal.use(store);
    return underLease(store, lease, io, (hold) => {
      journal.note({ lag: hold.lag });
      return tickIn(store, { request, flags, io, journal, place, state, input, plan, hold });
    });
  });
}

/** The tick itself, in a store that is open. */
async function tickIn(store: OpenedStore, context: TickContext): Promise<ExitCode> {
  const { flags, io, input, plan } = context;
  const stopped = plan === undefined ? undefined : await comparePlan(store, plan, context);
  if (stopped !== undefined) return stopped;
  const preparation = await store.prepare();
  if (preparation.ok) return applyTick(store, context);
  // What preparing did before it failed, such as pruning, is told too.
  const before = store.diagnostics().filter(({ what }) => what !== preparation.diagnostic.what);
  const found = [...input.diagnostics, ...before, preparation.diagnostic];
  await reportDiagnostics(found, { io, flags, stdin: input.stdin });
  return EXIT.failed;
}

/** The same decision, rendered instead of applied. */
async function planInstead(flags: ReconcileFlags, state: string | undefined, io: Io): Promise<ExitCode> {
  const { plan } = await import('#cli/verb/plan.ts');
  const asked = { ...flags, ...(state === undefined ? {} : { state }), 'detailed-exitcode': false };
  return plan(asked, io, flags.prune);
}

interface TickContext {
  /** What is decided, and from what. */
  readonly request: TickRequest;
  readonly flags: ReconcileFlags;
  readonly io: Io;
  readonly journal: Journal;
  readonly place: Place;
  /** The state folder, where there is one. */
  readonly state: string | undefined;
  readonly input: Input;
  /** Applied only if it is what is decided. */
  readonly plan: PlanFile | undefined;
  readonly hold: Hold;
}

/**
 * Before a state folder records what manifests changed, it is read as `plan` read it. A cluster is read once, and
 * compared when it is.
 */
async function comparePlan(
  store: OpenedStore,
  plan: PlanFile,
  context: TickContext,
): Promise<ExitCode | undefined> {
  const { flags, io, place, input } = context;
  const isDry = flags['dry-run'] === 'client';
  if (place.kind === 'cluster' && !isDry) return undefined;
  const tick = await decideTick(store, context.request);
  if (place.kind === 'cluster' && tick.unreachable)
    return tellUnreachable(unreachableDiagnostics(tick), flags, io);
  const changeSet = wholeChangeSet(tick, input);
  const failedReads = input.failedReads || tick.failedReads;
  const stale = refuseStale(plan, tick, changeSet, false, io);
  if (stale !== undefined || !isDry) return stale;
  const { entries, works } = tick.reconciliation;
  const view = {
    document: () => toDocument(changeSet),
    text: () =>
      `${planText({ changeSet, entries, works }, { ...textOptions(io.stdout, io, flags), failedReads })}\n${PLAN_HOLDS}\n`,
  };
  await print(flags.output, view, io);
  const { diagnostics } = changeSet;
  await reportDiagnostics(diagnostics, { io, flags, stdin: input.stdin });
  return planCode({ changeSet, diagnostics, failedReads }, { ...flags, 'detailed-exitcode': false });
}

const PLAN_HOLDS = 'The plan holds. This was a dry run: nothing was written.';

function outcomeOf(
  { kinds, drivers, reconciliation }: Tick,
  done: Pick<TickOutcome, 'changeSet' | 'report' | 'isWhole'>,
): TickOutcome {
  const orders = drivers.flatMap((driver) => driver.orders);
  return {
    ...done,
    works: reconciliation.works,
    kinds: kinds.map(({ resource }) => resource.kind),
    orderKinds: [...new Set(orders.map(({ kind }) => kind))],
  };
}

type Decided =
  | { readonly ok: true; readonly tick: Tick; readonly problems: readonly Diagnostic[] }
  | { readonly ok: false; readonly code: ExitCode };

/** What may be applied: whole, if it was planned before, and else without what breaks a rule of the self-check. */
async function decideSound(store: OpenedStore, context: TickContext): Promise<Decided> {
  const { request, flags, io, place, input, plan } = context;
  const tick = await decideTick(store, request);
  const ended = (code: ExitCode): Decided => ({ ok: false, code });
  if (place.kind === 'cluster' && tick.unreachable)
    return ended(await tellUnreachable(unreachableDiagnostics(tick), flags, io));
  if (plan !== undefined) {
    const stale = refuseStale(plan, tick, wholeChangeSet(tick, input), place.kind === 'files', io);
    if (stale !== undefined) return ended(stale);
  }
  const { changeSet, problems } = soundPart(tick.reconciliation.changeSet, tick);
  const diagnostics = [...tick.diagnostics, ...problems];
  if (changeSet === undefined || (plan !== undefined && problems.length > 0)) {
    await reportDiagnostics([...input.diagnostics, ...diagnostics], { io, flags, stdin: input.stdin });
    return ended(EXIT.failed);
  }
  const reconciliation = { ...tick.reconciliation, changeSet };
  return { ok: true, tick: { ...tick, reconciliation, diagnostics }, problems };
}

async function applyTick(store: OpenedStore, context: TickContext): Promise<ExitCode> {
  const { request, flags, io, journal, state, input, hold } = context;
  const decided = await decideSound(store, context);
  if (!decided.ok) return decided.code;
  const { tick, problems } = decided;
  const { reconciliation } = tick;
  const changeSet = wholeChangeSet(tick, input);
  const progress = startProgress(io, (done, total) => `applied ${done} of ${total} schedules`);
  const report = await applyChangeSet(store, reconciliation, {
    isStopped: hold.isStopped,
    onSchedule: progress.tell,
  });
  const isWhole = !report.partial || !hold.isStopped();
  if (isWhole) hold.complete();
  progress.clear();
  journal.watch.lap('apply');
  const failedReads = input.failedReads || tick.failedReads;
  journal.note({ outcome: outcomeOf(tick, { changeSet, report, isWhole }) });
  if (!journal.replacesText()) {
    const dryRun = flags['dry-run'] === 'server';
    const { shard } = request;
    const options = { ...textOptions(io.stdout, io, flags), failedReads, dryRun, shard, lag: hold.lag };
    await print(flags.output, tickView({ ...reconciliation, changeSet }, report, options), io);
    if (dryRun && flags.output === 'text') io.stdout.write(NOTHING_STORED);
  }
  const known = new Set(changeSet.diagnostics.map(({ what }) => what));
  const late = store.diagnostics().filter(({ what }) => !known.has(what));
  await reportDiagnostics([...changeSet.diagnostics, ...late, ...report.diagnostics], {
    io,
    flags,
    stdin: input.stdin,
    ...(state === undefined ? {} : { rewritten: state.replace(/(?<=.)\/+$/, '') }),
  });
  if (!failedReads && request.shard === undefined)
    noteNothingSelected(request.selection, { ...changeSet, leftOut: tick.leftOut }, io);
  const diagnostics = changeSet.diagnostics;
  const partial = report.partial || problems.length > 0;
  return reconcileCode({ changeSet, diagnostics, failedReads, partial, works: report.works }, flags);
}
