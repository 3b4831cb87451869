import { describe, expect, test } from 'vitest';
import { nearestName } from '#core/nearest-name.ts';

const KNOWN = ['timeZone', 'schedule', 'suspend', 'startingDeadlineSeconds', 'jobTemplate'];

describe('the name that was probably meant', () => {
  test.each([
    ['timezone', 'timeZone'],
    ['shedule', 'schedule'],
    ['schedulle', 'schedule'],
    ['scheudle', 'schedule'],
    ['startingDeadlineSecond', 'startingDeadlineSeconds'],
    ['jobTempalte', 'jobTemplate'],
    ['paused', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
    ['__proto__', undefined],
  ])('of %j is %j', (name, wanted) => {
    expect(nearestName(name, KNOWN)).toBe(wanted);
  });

  test('does not depend on the order for names of different distance', () => {
    expect(nearestName('suspent', ['suspended', 'suspend'])).toBe('suspend');
    expect(nearestName('suspent', ['suspend', 'suspended'])).toBe('suspend');
  });
});
