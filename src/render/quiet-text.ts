import type { Reconciliation } from '#core/reconcile.ts';
import { idleCountLines, isQuiet } from '#render/idle-text.ts';
import { orderCountsText } from '#render/order-counts-text.ts';
import { zoneOf } from '#render/plan-text.ts';

/** The one line of a tick with nothing to write and nothing new to look into; undefined if there is something. */
export function quietText(plan: Pick<Reconciliation, 'changeSet' | 'entries' | 'works'>): string | undefined {
  const { schedules, retention, works, now } = plan.changeSet;
  // An order that waits or runs was told when it came to that.
  if (works.some(({ changes }) => changes.length > 0)) return undefined;
  if (retention.length > 0 || !schedules.every(isQuiet)) return undefined;
  const orders = orderCountsText(plan.works.values());
  if (schedules.length === 0) return orders === undefined ? undefined : `Nothing to do for ${orders}.\n`;
  const idle = schedules.map((schedule) => ({ schedule, view: { now, zone: zoneOf(plan, schedule) } }));
  const [sums, ...more] = idleCountLines(idle);
  return `${[sums, ...(orders === undefined ? [] : [`${orders}.`]), ...more].join(' ')}\n`;
}
