import { beforeAll, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { parseInstant } from '#core/time/instant.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { refusals } from '#drivers/managed-job/refusals.ts';
import { buildManualRun, runName } from '#kinds/cron-job/build.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { decideOne } from '#test/kinds/support/decide-one.ts';
import type { ApiServer } from './support/api-server.ts';
import { refusalWords } from './support/refusal-words.ts';
import { request } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

const INDEXED = { completionMode: 'Indexed', completions: 4 };
const CODES = { operator: 'In', values: [42] };
const LONGEST = 'x'.repeat(63);
const POD = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] };
const SELECTED = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };

function rules(...all: readonly JsonObject[]): JsonObject {
  return { podFailurePolicy: { rules: all } };
}

function policy(...all: readonly JsonObject[]): JsonObject {
  return { ...INDEXED, successPolicy: { rules: all } };
}

function labelled(labels: JsonObject): JsonObject {
  return { template: { metadata: { labels }, spec: POD } };
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
  ['a name that leaves no room for an index', INDEXED, {}, 'x'.repeat(62)],
  ['a name that leaves room for an index', INDEXED, {}, 'x'.repeat(61)],
  ['the longest name', {}, {}, LONGEST],
  ['a name longer than a label', {}, {}, `${LONGEST}x`],
  [
    'a name longer than a label, with a selector of its own',
    { ...SELECTED, ...labelled({ app: 'a' }) },
    {},
    `${LONGEST}x`,
  ],
  ['its own name in the labels', labelled({ 'job-name': 'it', 'batch.kubernetes.io/job-name': 'it' })],
  ['another name in the labels', labelled({ 'job-name': 'other' })],
  ['another name in the label with a domain', labelled({ 'batch.kubernetes.io/job-name': 'other' })],
  [
    'another name in the labels, with a selector of its own',
    { ...SELECTED, ...labelled({ app: 'a', 'job-name': 'other' }) },
  ],
  ['the uid of another Job in the labels', labelled({ 'controller-uid': 'other' })],
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

/** Rows whose CronJob the API takes, whatever it says of the Jobs. */
const CRON_JOBS: readonly Row[] = [
  ['indexes behind a name with dots', INDEXED, {}, 'with.dots'],
  ['a name with dots', {}, {}, 'with.dots'],
  ['indexes behind the longest name', INDEXED, {}, 'x'.repeat(52)],
  ['an index too many behind the longest name', { ...INDEXED, completions: 11 }, {}, 'x'.repeat(52)],
  ['two digits behind a name that leaves room for them', { ...INDEXED, completions: 11 }, {}, 'x'.repeat(51)],
  ['a name whose Jobs by hand are the longest', { ...INDEXED, completions: 10 }, {}, 'x'.repeat(44)],
  ['no index behind a name with dots', { ...INDEXED, completions: 0 }, {}, 'with.dots'],
  ['the name of a Job in the labels', labelled({ 'job-name': 'it' })],
  ['the uid of a Job in the labels', labelled({ 'controller-uid': 'other' })],
];

function jobOf(spec: JsonObject, pod: JsonObject, name: string): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { template: { spec: { ...POD, ...pod } }, ...spec },
  };
}

const CREATED = '2026-06-01T00:00:00Z';
const NOW = '2026-06-10T03:00:10Z';

function cronJobOf({ apiVersion, metadata, spec = {} }: KubeObject): KubeObject {
  return {
    apiVersion,
    kind: 'CronJob',
    metadata: { ...metadata, uid: 'uid-by-hand', creationTimestamp: CREATED },
    spec: { schedule: '0 3 * * *', jobTemplate: { spec } },
  };
}

/** Keys of labels stand in brackets there, with or without a domain. */
function toldOf({ what }: { readonly what: string }): string {
  return what.replace(/labels\.([a-z-]+):/, 'labels[$1]:');
}

describeOnServer('what the API says of a Job, validate says offline', () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  /** A dry run: what the server takes is not kept. */
  async function post(type: ResourceType, body: KubeObject) {
    const path = resourcePath(type, { namespace: 'default' }, { dryRun: 'All' });
    const answer = await request(server, 'POST', path, { body });
    return { ...answer, said: new Set(refusalWords(answer)) };
  }

  test.each(ROWS.map((row) => [row[0], row] as const))(
    '%s',
    async (_what, [, spec, pod = {}, name = 'it']) => {
      const job = jobOf(spec, pod, name);
      const { status, body, said } = await post(JOB, job);
      const told = MANAGED_JOBS.check(job).map(toldOf);
      expect(new Set(told)).toEqual(said);
      // What a server took, with all that it adds, is refused by nobody here.
      if (status === 201) expect(refusals(body as unknown as KubeObject)).toEqual([]);
    },
  );

  test.each(CRON_JOBS.map((row) => [row[0], row] as const))(
    'in a CronJob: %s',
    async (_what, [, spec, pod = {}, name = 'it']) => {
      const cronJob = cronJobOf(jobOf(spec, pod, name));
      expect(await post(CRON_JOB, cronJob)).toMatchObject({ status: 201 });
      const slot = parseInstant('2026-06-10T03:00:00Z') ?? expect.fail('no slot');
      const { status, said } = await post(JOB, buildManualRun(cronJob, runName(name, slot)));
      const { changeSet, entries } = decideOne([cronJob], NOW);
      const inTemplate = [...said].map((word) =>
        word.replace(/^spec/, 'spec.jobTemplate.spec').replace(/-29684340\b/g, '-MINUTES'),
      );
      expect(new Set(changeSet.diagnostics.map(toldOf))).toEqual(new Set(inTemplate));
      expect(changeSet.schedules[0]?.verdict.code).toBe(status === 201 ? 'fired' : 'invalid');
      for (const { schedule } of entries.values()) {
        for (const { build } of schedule.manualRuns(slot).runs)
          expect(await post(JOB, build())).toMatchObject({ status: 201 });
      }
    },
  );
});
