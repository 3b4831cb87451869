import { describe, expect, test } from 'vitest';
import { JOB, POD } from '#api/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { Referred } from '#core/referents.ts';
import { referentsOf } from '#core/referents.ts';
import type { Work, WorkInput } from '#core/run/driver.ts';
import { instant } from '#core/time/instant.ts';
import { NOTHING_LIVE } from '#core/works.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { evaluateGiven } from './run-row.ts';
import { worldOf } from './support/world.ts';

const NOW = instant(Date.parse('2026-10-28T08:00:00Z') / 1000);

interface Given {
  readonly jobs: readonly KubeObject[];
  readonly pods?: Referred;
  readonly mode?: 'manage' | 'observe';
  /** Jobs that a selector leaves out. */
  readonly others?: readonly KubeObject[];
}

function inputOf({
  jobs,
  pods = { state: 'read', objects: [] },
  mode = 'manage',
  others = [],
}: Given): WorkInput {
  const listing = (objects: readonly KubeObject[]) =>
    new Map([[typeId(JOB), { state: 'read', objects: objects.map((object) => ({ object })) } as const]]);
  return {
    observed: listing(jobs),
    referents: referentsOf(listing([...jobs, ...others])),
    settings: {
      graceSeconds: 90,
      defaultTimeZone: 'UTC',
      writers: { 'managed-jobs': mode },
      retention: {},
    },
    now: NOW,
    live: { ...NOTHING_LIVE, labelled: () => pods },
  };
}

function worksOf(given: Given): readonly Work[] {
  return MANAGED_JOBS.works(inputOf(given));
}

function job(spec: Parameters<typeof worldOf>[0], more: Partial<KubeObject> = {}): KubeObject {
  return { ...worldOf(spec).job, ...more };
}

/** Pods as the driver makes them, with what became of them. */
function made(spec: Parameters<typeof worldOf>[0], creationTimestamp: string): readonly KubeObject[] {
  return evaluateGiven({ spec }).creates.map((pod, at) => ({
    ...pod,
    metadata: { ...pod.metadata, uid: `uid-${at}`, resourceVersion: '1', creationTimestamp },
  }));
}

const OLD = '2026-10-28T07:00:00Z';

describe('managed Jobs as orders', () => {
  test.each<[string, Partial<KubeObject>]>([
    ['the built-in controller', { spec: {} }],
    ['somebody else', { spec: { managedBy: 'example.com/queue' } }],
  ])('a Job of %s is no order', (_whose, more) => {
    expect(worksOf({ jobs: [job({}, more)] })).toEqual([]);
  });

  test('one that is only observed is told by its status, and no pod is asked for', () => {
    const given: Given = { jobs: [job({ completions: 3 }, { status: { succeeded: 1 } })], mode: 'observe' };
    expect(MANAGED_JOBS.wants(inputOf(given)).labelled).toEqual([]);
    const [work] = worksOf(given);
    expect(work).toMatchObject({ state: 'observed', steps: [], events: [] });
    expect(work?.facts).toContainEqual({ label: 'done', text: '1 of 3 completions' });
  });

  test('pods that cannot be read change nothing', () => {
    const [work] = worksOf({ jobs: [job({})], pods: { state: 'unreadable', reason: 'forbidden' } });
    expect(work).toMatchObject({
      state: 'unreadable',
      steps: [],
      detail: 'its pods could not be read: forbidden',
    });
  });

  test("without any Job, pods that cannot be read are nobody's trouble", () => {
    expect(worksOf({ jobs: [], pods: { state: 'unreadable', reason: 'forbidden' } })).toEqual([]);
  });

  test('a status that the API could not have written decides nothing', () => {
    const [work] = worksOf({ jobs: [job({}, { status: { succeeded: '3' } })] });
    expect(work).toMatchObject({ state: 'invalid', steps: [] });
    expect(work?.detail).toContain('status.succeeded is "3"');
  });
});

