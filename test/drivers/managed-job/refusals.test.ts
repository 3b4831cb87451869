import { describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { referentsOf } from '#core/referents.ts';
import type { Work } from '#core/run/driver.ts';
import { instant } from '#core/time/instant.ts';
import { NOTHING_LIVE } from '#core/works.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { evaluateGiven, succeeded, writes } from './run-row.ts';
import { worldOf } from './support/world.ts';

const INDEXED = { completionMode: 'Indexed', completions: 4 };
const CODES = { operator: 'In', values: [42] };
const CONTAINERS = [{ name: 'main', image: 'busybox:1.37' }];

function template(pod: JsonObject): JsonObject {
  return { template: { spec: { restartPolicy: 'Never', containers: CONTAINERS, ...pod } } };
}

function named(job: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...job, metadata: { ...job.metadata, ...metadata } };
}

function worksOf(jobs: readonly KubeObject[], mode: 'manage' | 'observe' = 'manage'): readonly Work[] {
  const objects = jobs.map((object) => ({ object }));
  const observed = new Map([[typeId(JOB), { state: 'read', objects } as const]]);
  return MANAGED_JOBS.works({
    observed,
    referents: referentsOf(observed),
    settings: {
      graceSeconds: 90,
      defaultTimeZone: 'UTC',
      writers: { 'managed-jobs': mode },
      retention: {},
    },
    now: instant(Date.parse('2026-10-28T08:00:00Z') / 1000),
    live: { ...NOTHING_LIVE, labelled: () => ({ state: 'read', objects: [] }) },
  });
}

const REFUSED: readonly (readonly [what: string, job: KubeObject, code: string, field: string])[] = [
  ['a negative back-off limit', worldOf({ backoffLimit: -1 }).job, 'InvalidField', 'spec.backoffLimit'],
  ['a number in quotes', worldOf({ parallelism: '2' }).job, 'InvalidField', 'spec.parallelism'],
  [
    'a success policy without Indexed',
    worldOf({ successPolicy: { rules: [{ succeededIndexes: '0' }] } }).job,
    'InvalidField',
    'spec.successPolicy',
  ],
  [
    'a failure policy with OnFailure',
    worldOf({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: CODES }] },
      ...template({ restartPolicy: 'OnFailure' }),
    }).job,
    'InvalidField',
    'spec.template.spec.restartPolicy',
  ],
  [
    'a limit per index without Indexed',
    worldOf({ backoffLimitPerIndex: 1 }).job,
    'InvalidField',
    'spec.backoffLimitPerIndex',
  ],
  [
    'the restart policy Always',
    worldOf(template({ restartPolicy: 'Always' })).job,
    'InvalidField',
    'spec.template.spec.restartPolicy',
  ],
  [
    'too much parallelism',
    worldOf({ ...INDEXED, parallelism: 200_000 }).job,
    'InvalidField',
    'spec.parallelism',
  ],
  [
    'exit code 0 with In',
    worldOf({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] },
    }).job,
    'InvalidField',
    'spec.podFailurePolicy.rules[0].onExitCodes.values[0]',
  ],
  [
    'a template without containers',
    worldOf(template({ containers: [] })).job,
    'InvalidField',
    'spec.template.spec.containers',
  ],
  ['a name with an underscore', named(worldOf({}).job, { name: 'a_b' }), 'InvalidMetadata', 'metadata.name'],
  [
    'a name that makes no label',
    named(worldOf({}).job, { name: 'x'.repeat(64) }),
    'InvalidField',
    'metadata.name',
  ],
  [
    'a name that makes no host name',
    named(worldOf(INDEXED).job, { name: 'with.dots' }),
    'InvalidField',
    'metadata.name',
  ],
  [
    'a label that is none',
    named(worldOf({}).job, { labels: { tier: 'a b' } }),
    'InvalidMetadata',
    'metadata.labels.tier',
  ],
];

