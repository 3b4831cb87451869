import { compareQuantity, parseQuantity } from '#api/quantity.ts';
import type { SameMeaning } from '#core/comparison/declared-fields.ts';
import { parseDuration } from '#core/time/duration.ts';
import { parseInstant } from '#core/time/instant.ts';

const DURATION_FIELD = /(jitter|timeout|interval|duration|deadline|ttl|period)$/i;
const TIME_FIELD = /(time|timestamp)$/i;
/** What stands below these is an amount, whatever its own name is. */
const AMOUNTS = ['requests', 'limits', 'capacity', 'sizeLimit'];

function both<T>(before: unknown, after: unknown, read: (text: string) => T | undefined): [T, T] | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const [one, other] = [read(before), read(after)];
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Amounts, lengths of time and instants that are spelled in two ways, in fields that hold such. */
export const sameMeaning: SameMeaning = (keys, before, after) => {
  const field = keys.at(-1) ?? '';
  if (keys.some((key) => AMOUNTS.includes(key))) {
    const [one, other] = [parseQuantity(before), parseQuantity(after)];
    return one !== undefined && other !== undefined && compareQuantity(one, other) === 0;
  }
  if (DURATION_FIELD.test(field)) {
    const pair = both(before, after, parseDuration);
    return pair !== undefined && pair[0] === pair[1];
  }
  if (!TIME_FIELD.test(field)) return false;
  const pair = both(before, after, parseInstant);
  return pair !== undefined && pair[0] === pair[1];
};
