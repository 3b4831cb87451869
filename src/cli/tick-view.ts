import type { ApplyReport } from '#core/change/applied.ts';
import { toAppliedDocument } from '#core/change/applied-document.ts';
import { toDocument } from '#core/change/document.ts';
import type { Lag } from '#core/lag.ts';
import { toLagDocument } from '#core/lag-document.ts';
import type { Shard } from '#core/shard.ts';
import { type ApplyTextOptions, applyText } from '#render/apply-text.ts';
import { lagText } from '#render/lag-text.ts';
import { type PlanTextOptions, type PlanView, planText } from '#render/plan-text.ts';
import { quietText } from '#render/quiet-text.ts';
import type { View } from './print.ts';
import { prunedText } from './prune.ts';
import { shardLine } from './shard.ts';

type TickTextOptions = PlanTextOptions &
  ApplyTextOptions & { readonly shard?: Shard | undefined; readonly lag?: Lag | undefined };

function tickText(plan: PlanView, report: ApplyReport, options: TickTextOptions): string {
  const idle = report.schedules.length + report.works.length === 0 && options.failedReads !== true;
  const quiet = idle ? quietText(plan) : undefined;
  if (quiet !== undefined) return quiet;
  const decided = planText(plan, options);
  // Where nothing could be read, "nothing to do" would pass for success.
  const nothing = options.failedReads === true && plan.changeSet.schedules.length === 0;
  return nothing ? decided : `${decided}\n${applyText(report, options)}`;
}

/** What was decided and what came of it. */
export function tickView(plan: PlanView, report: ApplyReport, options: TickTextOptions): View {
  const { changeSet } = plan;
  return {
    document: () => ({
      formatVersion: 1,
      changeSet: toDocument(changeSet),
      applied: toAppliedDocument(report),
      ...(options.lag === undefined ? {} : { lag: toLagDocument(options.lag) }),
    }),
    text: () =>
      `${options.lag === undefined ? '' : lagText(options.lag)}${shardLine(options.shard)}${tickText(plan, report, options)}${prunedText(changeSet)}`,
  };
}
