import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';

function job(spec: JsonObject, pod: JsonObject = {}): KubeObject {
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }], ...pod },
  };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'it' }, spec: { template, ...spec } };
}

function named(object: KubeObject, metadata: KubeObject['metadata']): KubeObject {
  return { ...object, metadata };
}

const ofAnother: JsonObject = {
  template: {
    metadata: { labels: { 'job-name': 'other', 'controller-uid': 'u' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] },
  },
};

test.each<[string, KubeObject, readonly string[]]>([
  ['a Job that the API takes', job({ managedBy: 'minutehand.dev/job' }), []],
  [
    'Always',
    job({}, { restartPolicy: 'Always' }),
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'a limit per index without Indexed',
    job({ backoffLimitPerIndex: 1 }),
    ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
  ],
  [
    'a manager without a domain',
    job({ managedBy: 'me' }),
    ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'dots before an index',
    named(job({ completionMode: 'Indexed', completions: 2 }), { name: 'a.b' }),
    ['metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-1'],
  ],
  [
    'labels of another Job',
    named(job(ofAnother), { name: 'it' }),
    [
      "spec.template.metadata.labels.job-name: Invalid value: must be 'it'",
      'spec.template.metadata.labels.controller-uid: Invalid value: must be the uid of the Job',
    ],
  ],
  ['its own labels', named(job(ofAnother), { name: 'other', uid: 'u' }), []],
])('a Job is judged in the words of the API: %s', (_what, object, want) => {
  expect(MANAGED_JOBS.check(object).map(({ what }) => what)).toEqual(want);
});

test('nothing but Jobs is judged', () => {
  expect(MANAGED_JOBS.check({ ...job({}, { restartPolicy: 'Always' }), kind: 'CronJob' })).toEqual([]);
});
