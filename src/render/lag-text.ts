import type { Lag, Minutes } from '#core/lag.ts';
import { formatInstant } from '#core/time/instant.ts';
import { utcText } from '#render/moment-text.ts';
import { plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';

/** Without the date where both are of one day. */
function minutesText({ first, last }: Minutes): string {
  const [begin, end] = [formatInstant(first), formatInstant(last)];
  const clock = (text: string): string => text.slice(11, 16);
  if (first === last) return `${clock(begin)} UTC`;
  const date = (text: string): string => text.slice(0, 10);
  return date(begin) === date(end)
    ? `${clock(begin)} … ${clock(end)} UTC`
    : `${date(begin)} ${clock(begin)} … ${date(end)} ${clock(end)} UTC`;
}

/** A line for a tick that is not on time, else nothing. */
export function lagText({ lastCompleted, missedMinutes, missed, secondsBack }: Lag): string {
  if (missed !== undefined)
    return `lag: ${plural(missedMinutes, 'minute')} without a completed tick: ${minutesText(missed)}\n`;
  if (secondsBack === 0 || lastCompleted === undefined) return '';
  return `lag: the clock is ${spanText(secondsBack)} behind the last completed tick, which was at ${utcText(lastCompleted)}\n`;
}
