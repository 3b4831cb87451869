import { describe, expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { evaluateJob } from '#drivers/managed-job/evaluate.ts';
import { podName } from '#drivers/managed-job/pod-name.ts';
import { at, evaluateGiven, failed, type Given, givenJob, names } from './run-row.ts';
import { byVerb } from './support/by-verb.ts';

const TEMPLATE = {
  metadata: { labels: { app: 'shards' }, annotations: { note: 'kept' }, finalizers: ['example.com/hold'] },
  spec: {
    restartPolicy: 'Never',
    initContainers: [{ name: 'fetch', image: 'registry.test/fetch:1' }],
    containers: [
      { name: 'main', image: 'registry.test/work:1', env: [{ name: 'A', value: '1' }] },
      { name: 'own', image: 'registry.test/own:1', env: [{ name: 'JOB_COMPLETION_INDEX', value: 'mine' }] },
    ],
  },
};

const INDEX_VARIABLE = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } },
};

function firstPod(given: Given): KubeObject {
  const [pod] = evaluateGiven(given).creates;
  if (pod === undefined) throw new Error('no pod is created');
  return pod;
}

function specOf({ spec }: KubeObject): JsonObject {
  return isObject(spec) ? spec : {};
}

describe('a pod of a Job', () => {
  test('carries the labels, the owner, the finalizer and the mark, beside what the template says', () => {
    const { metadata, spec } = firstPod({ spec: { template: TEMPLATE } });
    expect(metadata).toEqual({
      name: expect.stringMatching(/^work-[0-9a-v]{5}$/),
      namespace: 'default',
      labels: {
        app: 'shards',
        'batch.kubernetes.io/controller-uid': 'uid-job',
        'batch.kubernetes.io/job-name': 'work',
        'controller-uid': 'uid-job',
        'job-name': 'work',
        'minutehand.dev/managed-job': 'true',
      },
      annotations: { note: 'kept', 'minutehand.dev/owner-uid': 'uid-job' },
      finalizers: ['example.com/hold', 'batch.kubernetes.io/job-tracking'],
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: 'work',
          uid: 'uid-job',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(spec).toEqual(TEMPLATE.spec);
  });

  test('has no generated labels under a selector that was written by hand', () => {
    const selector = { matchLabels: { app: 'shards' } };
    const { metadata } = firstPod({ spec: { manualSelector: true, selector, template: TEMPLATE } });
    expect(metadata.labels).toEqual({ app: 'shards', 'minutehand.dev/managed-job': 'true' });
  });

  test('of an Indexed Job knows its index by name, host name, label, annotation and variable', () => {
    const spec = { completionMode: 'Indexed', completions: 3, template: TEMPLATE };
    const pod = firstPod({ spec });
    expect(pod.metadata.name).toMatch(/^work-0-[0-9a-v]{5}$/);
    expect(pod.metadata.labels).toMatchObject({ 'batch.kubernetes.io/job-completion-index': '0' });
    expect(pod.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-completion-index': '0' });
    expect(pod.metadata.annotations).not.toHaveProperty('batch.kubernetes.io/job-index-failure-count');
    const [fetch] = TEMPLATE.spec.initContainers;
    const [main, own] = TEMPLATE.spec.containers;
    expect(specOf(pod)).toEqual({
      restartPolicy: 'Never',
      hostname: 'work-0',
      initContainers: [{ ...fetch, env: [INDEX_VARIABLE] }],
      containers: [{ ...main, env: [{ name: 'A', value: '1' }, INDEX_VARIABLE] }, own],
    });
  });

  test('carries on the failures of its index', () => {
    const spec = {
      completionMode: 'Indexed',
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 5,
      podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [9] } }] },
    };
    const pods = [failed('a', { index: 0, indexFailureCount: 2 }), failed('b', { index: 1, exitCode: 9 })];
    const annotations = evaluateGiven({ spec, pods }).creates.map(({ metadata }) => metadata.annotations);
    expect(annotations[0]).toMatchObject({ 'batch.kubernetes.io/job-index-failure-count': '3' });
    expect(annotations[0]).not.toHaveProperty('batch.kubernetes.io/job-index-ignored-failure-count');
    expect(annotations[1]).toMatchObject({
      'batch.kubernetes.io/job-index-failure-count': '0',
      'batch.kubernetes.io/job-index-ignored-failure-count': '1',
    });
  });
});

describe('the name of a pod', () => {
  const JOB = { name: 'work', uid: 'uid-job' };

  test('is the same for the same pod, so that it is a lock', () => {
    const spec = { parallelism: 3 };
    expect(names(evaluateGiven({ spec }).creates)).toEqual(names(evaluateGiven({ spec }).creates));
  });

  test('differs by Job, index, ordinal and attempt', () => {
    const first = { index: 1, ordinal: 1, attempt: 0 };
    const all = [
      podName(JOB, first),
      podName({ ...JOB, uid: 'another' }, first),
      podName(JOB, { ...first, attempt: 1 }),
      podName(JOB, { ...first, index: 2 }),
      podName(JOB, { index: undefined, ordinal: 1, attempt: 0 }),
      podName(JOB, { index: undefined, ordinal: 2, attempt: 0 }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('is never one that a pod has already', () => {
    const [first = ''] = names(evaluateGiven({ spec: {} }).creates);
    const others = evaluateGiven({ spec: {} }, new Set([first]));
    expect(names(others.creates)).not.toContain(first);
    const spec = { completionMode: 'Indexed', completions: 1 };
    const [before = ''] = names(evaluateGiven({ spec }).creates);
    const retried = evaluateGiven({ spec, pods: [failed(before, { index: 0 })] });
    expect(names(retried.creates)).toHaveLength(1);
    expect(names(retried.creates)).not.toContain(before);
  });

  test('fits into 63 characters and keeps the index whole', () => {
    const name = 'a'.repeat(63);
    expect(podName({ name, uid: 'u' }, { index: undefined, ordinal: 0, attempt: 0 })).toHaveLength(63);
    const indexed = podName({ name, uid: 'u' }, { index: 12_345, ordinal: 0, attempt: 0 });
    expect(indexed).toMatch(/^a+-12345-[0-9a-v]{5}$/);
    expect(indexed).toHaveLength(63);
  });
});

test('pods that another Job of the same name controls are left alone', () => {
  const job = givenJob({ spec: {} });
  const stranger = { ...firstPod({ spec: {} }), status: { phase: 'Failed' } };
  const [owner] = stranger.metadata.ownerReferences ?? [];
  if (owner === undefined) throw new Error('a pod without owner');
  const metadata = { ...stranger.metadata, name: 'old', ownerReferences: [{ ...owner, uid: 'before' }] };
  const evaluation = evaluateJob({
    job,
    pods: [{ ...stranger, metadata }],
    now: at('2026-10-28T08:00:00Z'),
    settings: { managedBy: 'minutehand.dev/job' },
  });
  expect(evaluation.status.failed).toBeUndefined();
  expect(byVerb(evaluation).releases).toEqual([]);
});
