import { words } from './blanks.ts';
import type { ExtendedDay, ExtendedDays, ExtendedSets } from './extended-days.ts';
import { valueAt, WEEKDAYS_TO_7 } from './field.ts';

/** An expression without its extended day elements. A field that held nothing else is left as a comma: the empty set. */
export interface Remainder {
  readonly text: string;
  readonly sets: ExtendedSets;
}

/** Takes out what the handed-in parser can read; what it cannot stays and is refused with the rest. */
export function takeExtendedDays(text: string, extend: ExtendedDays): Remainder {
  const fields = words(text);
  const dates: ExtendedDay[] = [];
  const weekdays: ExtendedDay[] = [];
  const rest = fields.map((field, index) => {
    if (index === 2) return takeFrom(field, dates, (element) => extend('day of month', element));
    if (index === 4) return takeFrom(field, weekdays, (element) => extend('day of week', numbered(element)));
    return field;
  });
  return { text: rest.join(' '), sets: { dates, weekdays } };
}

function takeFrom(
  field: string,
  found: ExtendedDay[],
  read: (element: string) => ExtendedDay | undefined,
): string {
  const plain = field.split(',').filter((element) => {
    const day = /[L#]/.test(element) ? read(element) : undefined;
    if (day !== undefined) found.push(day);
    return day === undefined;
  });
  return plain.join(',') || ',';
}

/** `FRI#2` and `5#2`, `SUNL`, `7L` and `0L` are the same days; the parser outside gets digits. */
function numbered(element: string): string {
  const match = /^(.+?)(L|#.*)$/.exec(element);
  const name = match?.[1] ?? '';
  const value = valueAt(name, 0, name.length, WEEKDAYS_TO_7);
  return match === null || value < 0 || value > 7 ? element : `${value % 7}${match[2] ?? ''}`;
}
