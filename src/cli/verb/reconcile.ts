import type { ReconcileFlags } from '#cli/command/reconcile.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { hasInput, type Input, readInput } from '#cli/input.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { reconcileCode } from '#cli/outcome.ts';
import { print } from '#cli/print.ts';
import { startProgress } from '#cli/progress.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { readSettings } from '#cli/settings.ts';
import { textOptions } from '#cli/style.ts';
import { decideTick, nowOf, wholeChangeSet, withStore } from '#cli/tick.ts';
import { missingInput } from '#cli/usage-error.ts';
import { toAppliedDocument } from '#core/change/applied-document.ts';
import { checkChangeSet } from '#core/change/check.ts';
import { toDocument } from '#core/change/document.ts';
import type { Settings } from '#core/kind.ts';
import type { Instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { applyText } from '#render/apply-text.ts';
import { planText } from '#render/plan-text.ts';
import { applyChangeSet } from '#store/apply.ts';

/** Where the state lies unless a flag says so. */
const STATE = '.minutehand';

/** One tick: read, decide, check, apply, tell. */
export async function reconcileOnce(flags: ReconcileFlags, io: Io): Promise<ExitCode> {
  if (!hasInput(flags)) return missingInput(io, 'reconcile');
  const settings = await readSettings(flags, true, io);
  if (settings === undefined) return EXIT.usage;
  const input = await readInput(flags, io);
  const now = nowOf(flags, io);
  const request = { state: flags.state ?? STATE, now, prune: flags.prune };
  if (io.isStopped()) {
    io.stderr.write('Stopped before anything was written.\n');
    return EXIT.failed;
  }
  return withStore(input, request, io, async (store) => {
    const preparation = await store.prepare();
    if (preparation.ok) return applyTick(store, { flags, io, settings, input, now });
    await reportDiagnostics([...input.diagnostics, preparation.diagnostic], {
      io,
      flags,
      stdin: input.stdin,
    });
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

async function applyTick(store: OpenedStore, context: TickContext): Promise<ExitCode> {
  const { flags, io, settings, input, now } = context;
  const tick = await decideTick(store, { settings, selection: flags, now });
  const { observed, reconciliation } = tick;
  const problems = checkChangeSet(reconciliation.changeSet, { observed, kinds: KINDS, settings });
  if (problems.length > 0) {
    await reportDiagnostics([...input.diagnostics, ...problems], { io, flags, stdin: input.stdin });
    return EXIT.failed;
  }
  const progress = startProgress(io);
  const report = await applyChangeSet(store, reconciliation, {
    isStopped: io.isStopped,
    onSchedule: progress.tell,
  });
  progress.clear();
  const changeSet = wholeChangeSet(tick, input);
  const options = textOptions(io.stdout, io, flags);
  const view = {
    document: () => ({
      formatVersion: 1,
      changeSet: toDocument(changeSet),
      applied: toAppliedDocument(report),
    }),
    text: () =>
      `${planText({ changeSet, entries: reconciliation.entries }, options)}\n${applyText(report, options)}`,
  };
  await print(flags.output, view, io);
  await reportDiagnostics([...changeSet.diagnostics, ...report.diagnostics], {
    io,
    flags,
    stdin: input.stdin,
  });
  const failedReads = input.failedReads || tick.failedReads;
  const diagnostics = changeSet.diagnostics;
  return reconcileCode({ changeSet, diagnostics, failedReads, partial: report.partial }, flags);
}
