/*
 * Calendar arithmetic in integers, proleptic Gregorian, years 0 to 9999 and a little beyond. Days count from
 * 1970-01-01. Months are counted as year * 12 + month - 1. The year is taken to begin in March, so that the leap
 * day is its last day and the lengths of the months before it follow one formula.
 */

/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/** The month that a day lies in. */
export function monthOfDay(day: number): number {
  const shifted = day + EPOCH_SHIFT;
  const era = (shifted / DAYS_OF_400_YEARS) | 0;
  const ofEra = shifted - era * DAYS_OF_400_YEARS;
  const leapDays = ((ofEra / 1460) | 0) - ((ofEra / 36_524) | 0) + ((ofEra / 146_096) | 0);
  const yearOfEra = ((ofEra - leapDays) / 365) | 0;
  const ofYear = ofEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  return (yearOfEra + era * 400) * 12 + (((5 * ofYear + 2) / 153) | 0) + 2;
}

/** The first day of a month. */
export function firstDayOf(month: number): number {
  const year = ((month - 2) / 12) | 0;
  const ofYear = month - 2 - year * 12;
  const leapDays = (year >> 2) - ((year / 100) | 0) + ((year / 400) | 0);
  return 365 * year + leapDays + (((153 * ofYear + 2) / 5) | 0) - EPOCH_SHIFT;
}

/** 0 is Sunday. */
export function weekdayOf(day: number): number {
  return ((day % 7) + 11) % 7;
}
