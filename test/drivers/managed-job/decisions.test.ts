import { describe, expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { evaluateJob } from '#drivers/managed-job/evaluate.ts';
import type { Evaluation } from '#drivers/managed-job/evaluation.ts';
import type { PodRow } from './case-row.ts';
import { at, evaluateGiven, failed, givenJob, names, running, succeeded, writes } from './run-row.ts';

const INDEXED = { completionMode: 'Indexed' };
const SUSPENDED = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' };

function conditions({ status }: Evaluation): readonly Json[] {
  return Array.isArray(status.conditions) ? status.conditions : [];
}

function types(evaluation: Evaluation): readonly string[] {
  return conditions(evaluation).map((one) => (isObject(one) ? `${one.type}` : ''));
}

describe('whose Job it is', () => {
  test.each([
    ['another controller', { managedBy: 'example.com/other' }],
    ['the built-in controller', { managedBy: 'kubernetes.io/job-controller' }],
    ['the built-in controller, as nobody is named', {}],
  ])('one that belongs to %s is left alone, status included', (_name, part) => {
    const job = givenJob({ spec: {} });
    const spec = isObject(job.spec) ? job.spec : {};
    const { managedBy: _ours, ...others } = spec;
    const status = { failed: 'three', theirs: 'kept' };
    const evaluation = evaluateJob({
      job: { ...job, spec: { ...others, ...part }, status },
      pods: [],
      now: at('2026-10-28T08:00:00Z'),
      settings: { managedBy: 'minutehand.dev/job' },
    });
    expect(evaluation).toMatchObject({ state: 'skipped', status, steps: [], events: [] });
  });

  test('a status that the API could not have written decides nothing', () => {
    for (const status of [
      { failed: '3' },
      { conditions: [{ type: 'Complete', status: true }] },
      { startTime: 7 },
    ]) {
      const evaluation = evaluateGiven({ spec: {}, status, pods: [succeeded('a')] });
      expect(evaluation.state).toBe('invalid');
      expect(evaluation.findings.map(({ what }) => what)).toEqual([expect.stringMatching(/^status\./)]);
      expect(evaluation.steps).toEqual([]);
    }
    expect(evaluateGiven({ spec: { parallelism: 'two' } }).findings.map(({ what }) => what)).toEqual([
      'spec.parallelism: Invalid value: "two": spec.parallelism must be an integer, not a string',
    ]);
    expect(evaluateGiven({ spec: { ...INDEXED, parallelism: 2 } }).state).toBe('invalid');
  });

  test('an unknown completion mode is told and nothing else', () => {
    const evaluation = evaluateGiven({ spec: { completionMode: 'Shuffled' }, pods: [succeeded('a')] });
    expect(evaluation.events.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'Warning UnknownCompletionMode',
    ]);
    expect(evaluation.steps).toEqual([]);
  });
});

describe('suspension', () => {
  test('a resumed Job starts anew even if its old start still stands', () => {
    const spec = { activeDeadlineSeconds: 60 };
    const evaluation = evaluateGiven({ spec, status: { conditions: [SUSPENDED] } });
    expect(evaluation.status.startTime).toBe('2026-10-28T08:00:00Z');
    expect(types(evaluation)).toEqual(['Suspended']);
    expect(evaluation.creates).toHaveLength(1);
    expect(evaluation.requeue).toEqual({ seconds: 60, reason: 'deadline' });
  });

  test('a suspension that was never recorded leaves the start as it is', () => {
    const conditions = [{ ...SUSPENDED, status: 'False', reason: 'JobResumed', message: 'by hand' }];
    const evaluation = evaluateGiven({ spec: {}, status: { conditions } });
    expect(evaluation.status.startTime).toBe('2026-10-28T07:30:00Z');
    expect(evaluation.events.map(({ reason }) => reason)).toEqual(['SuccessfulCreate']);
  });

  test('a Job that is decided while it is suspended has a start', () => {
    const status = { startTime: null, conditions: [SUSPENDED] };
    const evaluation = evaluateGiven({ spec: { suspend: true, completions: 0 }, status });
    expect(types(evaluation)).toEqual(['Suspended', 'SuccessCriteriaMet', 'Complete']);
    expect(evaluation.status.startTime).toBe('2026-10-28T08:00:00Z');
  });

  test('a completion is never before a start that another clock wrote', () => {
    const status = { startTime: '2026-10-28T08:00:30Z' };
    const evaluation = evaluateGiven({ spec: {}, status, pods: [succeeded('a')] });
    expect(evaluation.status.completionTime).toBe('2026-10-28T08:00:30Z');
  });
});

describe('a Job that is being deleted', () => {
  test('takes the finalizer off pods that are active, without counting them', () => {
    const spec = { completions: 3, parallelism: 3 };
    const evaluation = evaluateGiven({ spec, deleting: true, pods: [running('a'), succeeded('b')] });
    expect(writes(evaluation)).toEqual(['status', 'release a', 'release b', 'status']);
    expect(evaluation.status).toMatchObject({ active: 1, succeeded: 1, uncountedTerminatedPods: {} });
    expect(evaluation.status.failed).toBeUndefined();
  });

  test('stops no pod when it is decided, takes every finalizer off, and has not ended while one is active', () => {
    const spec = { completions: 3, parallelism: 3, backoffLimit: 0 };
    const evaluation = evaluateGiven({ spec, deleting: true, pods: [failed('a'), running('b')] });
    expect(writes(evaluation)).toEqual(['status', 'release a', 'release b', 'status']);
    expect(types(evaluation)).toEqual(['FailureTarget']);
    expect(evaluation.status).toMatchObject({ active: 1, failed: 2 });
  });
});

