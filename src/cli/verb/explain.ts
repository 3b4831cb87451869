import type { ExplainFlags } from '#cli/command/explain.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import {
  noneText,
  type ObjectRef,
  readExplainedRef,
  readOrderRef,
  schedulesNamed,
  severalText,
} from '#cli/find-schedule.ts';
import type { Io } from '#cli/io.ts';
import { lookAt, type Shown, type Sight } from '#cli/look.ts';
import { readingCode } from '#cli/outcome.ts';
import { print, type View } from '#cli/print.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import { toObjectDocument } from '#core/change/change-document.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import { toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { toVerdictDocument } from '#core/change/verdict-document.ts';
import { type Diagnostic, toldAboutName, toldWith } from '#core/diagnostic.ts';
import { explain } from '#core/explain.ts';
import { withEvents } from '#core/explain-events.ts';
import { withRetention } from '#core/explain-retention.ts';
import { withHandMade } from '#core/explain-runs.ts';
import { toExplanationDocument } from '#core/explanation-document.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { toOrderDocument } from '#core/order-document.ts';
import { isFinished } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { DrivenWork } from '#core/works.ts';
import { escapeText } from '#render/escape-text.ts';
import { explainText } from '#render/explain-text.ts';
import { orderText } from '#render/order-text.ts';

const MOST_ORDERS = 5;

/** Tells why one schedule does what it does, or where an order of a driver stands. */
export async function explainOne(flags: ExplainFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const order = readOrderRef(words);
  if (order !== undefined) return (await import('./explain-order.ts')).explainOrder(flags, order, io);
  const ref = readExplainedRef(words);
  if (!ref.ok) return usageError(io, ref.message);
  return lookAt({ flags, io }, (sight) => show(sight, ref.value, { flags, io }));
}

/** What is invalid or unreadable was never decided: the verdict and the diagnostics are all there is to tell. */
function undecided({ type, key, verdict }: ScheduleChanges, told: readonly Diagnostic[], now: Instant): View {
  const detail = verdict.detail === undefined ? '' : `: ${verdict.detail}`;
  return {
    document: () => ({
      formatVersion: 1,
      ...toObjectDocument(apiVersionOf(type), key),
      now: formatInstant(now),
      verdict: toVerdictDocument(verdict),
      diagnostics: told.map(toDiagnosticDocument),
    }),
    text: () =>
      `${escapeText(`${keyText(key)} is ${verdict.code}${detail}`.replace(/\.$/, ''))}. Nothing was decided about it.\n`,
  };
}

/** Runs that a driver carries out: those that are unfinished, else the last one. */
function ordersOf({ runs }: Entry, works: ReadonlyMap<string, DrivenWork>): readonly DrivenWork[] {
  const driven = runs
    .toSorted((a, b) => (a.slot ?? 0) - (b.slot ?? 0))
    .flatMap((run) => {
      const work = works.get(keyId(keyOf(run.object)));
      return work === undefined ? [] : [{ run, work }];
    });
  const unfinished = driven.filter(({ run }) => !isFinished(run));
  const chosen = unfinished.length === 0 ? driven.slice(-1) : unfinished.slice(-MOST_ORDERS);
  return chosen.map(({ work }) => work);
}

async function show(
  sight: Sight,
  ref: ObjectRef,
  { flags, io }: { readonly flags: ExplainFlags; readonly io: Io },
): Promise<Shown> {
  const { changeSet, diagnostics, tick, now } = sight;
  const hits = schedulesNamed(changeSet.schedules, ref);
  const [schedule] = hits;
  if (schedule === undefined) {
    io.stderr.write(`error: ${noneText(changeSet.schedules, ref, tick)}\n`);
    return { code: EXIT.failed, diagnostics: toldAboutName(diagnostics, ref.name) };
  }
  if (hits.length > 1) return { code: usageError(io, severalText(hits)), diagnostics: [] };
  const entry = tick.reconciliation.entries.get(keyId(schedule.key));
  const told = toldWith(diagnostics, schedule.key);
  if (entry === undefined) {
    await print(flags.output, undecided(schedule, told, now), io);
    return { code: readingCode(sight), diagnostics: told };
  }
  const explained = explain(entry, schedule.verdict, now, tick.settings.graceSeconds);
  const retained = withRetention(explained, entry, { ...tick, changes: changeSet.retention });
  const whole = withHandMade(retained, entry, tick.observed);
  const explanation = withEvents(whole, entry.schedule.object, tick.observed);
  const orders = ordersOf(entry, tick.reconciliation.works);
  const view = {
    document: () => {
      const chain = orders.map((one) => toOrderDocument(one, now));
      return { ...toExplanationDocument(explanation), ...(chain.length === 0 ? {} : { orders: chain }) };
    },
    text: () => {
      const options = textOptions(io.stdout, io, flags);
      const chain = orders.map((one) => `\n${orderText(one, options)}\n`);
      return [explainText(explanation, options), ...chain].join('');
    },
  };
  await print(flags.output, view, io);
  return { code: readingCode(sight), diagnostics: told };
}
