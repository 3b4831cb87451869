import { describe, expect, it } from 'vitest';
import { lagOf } from '#core/lag.ts';
import { formatInstant, parseInstant } from '#core/time/instant.ts';

function at(text: string) {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(text);
  return instant;
}

const CASES: readonly (readonly [what: string, last: string, now: string, told: string])[] = [
  ['the next minute is on time', '03:00:05', '03:01:04', '0 back 0'],
  ['a second tick of the same minute is on time', '03:00:05', '03:00:40', '0 back 0'],
  ['one minute left out is named', '03:00:59', '03:02:00', '1 03:01..03:01 back 0'],
  ['several are named by the first and the last', '03:00:05', '03:08:05', '7 03:01..03:07 back 0'],
  ['a clock that went back misses nothing', '03:08:05', '03:01:00', '0 back 425'],
  ['a clock that went back inside its minute is told, too', '03:08:05', '03:08:01', '0 back 4'],
];

describe('lag', () => {
  it.each(CASES)('%s', (_, last, now, told) => {
    const lag = lagOf(at(`2026-11-29T${last}Z`), at(`2026-11-29T${now}Z`));
    const { missed } = lag;
    const named =
      missed === undefined
        ? ''
        : ` ${formatInstant(missed.first).slice(11, 16)}..${formatInstant(missed.last).slice(11, 16)}`;
    expect(`${lag.missedMinutes}${named} back ${lag.secondsBack}`).toBe(told);
  });

  it('is nothing where no tick was completed yet', () => {
    expect(lagOf(undefined, at('2026-11-29T03:00:00Z'))).toEqual({ missedMinutes: 0, secondsBack: 0 });
  });
});
