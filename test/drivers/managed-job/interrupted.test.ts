import { describe, expect, test } from 'vitest';
import { evaluateGiven, failed, running, succeeded, writes } from './run-row.ts';

const INDEXED = { completionMode: 'Indexed' };
const IGNORE = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
const DISRUPTED = { conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
const GOING = { deletionTimestamp: '2026-10-28T08:00:30Z', deletionGracePeriodSeconds: 30 };

function condition(type: string, reason: string): { readonly [key: string]: string } {
  return { type, status: 'True', reason, message: '' };
}

describe('what a tick left that ended between two writes', () => {
  test('a listed pod without finalizer is counted, whether it still exists or not', () => {
    const status = {
      failed: 1,
      uncountedTerminatedPods: { failed: ['uid-b', 'uid-gone'], succeeded: ['uid-a'] },
    };
    const pods = [succeeded('a', { counted: true }), failed('b', { counted: true })];
    const evaluation = evaluateGiven({ spec: { completions: 5 }, status, pods });
    expect(evaluation.status).toMatchObject({ succeeded: 1, failed: 3, uncountedTerminatedPods: {} });
    expect(evaluation.releases).toEqual([]);
  });

  test('a listed pod with finalizer is released first, and not listed again', () => {
    const status = { uncountedTerminatedPods: { failed: ['uid-b'], succeeded: ['uid-a'] } };
    const evaluation = evaluateGiven({
      spec: { completions: 5 },
      status,
      pods: [succeeded('a'), failed('b')],
    });
    expect(evaluation.steps.find((step) => step.verb === 'status')?.status).toMatchObject(status);
    expect(evaluation.status).toMatchObject({ succeeded: 1, failed: 1, uncountedTerminatedPods: {} });
  });

  test('a pod that was listed as failed and then succeeds is still one failure', () => {
    const spec = { ...INDEXED, completions: 2, parallelism: 2 };
    const status = {
      uncountedTerminatedPods: { failed: ['uid-c'] },
      conditions: [condition('FailureTarget', 'DeadlineExceeded')],
    };
    const evaluation = evaluateGiven({ spec, status, pods: [succeeded('c', { index: 1 })] });
    expect(evaluation.status).toMatchObject({ failed: 1 });
    expect(evaluation.status.completedIndexes).toBeUndefined();
  });

  test('a pod that was stopped for a failure does not fail its index', () => {
    const spec = { ...INDEXED, completions: 2, parallelism: 2, backoffLimitPerIndex: 0 };
    const status = {
      failedIndexes: '',
      uncountedTerminatedPods: { failed: ['uid-c'] },
      conditions: [condition('FailureTarget', 'DeadlineExceeded')],
    };
    const evaluation = evaluateGiven({ spec, status, pods: [running('c', { index: 1, ...GOING })] });
    expect(evaluation.status).toMatchObject({ failed: 1, failedIndexes: '' });
  });

  test.each([
    ['on its way out', running('c', { index: 1, ...GOING })],
    ['over', failed('c', { index: 1, ...GOING })],
  ])('a pod that was stopped for a success is no failure: %s', (_name, pod) => {
    const spec = {
      ...INDEXED,
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 0,
      successPolicy: { rules: [{ succeededIndexes: '0' }] },
    };
    const status = {
      succeeded: 1,
      completedIndexes: '0',
      failedIndexes: '',
      conditions: [condition('SuccessCriteriaMet', 'SuccessPolicy')],
    };
    const evaluation = evaluateGiven({ spec, status, pods: [pod] });
    expect(evaluation.status.failed).toBeUndefined();
    expect(evaluation.status.failedIndexes).toBe('');
    expect(evaluation.releases).toHaveLength(1);
  });

  test('an ignored failure enters the series once', () => {
    const spec = { completions: 2, podFailurePolicy: IGNORE };
    const pods = [failed('a', { ...DISRUPTED, finishedAt: '2026-10-28T07:59:58Z' })];
    const first = evaluateGiven({ spec, pods });
    const [listed] = first.steps.filter((step) => step.verb === 'status');
    expect(JSON.parse(listed?.backoff ?? '')).toEqual({
      failures: 1,
      lastFailureTime: '2026-10-28T07:59:58Z',
      ignored: ['uid-a'],
    });
    const again = evaluateGiven({ spec, pods, backoff: listed?.backoff ?? '' });
    expect(again.backoff).toBe(first.backoff);
    expect(JSON.parse(again.backoff ?? '')).toEqual({ failures: 1, lastFailureTime: '2026-10-28T07:59:58Z' });
    expect(again.requeue).toEqual({ seconds: 8, reason: 'backoff' });
  });

  test('a success that is recorded by its index does not end a series that came after it', () => {
    const backoff = JSON.stringify({ failures: 1, lastFailureTime: '2026-10-28T07:59:55Z' });
    const spec = { ...INDEXED, completions: 3, parallelism: 3 };
    const evaluation = evaluateGiven({
      spec,
      backoff,
      status: { succeeded: 1, completedIndexes: '0' },
      pods: [succeeded('a', { index: 0 })],
    });
    expect(evaluation.creates).toEqual([]);
    expect(evaluation.requeue).toEqual({ seconds: 5, reason: 'backoff' });
  });

  test('a Job that is decided keeps its series as it is until it has ended', () => {
    const backoff = JSON.stringify({ failures: 1, lastFailureTime: '2026-10-28T07:59:55Z' });
    const spec = { completions: 2, activeDeadlineSeconds: 60, podFailurePolicy: IGNORE };
    const pods = [failed('a', DISRUPTED), running('b', GOING)];
    expect(evaluateGiven({ spec, pods, backoff }).backoff).toBe(backoff);
    const ended = evaluateGiven({ spec, pods: [failed('a', DISRUPTED)], backoff });
    expect(ended.state).toBe('finished');
    expect(ended.backoff).toBeUndefined();
  });

  test('finalizers that are left on pods of a finished Job come off, and nothing else happens', () => {
    const conditions = [condition('SuccessCriteriaMet', ''), condition('Complete', '')];
    const evaluation = evaluateGiven({
      spec: { completions: 1 },
      status: { succeeded: 1, conditions },
      pods: [running('a'), succeeded('b', { counted: true })],
    });
    expect(writes(evaluation)).toEqual(['release a']);
  });
});
