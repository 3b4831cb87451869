import { describe, expect, test } from 'vitest';
import { hostNameRoom, type JobContext } from '#api/job-name.ts';
import { checkJobSpec, checkJobTemplate } from '#api/job-template.ts';
import type { JsonObject } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';
import { indexed, jobSpec, WORKER } from '#test/api/job-row.ts';

const HUNDRED_AND_ONE = indexed({ completions: 101, parallelism: 1 });
const LONG = 'x'.repeat(64);

function labelled(labels: JsonObject): JsonObject {
  return { template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [WORKER] } } };
}

function hostName(name: string, index: number): string {
  return `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-${index}`;
}

type Row = readonly [what: string, spec: JsonObject, context: JobContext, says: readonly string[]];

const HOST_NAMES: readonly Row[] = [
  ['leaves room for the index', HUNDRED_AND_ONE, { jobName: 'x'.repeat(59) }, []],
  [
    'leaves no room for the largest index',
    HUNDRED_AND_ONE,
    { jobName: 'x'.repeat(60) },
    [hostName('x'.repeat(60), 100)],
  ],
  ['has a dot, and there are indexes', indexed({}), { jobName: 'a.b' }, [hostName('a.b', 4)]],
  ['has a dot, and there are none', {}, { jobName: 'a.b' }, []],
  ['has no index behind it', indexed({ completions: 0 }), { jobName: 'x'.repeat(63) }, []],
  [
    'is known but for a part',
    indexed({}),
    { jobName: 'a.b-00000000', shownName: 'a.b-MINUTES' },
    [hostName('a.b-MINUTES', 4)],
  ],
];

const LABEL = 'spec.template.metadata.labels';
const BATCH_NAME = 'batch.kubernetes.io/job-name';
const BATCH_UID = 'batch.kubernetes.io/controller-uid';
const MANUAL = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };

const LABELS: readonly Row[] = [
  [
    'is no label value',
    {},
    { jobName: LONG },
    [`metadata.name: Invalid value: "${LONG}": must be no more than 63 bytes`],
  ],
  [
    'is no label value, and no label is made',
    { ...MANUAL, ...labelled({ app: 'a' }) },
    { jobName: LONG },
    [],
  ],
  ['is in the labels', labelled({ 'job-name': 'it', [BATCH_NAME]: 'it' }), { jobName: 'it' }, []],
  [
    'is not the one in the labels',
    labelled({ 'job-name': 'other', [BATCH_NAME]: 'it' }),
    { jobName: 'it' },
    [`${LABEL}.job-name: Invalid value: must be 'it'`],
  ],
  [
    'is not the one in the labels, which nobody else writes',
    { ...MANUAL, ...labelled({ app: 'a', 'job-name': 'other' }) },
    { jobName: 'it' },
    [],
  ],
  [
    'is new, and a uid is in the labels',
    labelled({ [BATCH_UID]: 'u' }),
    { jobName: 'it' },
    [`${LABEL}[${BATCH_UID}]: Invalid value: must be the uid of the Job`],
  ],
  ['has its own uid in the labels', labelled({ [BATCH_UID]: 'u' }), { jobName: 'it', uid: 'u' }, []],
  [
    'has another uid than its labels',
    labelled({ 'controller-uid': 'u' }),
    { jobName: 'it', uid: 'v' },
    [`${LABEL}.controller-uid: Invalid value: must be 'v'`],
  ],
  ['is not known', labelled({ 'job-name': 'other', 'controller-uid': 'u' }), {}, []],
  [
    'is not the one in the selector',
    { selector: { matchLabels: { 'job-name': 'other' } } },
    { jobName: 'it' },
    ['spec.selector: Invalid value: `selector` not auto-generated'],
  ],
  [
    'is in the selector, with its uid',
    { selector: { matchLabels: { 'job-name': 'it', 'controller-uid': 'u' } } },
    { jobName: 'it', uid: 'u' },
    [],
  ],
];

describe.each([
  ['host names', HOST_NAMES],
  ['labels', LABELS],
])('%s', (_, rows) => {
  test.each(rows)('a Job whose name %s', (_what, spec, context, says) => {
    expect(issueLines(checkJobSpec(jobSpec({ spec }), ['spec'], context))).toEqual(says);
  });
});

test('the template of a CronJob is judged by the name of the Job it would create', () => {
  const template = { spec: jobSpec({ spec: HUNDRED_AND_ONE }) };
  const issues = checkJobTemplate(template, ['spec', 'jobTemplate'], { jobName: 'x'.repeat(60) });
  expect(issues.map((issue) => issue.path)).toEqual([['metadata', 'name']]);
});

test.each<[string, JsonObject, number]>([
  ['no index', {}, 0],
  ['indexes of one digit', indexed({ completions: 10 }), 2],
  ['indexes of two digits', indexed({ completions: 11 }), 3],
  ['an Indexed Job of nothing', indexed({ completions: 0 }), 0],
  ['a number that is none', indexed({ completions: 'many' }), 0],
])('host names take room from a Job name: %s', (_what, spec, want) => {
  expect(hostNameRoom(spec)).toBe(want);
});
