import { describe, expect, test } from 'vitest';
import { isSwept } from '#core/sweep.ts';
import { instant } from '#core/time/instant.ts';

const START = 1_781_060_410;
const DAYS = 7;
const MINUTES = Array.from({ length: DAYS * 1440 }, (_, minute) => minute);
const NAMESPACES = ['', 'default', 'team-a', 'kube-system', 'x'.repeat(63)];

/** The minutes in which ticks that come every so often sweep a namespace. */
function sweeps(namespace: string, every: number): readonly number[] {
  return MINUTES.filter((minute) => minute % every === 0 && isSwept(namespace, instant(START + minute * 60)));
}

/** The longest time in minutes without one. */
function longestGap(minutes: readonly number[]): number {
  return Math.max(...[...minutes, DAYS * 1440].map((minute, index) => minute - (minutes[index - 1] ?? 0)));
}

describe('a sweep', () => {
  test.each(NAMESPACES)('reaches the namespace %j every hour, where ticks come every minute', (namespace) => {
    expect(longestGap(sweeps(namespace, 1))).toBeLessThanOrEqual(61);
  });

  test.each([2, 3, 5, 7, 10, 15, 30])('reaches all of them where ticks come every %d minutes', (every) => {
    for (const namespace of NAMESPACES)
      expect(longestGap(sweeps(namespace, every))).toBeLessThanOrEqual(2 * 60 * every);
  });

  test('holds for the whole of its minute', () => {
    const minute = Math.floor(START / 60) + (sweeps('team-a', 1)[0] ?? 0);
    for (const second of [0, 59]) expect(isSwept('team-a', instant(minute * 60 + second))).toBe(true);
  });

  test('spreads many namespaces over the minutes', () => {
    const names = Array.from({ length: 6000 }, (_, index) => `team-${index}`);
    const hour = MINUTES.slice(0, 60).map((minute) => instant(START + minute * 60));
    const sizes = hour.map((now) => names.filter((name) => isSwept(name, now)).length);
    expect(Math.max(...sizes)).toBeLessThan(200);
    expect(Math.min(...sizes)).toBeGreaterThan(40);
  });
});
