import { refused, writtenByHand } from '#cli/by-hand.ts';
import type { BackfillFlags } from '#cli/command/backfill.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { loadExtension } from '#cli/extension.ts';
import { readObjectRef } from '#cli/find-schedule.ts';
import { heldText } from '#cli/held-text.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { lookAt, type Shown, type Sight } from '#cli/look.ts';
import { isStartable, type OneSchedule, oneSchedule } from '#cli/one-schedule.ts';
import { orderBeside } from '#cli/order-beside.ts';
import { print } from '#cli/print.ts';
import { textOptions } from '#cli/style.ts';
import { nowOf } from '#cli/tick.ts';
import { usageError } from '#cli/usage-error.ts';
import {
  type Backfill,
  type BackfillInput,
  type BackfillResult,
  MOST_SLOTS,
  planBackfill,
} from '#core/backfill.ts';
import type { ApplyReport } from '#core/change/applied.ts';
import { toAppliedDocument } from '#core/change/applied-document.ts';
import { checkChangeSet } from '#core/change/check.ts';
import { toDocument } from '#core/change/document.ts';
import { toldAbout } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import type { Entry } from '#core/settle.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { applyText, NOTHING_STORED } from '#render/apply-text.ts';
import { backfillText } from '#render/backfill-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import { planText } from '#render/plan-text.ts';
import { applyChangeSet } from '#store/apply.ts';

/** A slip in a range must not start a hundred runs. */
const MAX_CREATES = 10;

interface Asked {
  readonly flags: BackfillFlags;
  readonly io: Io;
}

/** Makes the runs that slots of a range do not have. */
export async function backfill(flags: BackfillFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const ref = readObjectRef(words);
  if (!ref.ok) return usageError(io, ref.message);
  const emptiness = emptyText(flags, io);
  if (emptiness !== undefined) return usageError(io, emptiness);
  // `--from` names a capture where a verb only looks.
  const { from: _from, to: _to, ...where } = flags;
  const place = writtenByHand(where, io);
  if (!place.ok) return usageError(io, place.message);
  const asked = { flags, io };
  const writes = async (sight: Sight): Promise<boolean> => {
    if (flags['dry-run'] === 'client' || !isStartable(sight, ref.value)) return false;
    const found = oneSchedule(sight, ref.value, io);
    const decided = found.ok ? await decide(sight, found.value, asked) : undefined;
    return decided?.state === 'planned' && decided.backfill.reconciliation.changeSet.counts.creates > 0;
  };
  return lookAt({ ...place.request, writes }, async (sight, store) => {
    const found = oneSchedule(sight, ref.value, io);
    return found.ok ? fill(sight, store, found.value, asked) : found.shown;
  });
}

/** Why no slot can lie in the range; it ends now at the latest. */
function emptyText(flags: BackfillFlags, io: Io): string | undefined {
  const { from, to } = flags;
  if (to !== undefined && to < from) return '--to lies before --from: the range is empty';
  const end = nowOf(flags, io);
  if (from <= end) return undefined;
  return `--from is still to come, and the range ends now, ${formatInstant(end)}: it is empty`;
}

/** Why a schedule gets nothing by hand; undefined where it may. */
function problemOf({ changes }: OneSchedule, entry: Entry | undefined): string | undefined {
  const { key, verdict } = changes;
  if (verdict.code === 'observed')
    return `${objectText(key)} is left to ${escapeText(verdict.actor ?? 'somebody else')}: its slots are no business of this program`;
  if (entry === undefined) return `${objectText(key)} is ${verdict.code}: nothing is started`;
  return verdict.code === 'deleting' ? `${objectText(key)} is being deleted: nothing is started` : undefined;
}

type Decided = BackfillResult | { readonly state: 'refused'; readonly why: string };

/** The range as it is looked at, and what one command may make. */
function boundsOf({ tick, now }: Sight, { to }: BackfillFlags): Pick<BackfillInput, 'to' | 'maxCreates'> {
  return { to: instant(Math.min(to ?? now, now)), maxCreates: tick.settings.maxCreates ?? MAX_CREATES };
}

