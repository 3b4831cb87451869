import type { OrderAccount } from '#core/simulation/orders/diary.ts';
import { orderTotals } from '#core/simulation/orders/order-totals.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { grouped, plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { partRows } from './part-rows.ts';

/** Jobs that are told one by one. */
const MOST_ORDERS = 10;

function countText({ parts, restarts, waits }: Pick<OrderAccount, 'parts' | 'restarts' | 'waits'>): string {
  const { started, succeeded, failed, stopped, running } = parts;
  return [
    `${plural(started, 'pod')} started`,
    `${grouped(succeeded)} succeeded`,
    `${grouped(failed)} failed`,
    ...(stopped === 0 ? [] : [`${grouped(stopped)} stopped`]),
    ...(running === 0 ? [] : [`${grouped(running)} at work at the end`]),
    ...(restarts === 0 ? [] : [plural(restarts, 'restart')]),
    ...(waits.count === 0
      ? []
      : [`back-off ${plural(waits.count, 'time')}, ${spanText(waits.seconds)} together`]),
  ].join(', ');
}

function totalLine(orders: readonly OrderAccount[]): string {
  const totals = orderTotals(orders);
  const ends = [
    `${grouped(totals.succeeded)} succeeded`,
    `${grouped(totals.failed)} failed`,
    ...(totals.deleted === 0 ? [] : [`${grouped(totals.deleted)} deleted before that`]),
    ...(totals.notOver === 0 ? [] : [`${grouped(totals.notOver)} not over`]),
  ];
  return `${plural(totals.orders, 'managed Job')}: ${ends.join(', ')}; ${countText(totals)}`;
}

function headLine(order: OrderAccount, { palette }: TextOptions): string {
  const { key, state, outcome, reason, detail, decidedAt, endedAt, deletedAt } = order;
  const word = outcome ?? state;
  const tone = word === 'succeeded' ? palette.good : word === 'failed' ? palette.bad : palette.warning;
  const why = reason === undefined ? '' : ` (${escapeText(reason)})`;
  const decided = decidedAt === undefined || decidedAt === endedAt ? '' : `, decided ${utcText(decidedAt)}`;
  const over = outcome === undefined ? deletedAt : endedAt;
  const ended = over === undefined ? '' : ` ${utcText(over)}`;
  const deleted = outcome === undefined || deletedAt === undefined ? '' : `, deleted ${utcText(deletedAt)}`;
  const because = detail === undefined ? '' : `: ${escapeText(detail)}`;
  return `${objectText(key)}  ${tone(word)}${ended}${why}${decided}${deleted}${because}`;
}

/** Those that no schedule made, then those that failed, in the order in which they were seen. */
function told(orders: readonly OrderAccount[]): readonly OrderAccount[] {
  const rank = ({ schedule, outcome }: OrderAccount): number =>
    schedule === undefined ? 0 : outcome === 'failed' ? 1 : 2;
  const first = new Set([...orders].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_ORDERS));
  return orders.filter((order) => first.has(order));
}

/** What became of managed Jobs, with a drawing of their pods. */
export function simulatedOrderLines(
  orders: readonly OrderAccount[],
  options: TextOptions & Pick<{ until: OrderAccount['seen'] }, 'until'>,
): readonly string[] {
  if (orders.length === 0) return [];
  const shown = told(orders);
  const left = orders.length - shown.length;
  return [
    totalLine(orders),
    ...shown.flatMap((order) => [
      '',
      headLine(order, options),
      `  ${countText(order)}`,
      ...partRows(order, options).map((line) => `  ${line}`),
    ]),
    ...(left === 0
      ? []
      : [
          '',
          `${plural(left, 'Job')} more, which this text leaves out: name a Job or its schedule, or take -o json.`,
        ]),
  ];
}