describe('pods whose Job is gone', () => {
  const pods: Referred = { state: 'read', objects: made({ parallelism: 2 }, OLD) };

  test('lose their finalizer, and nothing else happens to them', () => {
    const works = worksOf({ jobs: [], pods });
    expect(works.map(({ type, state, steps }) => ({ type, state, steps }))).toEqual(
      Array.from({ length: 2 }, () => ({
        type: POD,
        state: 'releasing',
        steps: [{ verb: 'release', finalizers: ['batch.kubernetes.io/job-tracking'] }],
      })),
    );
  });

  test('a Job that a selector leaves out is not gone', () => {
    expect(worksOf({ jobs: [], others: [job({})], pods })).toEqual([]);
  });

  test('of Jobs that could not be read nobody knows', () => {
    const input = inputOf({ jobs: [], pods });
    const unread = new Map([[typeId(JOB), { state: 'unreadable', reason: 'no' } as const]]);
    expect(MANAGED_JOBS.works({ ...input, observed: unread, referents: referentsOf(unread) })).toEqual([]);
  });
});

describe('what explain tells', () => {
  function factsOf(given: Given): Readonly<Record<string, string>> {
    const [work] = worksOf(given);
    return Object.fromEntries((work?.facts ?? []).map(({ label, text }) => [label, text]));
  }

  test('when the next pod comes, while one is delayed', () => {
    const annotations = {
      'minutehand.dev/backoff': JSON.stringify({ failures: 3, lastFailureTime: '2026-10-28T07:59:50Z' }),
    };
    const { metadata, ...rest } = job({});
    const facts = factsOf({ jobs: [{ ...rest, metadata: { ...metadata, annotations } }] });
    expect(facts['next pod']).toBe('not before 2026-10-28T08:00:30Z, the back-off after 3 failures in a row');
  });

  test('which pods come now', () => {
    expect(factsOf({ jobs: [job({ completions: 9, parallelism: 5 })] })['next pod']).toMatch(
      /^now: work-\w{5}, work-\w{5}, work-\w{5} and 2 more$/,
    );
  });

  test('that nothing comes while it is suspended, and what would end that', () => {
    const facts = factsOf({ jobs: [job({ suspend: true })] });
    expect(facts).toMatchObject({
      'next pod': 'none while spec.suspend is true',
      awaits: 'spec.suspend: false',
    });
  });

  test('that nothing comes without any parallelism, and what would end that', () => {
    const facts = factsOf({ jobs: [job({ parallelism: 0, completions: 2 })] });
    expect(facts).toMatchObject({
      'next pod': 'none while spec.parallelism is 0',
      awaits: 'spec.parallelism above 0',
    });
  });

  test('that nothing comes for a work queue without any parallelism', () => {
    expect(factsOf({ jobs: [job({ parallelism: 0 })] })['next pod']).toBe('none while spec.parallelism is 0');
  });

  test('that nothing comes while it is deleted', () => {
    const { metadata, ...rest } = job({ completions: 2 });
    const leaving = { ...rest, metadata: { ...metadata, deletionTimestamp: OLD } };
    expect(factsOf({ jobs: [leaving] })['next pod']).toBe('none: the Job is being deleted');
  });

  test('which rule decided, and that pods have to stop', () => {
    const given = { activeDeadlineSeconds: 60 };
    const status = { startTime: '2026-10-28T07:00:00Z', active: 1, ready: 0, terminating: 0 };
    const [pod] = made({}, OLD);
    const pods: Referred = { state: 'read', objects: pod === undefined ? [] : [pod] };
    const facts = factsOf({ jobs: [job(given, { status })], pods });
    expect(facts).toMatchObject({
      'decided by':
        'spec.activeDeadlineSeconds, DeadlineExceeded: Job was active longer than specified deadline',
      awaits: '1 pod to stop',
    });
    expect(facts).not.toHaveProperty(['next pod']);
  });
});
