import type { ExtendedSets } from './extended-days.ts';

/** What an expression matches, as bit sets. */
export interface CronFields {
  /** Minutes 0 to 29, minute 0 at bit 0. */
  readonly minutesLow: number;
  /** Minutes 30 to 59, minute 30 at bit 0. */
  readonly minutesHigh: number;
  readonly hours: number;
  /** Day 1 at bit 0. */
  readonly days: number;
  /** January at bit 0. */
  readonly months: number;
  /** Sunday at bit 0. */
  readonly weekdays: number;
  /** One of the two day fields is enough: neither has the star mark. */
  readonly either: boolean;
  /** Nothing restricts the day. */
  readonly everyDay: boolean;
  /** Minute and hour are each one plain number: what the safe rule is for. */
  readonly fixedTime: boolean;
  readonly extended: ExtendedSets | undefined;
}

export const ALL_DAYS = 0x7fffffff;
export const ALL_MONTHS = 0xfff;
export const ALL_WEEKDAYS = 0x7f;

/** The fields of a timing that has none. */
export const NO_FIELDS: CronFields = {
  minutesLow: 0,
  minutesHigh: 0,
  hours: 0,
  days: 0,
  months: 0,
  weekdays: 0,
  either: false,
  everyDay: false,
  fixedTime: false,
  extended: undefined,
};