describe('a Job that the API would refuse', () => {
  test.each(REFUSED)('%s: it is invalid, and nothing is made', (_what, job, code, field) => {
    const [work, ...others] = worksOf([job]);
    expect(others).toEqual([]);
    expect(work).toMatchObject({ state: 'invalid', reason: code, steps: [], events: [] });
    expect(work?.findings[0]).toMatchObject({ code, severity: 'error' });
    expect(work?.detail).toBe(work?.findings[0]?.what);
    expect(work?.detail?.startsWith(`${field}: `)).toBe(true);
  });

  test.each(REFUSED)('%s: validate says the same of its spec', (_what, job) => {
    const [work] = worksOf([job]);
    const ofSpec = work?.findings.filter(({ code }) => code === 'InvalidField');
    expect(ofSpec).toEqual(MANAGED_JOBS.check(job));
  });

  test.each(REFUSED)('%s: so it is where Jobs are only observed', (_what, job) => {
    const [told] = worksOf([job]);
    const [observed] = worksOf([job], 'observe');
    expect(observed).toMatchObject({ state: 'invalid', steps: [], findings: told?.findings });
  });

  test('does not keep others from their pods', () => {
    const bad = named(worldOf({ backoffLimit: -1 }).job, { uid: 'uid-bad', name: 'bad' });
    const states = worksOf([bad, worldOf({}).job]).map(({ source, state, steps }) => [
      source.object.metadata.name,
      state,
      steps.map(({ verb }) => verb),
    ]);
    expect(states).toEqual([
      ['bad', 'invalid', []],
      ['work', 'started', ['add', 'apply']],
    ]);
  });

  test('is not looked at once it is over', () => {
    const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-10-28T07:59:00Z' }];
    const job = { ...worldOf({ backoffLimitPerIndex: 1 }).job, status: { conditions } };
    expect(worksOf([job])[0]).toMatchObject({ state: 'finished', outcome: 'succeeded', findings: [] });
    expect(worksOf([job], 'observe')[0]).toMatchObject({ state: 'finished', findings: [] });
  });

  test('gives its pods free when it is deleted, and gets none', () => {
    const given = {
      spec: { backoffLimitPerIndex: 1, completions: 3, parallelism: 2 },
      pods: [succeeded('a')],
    };
    expect(writes(evaluateGiven(given))).toEqual([]);
    expect(writes(evaluateGiven({ ...given, deleting: true }))).toEqual(['status', 'release a', 'status']);
  });

  test('of an unknown completion mode has the event, and an error beside it', () => {
    const [work] = worksOf([worldOf({ completionMode: 'Shuffled' }).job]);
    expect(work).toMatchObject({ state: 'invalid', reason: 'UnknownCompletionMode', steps: [] });
    expect(work?.events.map(({ reason }) => reason)).toEqual(['UnknownCompletionMode']);
    expect(work?.findings.map(({ what, severity }) => `${severity} ${what}`)).toEqual([
      'error spec.completionMode: Unsupported value: "Shuffled": supported values: "NonIndexed", "Indexed"',
    ]);
  });

  test('a status that the API could not have written is named with its place', () => {
    const status = { uncountedTerminatedPods: { failed: 'all' }, conditions: [7] };
    const [work] = worksOf([{ ...worldOf({}).job, status }]);
    expect(work?.findings.map(({ path, what }) => ({ path, what }))).toEqual([
      {
        path: ['status', 'uncountedTerminatedPods', 'failed'],
        what: 'status.uncountedTerminatedPods.failed is "all", not such a list',
      },
      { path: ['status', 'conditions', 0], what: 'status.conditions[0] is no object' },
    ]);
  });
});

describe('a Job of a newer API', () => {
  test.each<[string, JsonObject]>([
    ['a field of the spec', { scheduling: { gang: true } }],
    ['a field of the pod', template({ hibernation: 'Deep' })],
    [
      'a field of a container',
      template({ containers: [{ name: 'main', image: 'busybox:1.37', warmth: 'Hot' }] }),
    ],
  ])('%s that is not known does no harm', (_what, spec) => {
    expect(worksOf([worldOf(spec).job])[0]).toMatchObject({ state: 'started', findings: [] });
  });
});
