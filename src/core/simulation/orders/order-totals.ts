import type { OrderAccount, PartCounts } from './diary.ts';

/** What all orders add up to. */
export interface OrderTotals {
  readonly orders: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Before they had ended. */
  readonly deleted: number;
  readonly notOver: number;
  readonly parts: PartCounts;
  readonly restarts: number;
  readonly waits: OrderAccount['waits'];
}

function endOf({ outcome, state }: OrderAccount): 'succeeded' | 'failed' | 'deleted' | 'notOver' {
  return outcome ?? (state === 'deleted' ? 'deleted' : 'notOver');
}

export function orderTotals(orders: readonly OrderAccount[]): OrderTotals {
  const parts = { started: 0, succeeded: 0, failed: 0, stopped: 0, running: 0 };
  const waits = { count: 0, seconds: 0 };
  let restarts = 0;
  for (const one of orders) {
    for (const how of Object.keys(parts) as (keyof PartCounts)[]) parts[how] += one.parts[how];
    waits.count += one.waits.count;
    waits.seconds += one.waits.seconds;
    restarts += one.restarts;
  }
  const by = { succeeded: 0, failed: 0, deleted: 0, notOver: 0 };
  for (const one of orders) by[endOf(one)] += 1;
  return { orders: orders.length, ...by, parts, restarts, waits };
}
