import { describe, expect, test } from 'vitest';
import type { PodRow } from './case-row.ts';
import { evaluateGiven, failed, running, succeeded, writes } from './run-row.ts';

const INDEXED = { completionMode: 'Indexed' };

function many(count: number, row: (name: string) => PodRow): readonly PodRow[] {
  return Array.from({ length: count }, (_, at) => row(`p${String(at).padStart(4, '0')}`));
}

describe('the order of writes', () => {
  test('a verdict is written before pods are stopped, and counted once they are released', () => {
    const pods = [succeeded('a', { index: 0 }), failed('b', { index: 1 }), running('c', { index: 2 })];
    const spec = { ...INDEXED, completions: 3, parallelism: 3, backoffLimit: 0 };
    const evaluation = evaluateGiven({ spec, pods });
    expect(writes(evaluation)).toEqual([
      'status',
      'delete c',
      'release a',
      'release b',
      'release c',
      'status',
    ]);
    const [first, last] = evaluation.steps.filter((step) => step.verb === 'status');
    expect(first?.status).toMatchObject({
      succeeded: 1,
      completedIndexes: '0',
      uncountedTerminatedPods: { failed: ['uid-b', 'uid-c'] },
    });
    expect(first?.status.failed).toBeUndefined();
    expect(last?.status).toMatchObject({ failed: 2, uncountedTerminatedPods: {} });
    expect(last?.status).toEqual(evaluation.status);
  });

  test('a surplus pod loses the finalizer before it is deleted', () => {
    const pods = [running('a'), running('b', { created: '2026-10-28T07:40:00Z' })];
    const evaluation = evaluateGiven({ spec: { completions: 1 }, pods });
    expect(writes(evaluation)).toEqual(['release b', 'delete b', 'status']);
  });

  test('a surplus pod whose finalizer a tick took off before it ended is the one that goes', () => {
    const pods = [running('a', { counted: true }), running('b', { created: '2026-10-28T07:40:00Z' })];
    const evaluation = evaluateGiven({ spec: { completions: 1 }, pods });
    expect(writes(evaluation)).toEqual(['delete a', 'status']);
  });

  test('both steps of the end are one write where no finalizer has to come off', () => {
    const evaluation = evaluateGiven({ spec: { completions: 0 } });
    expect(writes(evaluation)).toEqual(['status']);
    expect(evaluation.state).toBe('finished');
  });

  test('pods are created in doubling batches, then the status is written', () => {
    expect(writes(evaluateGiven({ spec: { parallelism: 10 } }))).toEqual([
      'create 1',
      'create 2',
      'create 4',
      'create 3',
      'status',
    ]);
  });

  test('nothing is written when nothing changed', () => {
    const status = { active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} };
    expect(writes(evaluateGiven({ spec: {}, status, pods: [running('a')] }))).toEqual([]);
  });
});

describe('at most 500 in one pass', () => {
  test('creates', () => {
    expect(evaluateGiven({ spec: { parallelism: 700 } }).creates).toHaveLength(500);
  });

  test('deletes, of surplus and of suspended pods', () => {
    const pods = many(600, running);
    expect(evaluateGiven({ spec: { completions: 10, parallelism: 10 }, pods }).deletes).toHaveLength(500);
    const suspended = evaluateGiven({ spec: { parallelism: 600, suspend: true }, pods });
    expect(suspended.deletes).toHaveLength(500);
    expect(suspended.status).toMatchObject({ active: 100, terminating: 500 });
  });

  test('pods that are counted, and the Job has not ended before all are', () => {
    const spec = { completions: 600, parallelism: 600 };
    const evaluation = evaluateGiven({ spec, pods: many(600, succeeded) });
    expect(evaluation.releases).toHaveLength(500);
    expect(evaluation.status).toMatchObject({ succeeded: 500 });
    expect(evaluation.state).toBe('ending');
    expect(evaluation.status.completionTime).toBeUndefined();
  });
});
