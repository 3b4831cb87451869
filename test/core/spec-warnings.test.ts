import { describe, expect, test } from 'vitest';
import { deadlineWarnings, lifetimeWarnings } from '#core/spec-warnings.ts';

describe('values that a tick once a minute cannot honour', () => {
  test.each([
    ['no deadline', undefined, 90, []],
    ['a deadline below the grace', 89, 90, ['spec.startingDeadlineSeconds is 89, below the grace of 90 s']],
    ['a deadline of the grace', 90, 90, []],
    ['a deadline of 0 without a grace', 0, 0, []],
  ])('%s', (_name, deadline, grace, wanted) => {
    expect(deadlineWarnings(deadline, grace).map(({ what }) => what)).toEqual(wanted);
  });

  test.each([
    ['no time to live', undefined, []],
    ['a short one', 299, ['spec.ttlSecondsAfterFinished is 299']],
    ['five minutes', 300, []],
    ['a value of another type, which is told elsewhere', '60', []],
  ])('%s', (_name, ttl, wanted) => {
    const found = lifetimeWarnings(ttl, ['spec', 'ttlSecondsAfterFinished']);
    expect(found.map(({ what }) => what)).toEqual(wanted);
  });
});
