import { expect, it } from 'vitest';
import { firstDayOf, monthOfDay, weekdayOf } from '#core/time/civil.ts';

const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

it('agrees with the platform on month, first day and weekday of every day of four hundred years and of the ends', () => {
  const ranges = [
    [FIRST_DAY, FIRST_DAY + 800],
    [-1000, 146_097],
    [LAST_DAY - 800, LAST_DAY],
  ] as const;
  for (const [from, to] of ranges) {
    for (let day = from; day <= to; day++) {
      const date = new Date(day * 86_400_000);
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
      const first = day - date.getUTCDate() + 1;
      if (monthOfDay(day) !== month || firstDayOf(month) !== first || weekdayOf(day) !== date.getUTCDay()) {
        expect({ day, month: monthOfDay(day), first: firstDayOf(month), weekday: weekdayOf(day) }).toEqual({
          day,
          month,
          first,
          weekday: date.getUTCDay(),
        });
      }
    }
  }
});
