import type { Counts, WorkCounts } from '#core/change/change-set.ts';
import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { orderCountsText } from '#render/order-counts-text.ts';
import { grouped, plural } from '#render/plural.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';

/** Every verdict, the ones that ask for attention first. */
const ORDER: Readonly<Record<VerdictCode, number>> = {
  fired: 0,
  empty: 0.5,
  held: 1,
  deferred: 2,
  expired: 3,
  failed: 4,
  conflict: 5,
  invalid: 6,
  unreadable: 7,
  observed: 8,
  suspended: 9,
  deleting: 10,
  waiting: 11,
};

/** `2 fired, 1 held, 3 waiting`. */
export function verdictCounts(verdicts: readonly Verdict[]): string {
  const counts = new Map<VerdictCode, number>();
  for (const { code } of verdicts) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => ORDER[a] - ORDER[b])
    .map(([code, count]) => `${grouped(count)} ${code}`)
    .join(', ');
}

/** `2 to create, 0 to delete, 1 status to write, 3 to release, 1 event to tell`; undefined where nothing is written. */
function writesText({
  works,
  creates,
  deletes,
  annotations = 0,
  statuses,
  events,
}: Counts): string | undefined {
  const { releases = 0, ...more }: Partial<WorkCounts> = works ?? {};
  const created = creates + (more.creates ?? 0);
  const deleted = deletes + (more.deletes ?? 0);
  const written = statuses + (more.statuses ?? 0);
  const told = events + (more.events ?? 0);
  if (created + deleted + annotations + written + releases + told === 0) return undefined;
  return [
    `${grouped(created)} to create`,
    `${grouped(deleted)} to delete`,
    ...(annotations === 0 ? [] : [`${grouped(annotations)} to annotate`]),
    `${plural(written, 'status', 'statuses')} to write`,
    ...(releases === 0 ? [] : [`${grouped(releases)} to release`]),
    `${plural(told, 'event')} to tell`,
  ].join(', ');
}

/** The verdicts add up to the schedules, the changes to everything that would be written. */
export function summaryText(
  { changeSet, works }: Pick<Reconciliation, 'changeSet' | 'works'>,
  options: UnreadOptions,
): string {
  const { schedules, retention, counts } = changeSet;
  const told = orderCountsText(works.values());
  if (schedules.length + retention.length + changeSet.works.length === 0 && told === undefined)
    return noneText(options);
  const sums = verdictCounts(schedules.map(({ verdict }) => verdict));
  const orders = told === undefined ? '' : ` ${told}.`;
  const verdicts = `${plural(schedules.length, 'schedule')}${sums === '' ? '' : ': '}${sums}.${orders}`;
  const writes = writesText(counts);
  const missing = partText(options);
  const end = missing === undefined ? '' : `\n${missing}`;
  if (writes === undefined) return `${verdicts}\nNo changes.${end}`;
  const unchanged = schedules.filter(({ changes }) => changes.length === 0).length;
  return `${verdicts}\n${writes}; ${grouped(unchanged)} unchanged.${end}`;
}
