import type { PlanFlags } from '#cli/command/plan.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { lookAt } from '#cli/look.ts';
import { planCode } from '#cli/outcome.ts';
import { print } from '#cli/print.ts';
import { prunedText } from '#cli/prune.ts';
import { shardLine, shardOf } from '#cli/shard.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import { toDocument } from '#core/change/document.ts';
import { soundPart } from '#core/change/sound-part.ts';
import { planText } from '#render/plan-text.ts';

/** Last, since the words of a plan are those of a tick that was done. */
const NOTHING_WRITTEN = 'This is a plan: nothing was written.';

/**
 * Shows what a tick would do: the same decision as `reconcile`, rendered instead of applied.
 * @param showsPrune what a prune would remove is told, too
 */
export async function plan(flags: PlanFlags, io: Io, showsPrune = false): Promise<ExitCode> {
  const part = shardOf(flags, io.env);
  if (!part.ok) return usageError(io, part.message);
  const { shard } = part;
  return lookAt({ flags, io, shard, asATick: !flags.full, showsPrune }, async (sight) => {
    const { tick, failedReads } = sight;
    const { changeSet, problems } = soundPart(sight.changeSet, tick);
    const diagnostics = [...sight.diagnostics, ...problems];
    if (changeSet === undefined) return { code: EXIT.failed, diagnostics };
    const { entries, works } = tick.reconciliation;
    const view = {
      document: () => toDocument(changeSet),
      text: () =>
        `${shardLine(shard)}${planText({ changeSet, entries, works }, { ...textOptions(io.stdout, io, flags), failedReads })}${prunedText(changeSet)}\n${NOTHING_WRITTEN}\n`,
    };
    await print(flags.output, view, io);
    const code = planCode({ ...sight, changeSet }, flags);
    return { code: problems.length > 0 ? EXIT.partly : code, diagnostics };
  });
}
