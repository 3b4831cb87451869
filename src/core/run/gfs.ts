import { compareText } from '#core/object/key.ts';
import { monthOfDay } from '#core/time/civil.ts';
import type { Instant } from '#core/time/instant.ts';

/** How many runs or periods each bucket keeps; absent is 0. */
export interface GfsRule {
  readonly keepLatest?: number;
  readonly keepHourly?: number;
  readonly keepDaily?: number;
  readonly keepWeekly?: number;
  readonly keepMonthly?: number;
  readonly keepAnnual?: number;
}

export interface GfsItem {
  /** Unique among the items. */
  readonly id: string;
  readonly endedAt: Instant;
}

export type GfsBucket = 'latest' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'annual';

interface Bucket {
  readonly name: GfsBucket;
  readonly limit: keyof GfsRule;
  /** Equal for items that compete for one place; never grows from newer to older. */
  readonly periodOf: (item: GfsItem, index: number) => number;
}

function dayOf(item: GfsItem): number {
  return Math.floor(item.endedAt / 86_400);
}

const BUCKETS: readonly Bucket[] = [
  { name: 'latest', limit: 'keepLatest', periodOf: (_item, index) => -index },
  { name: 'hourly', limit: 'keepHourly', periodOf: (item) => Math.floor(item.endedAt / 3600) },
  { name: 'daily', limit: 'keepDaily', periodOf: dayOf },
  // Only where a week begins matters, its number and year do not: day -3 is a Monday.
  { name: 'weekly', limit: 'keepWeekly', periodOf: (item) => Math.floor((dayOf(item) + 3) / 7) },
  { name: 'monthly', limit: 'keepMonthly', periodOf: (item) => monthOfDay(dayOf(item)) },
  { name: 'annual', limit: 'keepAnnual', periodOf: (item) => Math.floor(monthOfDay(dayOf(item)) / 12) },
];

/** Such a rule would have everything pruned: it is refused where it is written, and must not be applied (D30). */
export function keepsNothing(rule: GfsRule): boolean {
  return BUCKETS.every(({ limit }) => (rule[limit] ?? 0) <= 0);
}

/**
 * Grandfather-father-son retention, snapshot-schedule.md 4.2: each bucket keeps the newest item of each of its newest
 * periods, in UTC.
 * @returns what is kept, newest first, each with all the buckets that keep it
 */
export function keptByGfs(
  rule: GfsRule,
  items: readonly GfsItem[],
): ReadonlyMap<string, readonly GfsBucket[]> {
  const newestFirst = [...items].sort((a, b) => b.endedAt - a.endedAt || compareText(a.id, b.id));
  const open = BUCKETS.map((bucket) => ({ bucket, left: rule[bucket.limit] ?? 0, period: Number.NaN }));
  const kept = new Map<string, readonly GfsBucket[]>();
  for (const [index, item] of newestFirst.entries()) {
    const keeping: GfsBucket[] = [];
    for (const state of open) {
      if (state.left <= 0) continue;
      const period = state.bucket.periodOf(item, index);
      if (period === state.period) continue;
      state.period = period;
      state.left -= 1;
      keeping.push(state.bucket.name);
    }
    if (keeping.length > 0) kept.set(item.id, keeping);
  }
  return kept;
}
