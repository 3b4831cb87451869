import type { ReconcileFlags } from '#cli/command/reconcile.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { hasInput, type Input, readInput } from '#cli/input.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { reconcileCode } from '#cli/outcome.ts';
import { print, type View } from '#cli/print.ts';
import { startProgress } from '#cli/progress.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { isSelective } from '#cli/select.ts';
import { readSettings } from '#cli/settings.ts';
import { STATE_FOLDER } from '#cli/state-folder.ts';
import { textOptions } from '#cli/style.ts';
import { decideTick, nowOf, wholeChangeSet, withStore } from '#cli/tick.ts';
import { missingInput, usageError } from '#cli/usage-error.ts';
import type { ApplyReport } from '#core/change/applied.ts';
import { toAppliedDocument } from '#core/change/applied-document.ts';
import { checkChangeSet } from '#core/change/check.ts';
import { toDocument } from '#core/change/document.ts';
import type { Settings } from '#core/kind.ts';
import type { Instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { applyText } from '#render/apply-text.ts';
import { type PlanTextOptions, type PlanView, planText } from '#render/plan-text.ts';
import { plural } from '#render/plural.ts';
import { quietText } from '#render/quiet-text.ts';
import { applyChangeSet } from '#store/apply.ts';

/** One tick: read, decide, check, apply, tell. */
export async function reconcileOnce(flags: ReconcileFlags, io: Io): Promise<ExitCode> {
  if (!hasInput(flags)) return missingInput(io, 'reconcile');
  if (flags.prune && isSelective(flags)) {
    return usageError(io, '--prune looks at the whole state folder: give it without -n and -l');
  }
  const settings = await readSettings(flags, true, io);
  if (settings === undefined) return EXIT.usage;
  const state = flags.state ?? STATE_FOLDER;
  const input = await readInput(flags, io, state);
  const now = nowOf(flags, io);
  const request = { state, now, prune: flags.prune };
  if (io.isStopped()) {
    io.stderr.write('Stopped before anything was written.\n');
    return EXIT.failed;
  }
  return withStore(input, request, io, async (store) => {
    const preparation = await store.prepare();
    if (preparation.ok) return applyTick(store, { flags, io, settings, input, now });
    // What preparing did before it failed, such as pruning, is told too.
    const before = store.diagnostics().filter(({ what }) => what !== preparation.diagnostic.what);
    const found = [...input.diagnostics, ...before, preparation.diagnostic];
    await reportDiagnostics(found, { io, flags, stdin: input.stdin });
    return EXIT.failed;
  });
}

interface TickContext {
  readonly flags: ReconcileFlags;
  readonly io: Io;
  readonly settings: Settings;
  readonly input: Input;
  readonly now: Instant;
}

function tickText(plan: PlanView, report: ApplyReport, options: PlanTextOptions): string {
  const idle = report.schedules.length === 0 && options.failedReads !== true;
  const quiet = idle ? quietText(plan) : undefined;
  if (quiet !== undefined) return quiet;
  const decided = planText(plan, options);
  // Where nothing could be read, "nothing to do" would pass for success.
  const nothing = options.failedReads === true && plan.changeSet.schedules.length === 0;
  return nothing ? decided : `${decided}\n${applyText(report, options)}`;
}

/** What went is told one by one with the findings; that something went must not be missed. */
function prunedText({ changeSet }: PlanView): string {
  const count = changeSet.diagnostics.filter(({ code }) => code === 'Pruned').length;
  return count === 0 ? '' : `Pruned the state of ${plural(count, 'object')}, with what they controlled.\n`;
}

/** What was decided and what came of it. */
function tickView(plan: PlanView, report: ApplyReport, options: PlanTextOptions): View {
  const { changeSet } = plan;
  return {
    document: () => ({
      formatVersion: 1,
      changeSet: toDocument(changeSet),
      applied: toAppliedDocument(report),
    }),
    text: () => `${tickText(plan, report, options)}${prunedText(plan)}`,
  };
}

async function applyTick(store: OpenedStore, context: TickContext): Promise<ExitCode> {
  const { flags, io, settings, input, now } = context;
  const tick = await decideTick(store, { settings, selection: flags, now });
  const { observed, reconciliation } = tick;
  const problems = checkChangeSet(reconciliation.changeSet, { observed, kinds: KINDS, settings });
  if (problems.length > 0) {
    await reportDiagnostics([...input.diagnostics, ...tick.diagnostics, ...problems], {
      io,
      flags,
      stdin: input.stdin,
    });
    return EXIT.failed;
  }
  const progress = startProgress(io);
  const report = await applyChangeSet(store, reconciliation, {
    isStopped: io.isStopped,
    onSchedule: progress.tell,
  });
  progress.clear();
  const changeSet = wholeChangeSet(tick, input);
  const failedReads = input.failedReads || tick.failedReads;
  const plan = { changeSet, entries: reconciliation.entries };
  await print(
    flags.output,
    tickView(plan, report, { ...textOptions(io.stdout, io, flags), failedReads }),
    io,
  );
  await reportDiagnostics([...changeSet.diagnostics, ...report.diagnostics], {
    io,
    flags,
    stdin: input.stdin,
    rewritten: (flags.state ?? STATE_FOLDER).replace(/(?<=.)\/+$/, ''),
  });
  const diagnostics = changeSet.diagnostics;
  return reconcileCode({ changeSet, diagnostics, failedReads, partial: report.partial }, flags);
}
