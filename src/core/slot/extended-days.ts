import { weekdayOf } from '#core/time/civil.ts';

/** A day element beyond the Kubernetes grammar: `L`, `nL` and `n#k`. Weekdays count from 0, Sunday. */
export type ExtendedDay =
  | { readonly kind: 'last-day' }
  | { readonly kind: 'last-weekday'; readonly weekday: number }
  | { readonly kind: 'nth-weekday'; readonly weekday: number; readonly nth: number };

/**
 * Reads one list element of a day field; handed in from outside the core, because a library does it.
 * @returns undefined if the element is no such day
 */
export type ExtendedDays = (
  field: 'day of month' | 'day of week',
  element: string,
) => ExtendedDay | undefined;

/** The extended elements of an expression, split by the field they stand in. */
export interface ExtendedSets {
  readonly dates: readonly ExtendedDay[];
  readonly weekdays: readonly ExtendedDay[];
}

/** Whether an expression may need the parser that is loaded on demand: an `L` after a digit, a name or alone, or a `#`. */
export function needsExtendedDays(expression: string): boolean {
  return /#|(?:^|[\s,\d]|[A-Za-z]{3})L(?=[\s,]|$)/.test(expression);
}

/** The days of a month as bits, day 1 at bit 0. */
export function extendedBits(days: readonly ExtendedDay[], first: number, length: number): number {
  let bits = 0;
  for (const day of days) bits |= bitOf(day, first, length);
  return bits;
}

function bitOf(day: ExtendedDay, first: number, length: number): number {
  switch (day.kind) {
    case 'last-day':
      return 1 << (length - 1);
    case 'last-weekday': {
      const last = first + length - 1;
      return 1 << (length - 1 - ((weekdayOf(last) - day.weekday + 7) % 7));
    }
    case 'nth-weekday': {
      const date = ((day.weekday - weekdayOf(first) + 7) % 7) + 7 * (day.nth - 1);
      return date < length ? 1 << date : 0;
    }
  }
}
