import { beforeAll, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { refusals } from '#drivers/managed-job/refusals.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { ApiServer } from './support/api-server.ts';
import { refusalWords } from './support/refusal-words.ts';
import { request } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

const INDEXED = { completionMode: 'Indexed', completions: 4 };
const CODES = { operator: 'In', values: [42] };

function rules(...all: readonly JsonObject[]): JsonObject {
  return { podFailurePolicy: { rules: all } };
}

function policy(...all: readonly JsonObject[]): JsonObject {
  return { ...INDEXED, successPolicy: { rules: all } };
}

type Row = readonly [what: string, spec: JsonObject, pod?: JsonObject, name?: string];

/** Each row of job.md 2.2, and the other side of some. */
const ROWS: readonly Row[] = [
  ['restart policy Always', {}, { restartPolicy: 'Always' }],
  ['no restart policy', {}, { restartPolicy: '' }],
  ['restart policy OnFailure', {}, { restartPolicy: 'OnFailure' }],
  [
    'OnFailure with a failure policy',
    rules({ action: 'FailJob', onExitCodes: CODES }),
    { restartPolicy: 'OnFailure' },
  ],
  ['a negative parallelism', { parallelism: -1 }],
  ['negative completions', { completions: -1 }],
  ['a negative deadline', { activeDeadlineSeconds: -1 }],
  ['a negative back-off limit', { backoffLimit: -1 }],
  ['a negative time to live', { ttlSecondsAfterFinished: -1 }],
  ['a negative limit per index', { ...INDEXED, backoffLimitPerIndex: -1 }],
  ['a negative number of failed indexes', { ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: -1 }],
  ['Indexed without completions', { completionMode: 'Indexed', parallelism: 2 }],
  ['too much parallelism', { ...INDEXED, completions: 100_001, parallelism: 100_001 }],
  ['a name that makes no host name', INDEXED, {}, 'with.dots'],
  ['a limit per index without Indexed', { backoffLimitPerIndex: 1 }],
  ['failed indexes without a limit', { ...INDEXED, maxFailedIndexes: 1 }],
  ['more failed indexes than completions', { ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 5 }],
  ['many completions without a maximum', { ...INDEXED, completions: 100_001, backoffLimitPerIndex: 1 }],
  [
    'many completions with a large maximum',
    {
      ...INDEXED,
      completions: 100_001,
      parallelism: 10_001,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 10_001,
    },
  ],
  ['an unknown completion mode', { completionMode: 'Sorted' }],
  ['a rule without anything', rules({ action: 'FailJob' })],
  ['a rule of both sorts', rules({ action: 'Count', onExitCodes: CODES, onPodConditions: [{ type: 'A' }] })],
  ['an unknown action', rules({ action: 'Retry', onExitCodes: CODES })],
  ['FailIndex without a limit per index', rules({ action: 'FailIndex', onExitCodes: CODES })],
  ['exit code 0 with In', rules({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } })],
  [
    'exit codes out of order',
    rules({ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [2, 1] } }),
  ],
  ['an exit code twice', rules({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 1] } })],
  ['no exit code', rules({ action: 'FailJob', onExitCodes: { operator: 'In', values: [] } })],
  ['an unknown operator', rules({ action: 'FailJob', onExitCodes: { operator: 'Not', values: [1] } })],
  ['an unknown container', rules({ action: 'FailJob', onExitCodes: { ...CODES, containerName: 'other' } })],
  [
    'a condition of an odd status',
    rules({ action: 'Ignore', onPodConditions: [{ type: 'A', status: 'No' }] }),
  ],
  ['too many rules', rules(...Array.from({ length: 21 }, () => ({ action: 'Count', onExitCodes: CODES })))],
  [
    'a replacement beside a failure policy',
    { ...rules({ action: 'Count', onExitCodes: CODES }), podReplacementPolicy: 'TerminatingOrFailed' },
  ],
  ['a success policy without Indexed', { successPolicy: { rules: [{ succeededCount: 1 }] } }],
  ['a success policy without rules', policy()],
  ['a success rule without anything', policy({})],
  ['indexes that are no list', policy({ succeededIndexes: '3-1' })],
  ['indexes beyond the completions', policy({ succeededIndexes: '0-4' })],
  ['a count above the completions', policy({ succeededCount: 5 })],
  ['a count above the listed indexes', policy({ succeededIndexes: '0,2', succeededCount: 3 })],
  ['a manager without a domain', { managedBy: 'somebody' }],
  ['a manager with a long name', { managedBy: `example.com/${'x'.repeat(52)}` }],
  ['a manager', { managedBy: 'minutehand.dev/job' }],
];

function jobOf(spec: JsonObject, pod: JsonObject, name: string): KubeObject {
  const containers = [{ name: 'main', image: 'busybox:1.37' }];
  const template = { spec: { restartPolicy: 'Never', containers, ...pod } };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { template, ...spec },
  };
}

describeOnServer('what the API says of a Job, validate says offline', () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  test.each(ROWS.map((row) => [row[0], row] as const))(
    '%s',
    async (_what, [, spec, pod = {}, name = 'it']) => {
      const job = jobOf(spec, pod, name);
      const path = resourcePath(JOB, { namespace: 'default' }, { dryRun: 'All' });
      const answer = await request(server, 'POST', path, { body: job });
      const { status, body } = answer;
      const told = MANAGED_JOBS.check(job).map(({ what }) => what);
      expect(new Set(told)).toEqual(new Set(refusalWords(answer)));
      // What a server took, with all that it adds, is refused by nobody here.
      if (status === 201) expect(refusals(body as unknown as KubeObject)).toEqual([]);
    },
  );
});
