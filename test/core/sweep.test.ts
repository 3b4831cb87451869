import { describe, expect, test } from 'vitest';
import { isSwept } from '#core/sweep.ts';
import { type Instant, instant } from '#core/time/instant.ts';

const START = 1_781_060_410;
const HOUR: readonly Instant[] = Array.from({ length: 60 }, (_, minute) => instant(START + minute * 60));

describe('a sweep', () => {
  test.each(['', 'default', 'team-a', 'kube-system', 'x'.repeat(63)])(
    'reaches the namespace %j in exactly one minute of every hour, at any second of it',
    (namespace) => {
      const minutes = HOUR.filter((now) => isSwept(namespace, now));
      expect(minutes).toHaveLength(1);
      for (const now of minutes) {
        expect(isSwept(namespace, instant(now + 3600))).toBe(true);
        for (const second of [0, 59]) expect(isSwept(namespace, instant(now - 10 + second))).toBe(true);
      }
    },
  );

  test('spreads many namespaces over the minutes', () => {
    const names = Array.from({ length: 6000 }, (_, index) => `team-${index}`);
    const sizes = HOUR.map((now) => names.filter((name) => isSwept(name, now)).length);
    expect(Math.max(...sizes)).toBeLessThan(200);
    expect(Math.min(...sizes)).toBeGreaterThan(40);
  });
});
