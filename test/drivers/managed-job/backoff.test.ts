import { describe, expect, test } from 'vitest';
import type { Instant } from '#core/time/instant.ts';
import { remainingDelay } from '#drivers/managed-job/backoff.ts';
import { evaluateGiven, failed, succeeded } from './run-row.ts';

const AT = 1000 as Instant;

test.each([
  [1, 10],
  [2, 20],
  [3, 40],
  [4, 80],
  [5, 160],
  [6, 320],
  [7, 600],
  [2_147_483_647, 600],
])('after %i failures in a row a pod waits %i seconds', (failures, seconds) => {
  expect(remainingDelay({ failures, lastFailure: AT, ignored: [] }, AT)).toBe(seconds);
});

test('a failure in the future makes the wait longer', () => {
  expect(remainingDelay({ failures: 1, lastFailure: (AT + 5) as Instant, ignored: [] }, AT)).toBe(15);
});

describe('the series', () => {
  const spec = { completions: 5, parallelism: 2, backoffLimit: 10 };

  test('a failure in the second of the newest success is not after it', () => {
    const pods = [
      succeeded('s', { finishedAt: '2026-10-28T07:59:58Z' }),
      failed('f', { finishedAt: '2026-10-28T07:59:58Z' }),
    ];
    const evaluation = evaluateGiven({ spec, pods });
    expect(evaluation.backoff).toBeUndefined();
    expect(evaluation.creates).toHaveLength(2);
  });

  test('is written in the status write, and goes with a success', () => {
    const pods = [failed('f', { finishedAt: '2026-10-28T07:59:50Z' })];
    const first = evaluateGiven({ spec, pods });
    expect(first.backoff).toBe('{"failures":1,"lastFailureTime":"2026-10-28T07:59:50Z"}');
    const later = evaluateGiven({ spec, pods: [succeeded('s')], backoff: first.backoff ?? '' });
    expect(later.steps.filter((step) => step.verb === 'status').map(({ backoff }) => backoff)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    '',
    'no JSON',
    '[]',
    '{"failures":-1}',
    '{"failures":2}',
    '{"failures":"2","lastFailureTime":"x"}',
  ])('an annotation that was broken by hand is no series: %s', (backoff) => {
    const evaluation = evaluateGiven({ spec: { completions: 2 }, backoff });
    expect(evaluation.creates).toHaveLength(1);
    expect(evaluation.backoff).toBeUndefined();
  });

  test('indexes with limits of their own have no series of the Job', () => {
    const indexed = {
      completionMode: 'Indexed',
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 3,
    };
    const pods = [failed('f', { index: 0, finishedAt: '2026-10-28T07:59:58Z' })];
    expect(evaluateGiven({ spec: indexed, pods }).backoff).toBeUndefined();
  });
});
