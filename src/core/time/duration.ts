/** What fits into Go's 64-bit nanoseconds. */
const MOST_SECONDS = 9_223_372_036;

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/**
 * The duration grammar of snapshot-schedule.md D18: `1h30m`, `90s`, `30m`; a bare whole number means seconds; blanks
 * around it are cut off.
 * @returns whole seconds; undefined for anything else: fractions, `ms`, `d`, signs, blanks inside, more than 292 years
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return withinReach(Number(trimmed));
  if (!/^(?:\d+[hms])+$/.test(trimmed)) return undefined;
  let seconds = 0;
  for (const [, digits = '', unit = ''] of trimmed.matchAll(/(\d+)([hms])/g))
    seconds += Number(digits) * (UNITS[unit] ?? 0);
  return withinReach(seconds);
}

function withinReach(seconds: number): number | undefined {
  return seconds <= MOST_SECONDS ? seconds : undefined;
}

/** `1h30m`, `1m30s`, `0s`; hours are the largest unit. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const;
  const text = parts.map(([value, unit]) => (value === 0 ? '' : `${value}${unit}`)).join('');
  return `${seconds < 0 && whole > 0 ? '-' : ''}${text || '0s'}`;
}

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const LIMIT = 2n ** 63n;

/**
 * The period of `@every` (cron-job.md 1.3): Go's duration syntax, a fraction of a second dropped, anything below one
 * second, zero and negative included, made one second.
 * @returns whole seconds; undefined if Go could not read it
 */
export function parseGoDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 1;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)[a-z\u00b5\u03bc]+)+$/.test(unsigned)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of unsigned.matchAll(
    /(\d*)\.?(\d*)([a-z\u00b5\u03bc]+)/g,
  )) {
    const scale = NANOSECONDS[unit];
    if (scale === undefined) return undefined;
    total += BigInt(whole || '0') * scale + fractionOf(fraction, scale);
  }
  if (negative) return total > LIMIT ? undefined : 1;
  return total >= LIMIT ? undefined : Math.max(1, Number(total / 1_000_000_000n));
}

/** Digits beyond the thirtieth cannot change a nanosecond of an hour. */
function fractionOf(digits: string, scale: bigint): bigint {
  const kept = digits.slice(0, 30);
  return (BigInt(kept || '0') * scale) / 10n ** BigInt(kept.length);
}