describe('how many pods', () => {
  test('a work queue leaves the rest running after its first success', () => {
    const pods = [succeeded('a'), running('b'), running('c')];
    const evaluation = evaluateGiven({ spec: { parallelism: 3 }, pods });
    expect(evaluation.deletes).toEqual([]);
    expect(evaluation.creates).toEqual([]);
    expect(evaluation.state).toBe('active');
  });

  test('of an index that has several pods the most advanced one stays', () => {
    const pods = [running('a', { index: 0 }), running('b', { index: 0, ready: true })];
    const evaluation = evaluateGiven({ spec: { ...INDEXED, completions: 2, parallelism: 2 }, pods });
    expect(names(evaluation.deletes)).toEqual(['a']);
    expect(evaluation.creates).toEqual([]);
  });

  test('a pod without node goes first, whatever else is said for it', () => {
    const given = {
      spec: { completions: 1 },
      pods: [running('a', { ready: true }), running('b', { restarts: 3 })],
      pod: (pod: Parameters<NonNullable<Parameters<typeof evaluateGiven>[0]['pod']>>[0]) =>
        pod.metadata.name === 'b' ? { ...pod, spec: { nodeName: 'one' } } : pod,
    };
    expect(names(evaluateGiven(given).deletes)).toEqual(['a']);
  });
});

describe('limits of indexes', () => {
  const spec = { ...INDEXED, completions: 4, parallelism: 4, backoffLimitPerIndex: 0 };

  test('as many failed indexes as are allowed do not end the Job', () => {
    const pods = [failed('a', { index: 0 }), running('b', { index: 1 }), running('c', { index: 2 })];
    const evaluation = evaluateGiven({ spec: { ...spec, maxFailedIndexes: 1 }, pods });
    expect(evaluation.state).toBe('active');
    expect(evaluation.status.failedIndexes).toBe('0');
  });

  test('an index is never both: what came first stays', () => {
    const late = evaluateGiven({
      spec,
      status: { failedIndexes: '0' },
      pods: [succeeded('a', { index: 0 })],
    });
    expect(late.status.failedIndexes).toBe('0');
    expect(late.status.completedIndexes).toBeUndefined();
    const both = [succeeded('a', { index: 1 }), failed('b', { index: 1 })];
    expect(evaluateGiven({ spec, pods: both }).status).toMatchObject({
      completedIndexes: '1',
      failedIndexes: '',
      failed: 1,
    });
  });
});

describe('podFailurePolicy', () => {
  function verdictOf(rules: Json, pods: readonly PodRow[]): Evaluation['verdict'] {
    return evaluateGiven({ spec: { podFailurePolicy: { rules } }, pods }).verdict;
  }

  test('tells which container failed how, and which rule it was', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
    const pods = [failed('datacheck-h7pnp', { exitCode: 42, container: 'worker' })];
    expect(verdictOf(rules, pods)?.message).toBe(
      'Container worker for pod default/datacheck-h7pnp failed with exit code 42 matching FailJob rule at index 0',
    );
  });

  test('tells which condition it was; a pattern without status means True', () => {
    const rules = [{ action: 'FailJob', onPodConditions: [{ type: 'ConfigIssue' }] }];
    const with_ = (status: string): readonly PodRow[] => [
      failed('a', { conditions: [{ type: 'ConfigIssue', status }] }),
    ];
    expect(verdictOf(rules, with_('True'))?.message).toBe(
      'Pod default/a has condition ConfigIssue matching FailJob rule at index 0',
    );
    expect(verdictOf(rules, with_('False'))).toBeUndefined();
  });

  test('exit code 0 never matches, not even NotIn', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [1] } }];
    expect(verdictOf(rules, [failed('a', { exitCode: 0 })])).toBeUndefined();
  });

  test('init containers are looked at, behind the others', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [3] } }];
    const { verdict } = evaluateGiven({
      spec: { podFailurePolicy: { rules } },
      pods: [failed('a')],
      pod: (pod) => ({
        ...pod,
        status: {
          ...(isObject(pod.status) ? pod.status : {}),
          initContainerStatuses: [{ name: 'fetch', state: { terminated: { exitCode: 3 } } }],
        },
      }),
    });
    expect(verdict?.message).toContain('Container fetch for pod default/a failed with exit code 3');
  });
});

test('restarts of sidecars count against the limit of OnFailure, as the built-in controller counts them', () => {
  const template = { spec: { restartPolicy: 'OnFailure' } };
  const evaluation = evaluateGiven({
    spec: { backoffLimit: 2, template },
    pods: [running('a', { restarts: 1 })],
    pod: (pod) => ({
      ...pod,
      spec: { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }] },
      status: {
        ...(isObject(pod.status) ? pod.status : {}),
        initContainerStatuses: [{ name: 'proxy', restartCount: 1 }],
      },
    }),
  });
  expect(evaluation.verdict?.reason).toBe('BackoffLimitExceeded');
});

test('a Job that ends in this pass says when its time to live is over', () => {
  const evaluation = evaluateGiven({ spec: { ttlSecondsAfterFinished: 3600 }, pods: [succeeded('a')] });
  expect(evaluation.state).toBe('finished');
  expect(evaluation.requeue).toEqual({ seconds: 3600, reason: 'ttl' });
});

test('events of pods name each pod', () => {
  const spec = { completions: 1 };
  const pods = [running('a'), running('b', { created: '2026-10-28T07:40:00Z' })];
  const notes = evaluateGiven({ spec, pods }).events.map(({ reason, note }) => `${reason}: ${note}`);
  expect(notes).toEqual(['SuccessfulDelete: Deleted pod: b']);
});
