import { grouped } from '#render/plural.ts';

const DAY = 86_400;
/** From here on hours say nothing. */
const MANY_DAYS = 100;

const UNITS = [
  [DAY, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** A length of time in its two largest units: `40 s`, `5 h 12 min`, `3 d 4 h`, `305 d`; the rest is cut off. */
export function spanText(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const days = Math.floor(whole / DAY);
  if (days >= MANY_DAYS) return `${grouped(days)} d`;
  const first = UNITS.findIndex(([size]) => whole >= size);
  if (first < 0) return '0 s';
  let rest = whole;
  const parts = UNITS.slice(first, first + 2).map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${grouped(count)} ${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

/** `in 5 h 12 min`, `40 s ago`, `now`. */
export function distanceText(seconds: number): string {
  if (seconds === 0) return 'now';
  return seconds > 0 ? `in ${spanText(seconds)}` : `${spanText(seconds)} ago`;
}
