import type { DeleteChange } from '#core/change/change.ts';
import { countChanges, type RetentionChanges, type ScheduleChanges } from '#core/change/change-set.ts';
import type { Settings } from '#core/kind.ts';
import { compareKeys } from '#core/object/key.ts';
import type { Unmet } from '#core/run/plan.ts';
import type { Entry } from '#core/settle.ts';
import { stillOwed } from '#core/still-owed.ts';
import { createShares, type FireEntry, type Share } from './create-shares.ts';

function isFire(entry: Entry): entry is FireEntry {
  return entry.decision.state === 'fire';
}

/** A slot that is started in part stays owed for the rest. */
function within(entry: FireEntry, share: Share): Entry {
  const { decision } = entry;
  if (share.state === 'none') {
    const { timing, owed } = decision;
    return { ...entry, decision: { state: 'deferred', timing, owed, budget: share.budget } };
  }
  const rest = share.left.map(({ create: { target, key }, budget }): Unmet => {
    return { state: 'deferred', target, name: key.name, budget };
  });
  return {
    ...entry,
    decision: { ...decision, creates: share.creates, unmet: [...decision.unmet, ...rest] },
  };
}

/** The entry with these of its removals. */
function keeping(entry: Entry, isKept: (removal: DeleteChange) => boolean): Entry {
  if (entry.removals.every(isKept)) return entry;
  const stays = entry.removals.map(isKept);
  return {
    ...entry,
    removals: entry.removals.filter((_, index) => stays[index]),
    removed: entry.removed.filter((_, index) => stays[index]),
  };
}

/** Before the budgets its slot was not left owed, and its runs could go. */
function sparing(entry: Entry): Entry {
  const owed = stillOwed(entry.decision);
  return owed === undefined ? entry : keeping(entry, ({ slot }) => slot !== owed);
}

/** The oldest slots first; runs without one, made by hand, come last. */
function compareRemovals(a: DeleteChange, b: DeleteChange): number {
  const age = (a.slot ?? Number.POSITIVE_INFINITY) - (b.slot ?? Number.POSITIVE_INFINITY);
  return age < 0 || age > 0 ? age : compareKeys(a.key, b.key);
}

function trimRemovals(
  entries: readonly Entry[],
  maxDeletes: number,
): { entries: readonly Entry[]; dropped: number } {
  const victims = entries.filter(isFire).reduce((sum, entry) => sum + entry.decision.victims.length, 0);
  const all = entries.flatMap(({ removals }) => removals).sort(compareRemovals);
  const kept = new Set(all.slice(0, Math.max(0, maxDeletes - victims)));
  const trimmed = entries.map((entry) => keeping(entry, (removal) => kept.has(removal)));
  return { entries: trimmed, dropped: all.length - kept.size };
}

/**
 * Keeps creates and deletes within the budgets; replacements come before history. What does not fit stays due
 * for the next tick.
 */
export function applyBudgets(
  entries: readonly Entry[],
  settings: Settings,
): { entries: readonly Entry[]; droppedDeletes: number } {
  const { maxCreates, maxCreatesPerLane, maxDeletes } = settings;
  const limits = [maxCreates, maxCreatesPerLane, maxDeletes];
  if (limits.every((limit) => limit === undefined)) return { entries, droppedDeletes: 0 };
  const short = createShares(entries.filter(isFire), settings);
  const kept = entries.map((entry) => {
    const share = short.get(entry);
    return share !== undefined && isFire(entry) ? sparing(within(entry, share)) : entry;
  });
  if (maxDeletes === undefined) return { entries: kept, droppedDeletes: 0 };
  const trimmed = trimRemovals(kept, maxDeletes);
  return { entries: trimmed.entries, droppedDeletes: trimmed.dropped };
}

/** Retention comes last: what other deletes leave of the budget, the oldest slots first. */
export function trimRetention(
  retention: readonly RetentionChanges[],
  schedules: readonly ScheduleChanges[],
  { maxDeletes }: Settings,
): { readonly retention: readonly RetentionChanges[]; readonly dropped: number } {
  if (maxDeletes === undefined) return { retention, dropped: 0 };
  const used = countChanges(schedules, []).deletes;
  const all = retention.flatMap(({ changes }) => changes).sort(compareRemovals);
  const kept = new Set(all.slice(0, Math.max(0, maxDeletes - used)));
  const trimmed = retention.map((one) => ({
    ...one,
    changes: one.changes.filter((change) => kept.has(change)),
  }));
  return { retention: trimmed.filter(({ changes }) => changes.length > 0), dropped: all.length - kept.size };
}
