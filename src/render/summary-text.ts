import type { ChangeSet, Counts, WorkCounts } from '#core/change/change-set.ts';
import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
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

/** `2 orders: 1 started, 1 running.` */
function workSums({ orders, states }: WorkCounts): string {
  const sums = Object.entries(states).map(([state, count]) => `${grouped(count)} ${state}`);
  return `${plural(orders, 'order')}: ${sums.join(', ')}.`;
}

function withWorks({
  works,
  creates,
  deletes,
  statuses,
  events,
}: Counts): Omit<Counts, 'schedules' | 'verdicts'> {
  return {
    creates: creates + (works?.creates ?? 0),
    deletes: deletes + (works?.deletes ?? 0),
    // Taking a finalizer off is a write to the object, as a status is.
    statuses: statuses + (works?.statuses ?? 0) + (works?.releases ?? 0),
    events: events + (works?.events ?? 0),
  };
}

/** The verdicts add up to the schedules, the changes to everything that would be written. */
export function summaryText(
  { schedules, retention, works, counts }: ChangeSet,
  options: UnreadOptions,
): string {
  if (schedules.length + retention.length + works.length === 0) return noneText(options);
  const sums = verdictCounts(schedules.map(({ verdict }) => verdict));
  const orders = counts.works === undefined ? '' : ` ${workSums(counts.works)}`;
  const verdicts = `${plural(schedules.length, 'schedule')}${sums === '' ? '' : ': '}${sums}.${orders}`;
  const { creates, deletes, statuses, events } = withWorks(counts);
  const missing = partText(options);
  const end = missing === undefined ? '' : `\n${missing}`;
  if (creates + deletes + statuses + events === 0) return `${verdicts}\nNo changes.${end}`;
  const unchanged = schedules.filter(({ changes }) => changes.length === 0).length;
  const writes = [
    `${grouped(creates)} to create`,
    `${grouped(deletes)} to delete`,
    `${plural(statuses, 'status', 'statuses')} to write`,
    `${plural(events, 'event')} to tell`,
  ];
  return `${verdicts}\n${writes.join(', ')}; ${grouped(unchanged)} unchanged.${end}`;
}
