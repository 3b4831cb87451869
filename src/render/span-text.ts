import { grouped } from '#render/plural.ts';

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** A length of time in its two largest units: `40 s`, `5 h 12 min`, `3 d 4 h`; the rest is cut off. */
export function spanText(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
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