async function decide(sight: Sight, one: OneSchedule, { flags }: Asked): Promise<Decided> {
  const { tick, now } = sight;
  const entry = tick.reconciliation.entries.get(keyId(one.changes.key));
  const problem = problemOf(one, entry);
  if (problem !== undefined || entry === undefined) return { state: 'refused', why: problem ?? '' };
  const extend = await loadExtension([one.source]);
  return planBackfill({
    ...boundsOf(sight, flags),
    schedule: one.changes,
    entry,
    observed: tick.observed,
    now,
    graceSeconds: tick.settings.graceSeconds,
    from: flags.from,
    maxCreatesPerLane: tick.settings.maxCreatesPerLane,
    despiteRunning: flags['despite-running'],
    ...(extend === undefined ? {} : { extend }),
  });
}

async function fill(sight: Sight, store: OpenedStore, one: OneSchedule, asked: Asked): Promise<Shown> {
  const { key } = one.changes;
  const result = await decide(sight, one, asked);
  switch (result.state) {
    case 'refused':
      return {
        ...refused(asked.io, result.why, EXIT.failed),
        diagnostics: toldAbout(sight.diagnostics, key),
      };
    case 'badTiming':
      return refused(asked.io, `${objectText(key)}: ${escapeText(result.what)}`, EXIT.failed);
    case 'tooMany':
      return {
        code: usageError(
          asked.io,
          `the range has more than ${MOST_SLOTS} slots: narrow it with --from and --to`,
        ),
        diagnostics: [],
      };
    case 'held':
      return refused(asked.io, heldText(result.entry, result.by), EXIT.partly);
    case 'planned': {
      const beside = asked.flags['despite-running'] ? undefined : await besideAny(store, result.backfill);
      if (beside !== undefined) return refused(asked.io, beside, EXIT.partly);
      return carryOut(sight, store, result.backfill, {
        ...asked,
        ...boundsOf(sight, asked.flags),
      });
    }
  }
}

/** All runs of one schedule that are orders work on one application: any of them tells. */
async function besideAny(store: OpenedStore, { reconciliation }: Backfill): Promise<string | undefined> {
  const changes = reconciliation.changeSet.schedules.flatMap((one) => one.changes);
  const create = changes.find(({ verb }) => verb === 'create');
  return create?.verb === 'create' ? orderBeside(store, create.object) : undefined;
}

async function carryOut(
  { tick }: Sight,
  store: OpenedStore,
  planned: Backfill,
  asked: Asked & { readonly to: Instant; readonly maxCreates: number },
): Promise<Shown> {
  const { flags, io, to, maxCreates } = asked;
  const { reconciliation, left, unmet } = planned;
  const settings = { ...tick.settings, maxCreates };
  const problems = checkChangeSet(reconciliation.changeSet, { ...tick, settings });
  if (problems.length > 0) return { code: EXIT.failed, diagnostics: problems };
  const isDry = flags['dry-run'] === 'client';
  const report = isDry ? undefined : await applyChangeSet(store, reconciliation, { isStopped: io.isStopped });
  const { maxCreatesPerLane } = settings;
  const range = { from: flags.from, to, maxCreates, maxCreatesPerLane };
  const view = {
    document: () => ({
      formatVersion: 1,
      from: formatInstant(range.from),
      to: formatInstant(to),
      slots: planned.slots,
      settled: planned.settled,
      left,
      unmet,
      changeSet: toDocument(reconciliation.changeSet),
      ...(report === undefined ? {} : { applied: toAppliedDocument(report) }),
    }),
    text: () =>
      `${planText(reconciliation, textOptions(io.stdout, io, flags))}\n${backfillText(planned, range)}${endText(report, asked)}`,
  };
  await print(flags.output, view, io);
  const whole = left === 0 && unmet.length === 0 && report?.partial !== true;
  return { code: whole ? EXIT.done : EXIT.partly, diagnostics: report?.diagnostics ?? [] };
}

function endText(report: ApplyReport | undefined, { flags, io }: Asked): string {
  if (report === undefined) return 'This was a dry run: nothing was written.\n';
  const dryRun = flags['dry-run'] === 'server';
  const done = applyText(report, { ...textOptions(io.stdout, io, flags), dryRun });
  return dryRun ? `${done}${NOTHING_STORED}` : done;
}
