import type { DeleteChange } from '#core/change/change.ts';
import type { Settings } from '#core/kind.ts';
import { compareKeys } from '#core/object/key.ts';
import type { Entry } from '#core/settle.ts';

type FireEntry = Entry & { readonly decision: { readonly state: 'fire' } };

function isFire(entry: Entry): entry is FireEntry {
  return entry.decision.state === 'fire';
}

function defer(entry: FireEntry, budget: string): Entry {
  const { timing, owed } = entry.decision;
  return { ...entry, decision: { state: 'deferred', timing, owed, budget } };
}

/** Entries whose create does not fit, with the budget that stopped each: the oldest slots go first. */
function deferred(entries: readonly Entry[], settings: Settings): ReadonlyMap<Entry, string> {
  const { maxCreates = Number.POSITIVE_INFINITY, maxDeletes = Number.POSITIVE_INFINITY } = settings;
  const stopped = new Map<Entry, string>();
  const left = { creates: maxCreates, deletes: maxDeletes };
  const fires = entries.filter(isFire).sort(
    (a, b) =>
      // What has been owed the longest: by the latest slot alone, the same names would win in every tick.
      a.decision.owed.oldest - b.decision.owed.oldest ||
      a.decision.owed.slot - b.decision.owed.slot ||
      compareKeys(a.decision.create.key, b.decision.create.key),
  );
  for (const entry of fires) {
    const victims = entry.decision.victims.length;
    if (left.creates < 1) stopped.set(entry, `--max-creates ${maxCreates} is used up by older slots`);
    else if (left.deletes < victims)
      stopped.set(entry, `--max-deletes ${maxDeletes} leaves no room for the runs to replace`);
    else {
      left.creates -= 1;
      left.deletes -= victims;
    }
  }
  return stopped;
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
  const trimmed = entries.map((entry) => {
    if (entry.removals.every((removal) => kept.has(removal))) return entry;
    const stays = entry.removals.map((removal) => kept.has(removal));
    return {
      ...entry,
      removals: entry.removals.filter((_, index) => stays[index]),
      removed: entry.removed.filter((_, index) => stays[index]),
    };
  });
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
  const { maxCreates, maxDeletes } = settings;
  if (maxCreates === undefined && maxDeletes === undefined) return { entries, droppedDeletes: 0 };
  const stopped = deferred(entries, settings);
  const kept = entries.map((entry) => {
    const budget = stopped.get(entry);
    return budget !== undefined && isFire(entry) ? defer(entry, budget) : entry;
  });
  if (maxDeletes === undefined) return { entries: kept, droppedDeletes: 0 };
  const trimmed = trimRemovals(kept, maxDeletes);
  return { entries: trimmed.entries, droppedDeletes: trimmed.dropped };
}
