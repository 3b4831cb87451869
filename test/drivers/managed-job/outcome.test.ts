import { expect, test } from 'vitest';
import { withoutCreated } from '#drivers/managed-job/outcome.ts';
import { evaluateGiven, running } from './run-row.ts';

test('pods that could not be created are not active', () => {
  const { status } = evaluateGiven({ spec: { parallelism: 3 }, pods: [running('a')] });
  expect(status.active).toBe(3);
  expect(withoutCreated(status, 1)).toEqual({ ...status, active: 2 });
  expect(withoutCreated(evaluateGiven({ spec: { parallelism: 2 } }).status, 2)).not.toHaveProperty('active');
});
