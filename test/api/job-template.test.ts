import { describe, expect, test } from 'vitest';
import { checkJobSpec, checkJobTemplate } from '#api/job-template.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';

interface Row {
  readonly name: string;
  readonly spec: JsonObject;
  readonly pod?: JsonObject;
  readonly says?: readonly string[];
}

const WORKER = { name: 'worker', image: 'busybox:1.37' };

function jobSpec(row: Row): JsonObject {
  return { template: { spec: { restartPolicy: 'Never', containers: [WORKER], ...row.pod } }, ...row.spec };
}

function indexed(spec: JsonObject): JsonObject {
  return { completionMode: 'Indexed', completions: 5, parallelism: 5, ...spec };
}

function policy(...rules: readonly Json[]): JsonObject {
  return { podFailurePolicy: { rules } };
}

const ON_42 = { onExitCodes: { operator: 'In', values: [42] } };
const DISRUPTED = { type: 'DisruptionTarget' };
const RULES = 'spec.podFailurePolicy.rules';
const SUCCESS = 'spec.successPolicy.rules';
const SUPPORTED_ACTIONS = '"Count", "FailIndex", "FailJob", "Ignore"';

const RESTART_POLICY: Row[] = [
  { name: 'Never', spec: {} },
  { name: 'OnFailure', spec: {}, pod: { restartPolicy: 'OnFailure' } },
  {
    name: 'Always',
    spec: {},
    pod: { restartPolicy: 'Always' },
    says: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  },
  {
    name: 'an empty one',
    spec: {},
    pod: { restartPolicy: '' },
    says: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  },
  {
    name: 'none',
    spec: {},
    pod: { restartPolicy: null },
    says: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  },
  {
    name: 'an unknown one',
    spec: {},
    pod: { restartPolicy: 'Sometimes' },
    says: [
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"',
    ],
  },
  {
    name: 'OnFailure with a failure policy',
    spec: policy({ action: 'FailJob', ...ON_42 }),
    pod: { restartPolicy: 'OnFailure' },
    says: [
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
  },
];

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
];

const NUMBERS: Row[] = [
  ...COUNTS.map((key) => ({ name: `${key} 0`, spec: { [key]: 0 } })),
  ...COUNTS.map((key) => ({
    name: `${key} -1`,
    spec: { [key]: -1 },
    says: [`spec.${key}: Invalid value: -1: must be greater than or equal to 0`],
  })),
  { name: 'both limits 0', spec: indexed({ backoffLimitPerIndex: 0, maxFailedIndexes: 0 }) },
  {
    name: 'both limits -1',
    spec: indexed({ backoffLimitPerIndex: -1, maxFailedIndexes: -1 }),
    says: [
      'spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0',
      'spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
];

const INDEXED: Row[] = [
  { name: 'a mode with completions', spec: { completionMode: 'Indexed', completions: 3 } },
  { name: 'the default mode', spec: { completionMode: 'NonIndexed' } },
  {
    name: 'parallelism alone',
    spec: { completionMode: 'Indexed', parallelism: 2 },
    says: ['spec.completions: Required value: when completion mode is Indexed'],
  },
  {
    name: 'an unknown mode',
    spec: { completionMode: 'indexed', completions: 1 },
    says: ['spec.completionMode: Unsupported value: "indexed": supported values: "NonIndexed", "Indexed"'],
  },
  { name: 'parallelism 100000', spec: indexed({ parallelism: 100_000 }) },
  {
    name: 'parallelism 100001',
    spec: indexed({ parallelism: 100_001 }),
    says: [
      'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    ],
  },
  { name: 'parallelism 100001 without indexes', spec: { parallelism: 100_001 } },
];

const PER_INDEX: Row[] = [
  { name: 'limit and maximum', spec: indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 5 }) },
  {
    name: 'a limit without indexes',
    spec: { backoffLimitPerIndex: 1 },
    says: ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
  },
  {
    name: 'a maximum without limit and indexes',
    spec: { maxFailedIndexes: 1 },
    says: [
      'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
    ],
  },
  {
    name: 'a maximum without limit',
    spec: indexed({ maxFailedIndexes: 1 }),
    says: ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
  },
  {
    name: 'a maximum above completions',
    spec: indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 6 }),
    says: ['spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions'],
  },
  {
    name: 'a maximum above 100000',
    spec: indexed({ completions: 100_000, backoffLimitPerIndex: 1, maxFailedIndexes: 100_001 }),
    says: [
      'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to completions',
      'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000',
    ],
  },
  {
    name: '100001 completions within the limits',
    spec: indexed({
      completions: 100_001,
      parallelism: 10_000,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 10_000,
    }),
  },
  {
    name: '100001 completions without limit per index',
    spec: indexed({ completions: 100_001, parallelism: 10_001 }),
  },
  {
    name: '100001 completions without maximum',
    spec: indexed({ completions: 100_001, backoffLimitPerIndex: 1 }),
    says: ['spec.maxFailedIndexes: Required value: must be specified when completions is above 100000'],
  },
  {
    name: '100001 completions beyond the limits',
    spec: indexed({
      completions: 100_001,
      parallelism: 10_001,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 10_001,
    }),
    says: [
      'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      'spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
  },
];

const FAILURE_POLICY: Row[] = [
  {
    name: 'exit codes of a named container',
    spec: policy({
      action: 'FailJob',
      onExitCodes: { containerName: 'worker', operator: 'In', values: [42] },
    }),
  },
  {
    name: 'exit codes of an init container',
    spec: policy({
      action: 'Count',
      onExitCodes: { containerName: 'fetch', operator: 'NotIn', values: [0, 1] },
    }),
    pod: { initContainers: [{ name: 'fetch', image: 'busybox' }] },
  },
  {
    name: 'a condition whose status is left out',
    spec: policy({ action: 'Ignore', onPodConditions: [DISRUPTED] }),
  },
  {
    name: 'a condition with each status',
    spec: policy({
      action: 'Ignore',
      onPodConditions: ['True', 'False', 'Unknown', ''].map((status) => ({ ...DISRUPTED, status })),
    }),
  },
  {
    name: 'FailIndex with a limit',
    spec: { ...indexed({ backoffLimitPerIndex: 1 }), ...policy({ action: 'FailIndex', ...ON_42 }) },
  },
  { name: 'twenty rules', spec: policy(...Array(20).fill({ action: 'Ignore', ...ON_42 })) },
  {
    name: 'twenty-one rules',
    spec: policy(...Array(21).fill({ action: 'Ignore', ...ON_42 })),
    says: [`${RULES}: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'no action',
    spec: policy(ON_42),
    says: [`${RULES}[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`],
  },
  {
    name: 'an unknown action',
    spec: policy({ action: 'Retry', ...ON_42 }),
    says: [`${RULES}[0].action: Unsupported value: "Retry": supported values: ${SUPPORTED_ACTIONS}`],
  },
  {
    name: 'FailIndex without a limit',
    spec: policy({ action: 'FailIndex', ...ON_42 }),
    says: [`${RULES}[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
  },
  {
    name: 'codes and conditions in one rule',
    spec: policy({ action: 'Count', ...ON_42, onPodConditions: [DISRUPTED] }),
    says: [`${RULES}[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`],
  },
  {
    name: 'neither codes nor conditions',
    spec: policy({ action: 'Count', onPodConditions: [] }),
    says: [`${RULES}[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`],
  },
  {
    name: 'no operator',
    spec: policy({ action: 'Count', onExitCodes: { values: [1] } }),
    says: [`${RULES}[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`],
  },
  {
    name: 'an unknown operator',
    spec: policy({ action: 'Count', onExitCodes: { operator: 'Equals', values: [1] } }),
    says: [`${RULES}[0].onExitCodes.operator: Unsupported value: "Equals": supported values: "In", "NotIn"`],
  },
  {
    name: 'no exit codes',
    spec: policy({ action: 'Count', onExitCodes: { operator: 'In', values: [] } }),
    says: [`${RULES}[0].onExitCodes.values: Invalid value: []: at least one value is required`],
  },
  {
    name: '255 exit codes',
    spec: policy({
      action: 'Count',
      onExitCodes: { operator: 'In', values: Array.from({ length: 255 }, (_, i) => i + 1) },
    }),
  },
  {
    name: '256 exit codes',
    spec: policy({
      action: 'Count',
      onExitCodes: { operator: 'NotIn', values: Array.from({ length: 256 }, (_, i) => i) },
    }),
    says: [`${RULES}[0].onExitCodes.values: Too many: 256: must have at most 255 items`],
  },
  {
    name: 'exit codes out of order and repeated, with 0',
    spec: policy({ action: 'Count', onExitCodes: { operator: 'In', values: [3, 1, 3, 0] } }),
    says: [
      `${RULES}[0].onExitCodes.values[2]: Duplicate value: 3`,
      `${RULES}[0].onExitCodes.values[3]: Invalid value: 0: must not be 0 for the In operator`,
      `${RULES}[0].onExitCodes.values: Invalid value: [3,1,3,0]: must be ordered`,
    ],
  },
  {
    name: 'exit codes of a container that does not exist',
    spec: policy({ action: 'Count', onExitCodes: { containerName: 'w', operator: 'In', values: [1] } }),
    says: [
      `${RULES}[0].onExitCodes.containerName: Invalid value: "w": must be one of the container or initContainer names in the pod template`,
    ],
  },
  {
    name: 'twenty-one conditions',
    spec: policy({ action: 'Ignore', onPodConditions: Array(21).fill(DISRUPTED) }),
    says: [`${RULES}[0].onPodConditions: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'a condition with an unknown status',
    spec: policy({ action: 'Ignore', onPodConditions: [{ ...DISRUPTED, status: 'true' }] }),
    says: [
      `${RULES}[0].onPodConditions[0].status: Unsupported value: "true": supported values: "False", "True", "Unknown"`,
    ],
  },
  {
    name: 'a condition without type',
    spec: policy({ action: 'Ignore', onPodConditions: [null] }),
    says: [
      expect.stringContaining(
        `${RULES}[0].onPodConditions[0].type: Invalid value: "": name part must be non-empty`,
      ),
    ],
  },
];

const REPLACEMENT: Row[] = [
  { name: 'Failed', spec: { podReplacementPolicy: 'Failed' } },
  { name: 'TerminatingOrFailed', spec: { podReplacementPolicy: 'TerminatingOrFailed' } },
  {
    name: 'Failed with a failure policy',
    spec: { podReplacementPolicy: 'Failed', ...policy({ action: 'Count', ...ON_42 }) },
  },
  {
    name: 'TerminatingOrFailed with a failure policy',
    spec: { podReplacementPolicy: 'TerminatingOrFailed', ...policy({ action: 'Count', ...ON_42 }) },
    says: ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
  },
  {
    name: 'an unknown one',
    spec: { podReplacementPolicy: 'Always' },
    says: [
      'spec.podReplacementPolicy: Unsupported value: "Always": supported values: "Failed", "TerminatingOrFailed"',
    ],
  },
];

function success(...rules: readonly Json[]): JsonObject {
  return indexed({ successPolicy: { rules } });
}

const SUCCESS_POLICY: Row[] = [
  { name: 'indexes', spec: success({ succeededIndexes: '0,2-3' }) },
  { name: 'a count', spec: success({ succeededCount: 3 }) },
  { name: 'indexes and a count', spec: success({ succeededIndexes: '0,2-3', succeededCount: 3 }) },
  { name: 'twenty rules', spec: success(...Array(20).fill({ succeededCount: 1 })) },
  {
    name: 'no indexed mode',
    spec: { successPolicy: { rules: [{ succeededCount: 1 }] } },
    says: ['spec.successPolicy: Invalid value: requires indexed completion mode'],
  },
  {
    name: 'no rules',
    spec: success(),
    says: [
      `${SUCCESS}: Required value: at least one rules must be specified when the successPolicy is specified`,
    ],
  },
  {
    name: 'twenty-one rules',
    spec: success(...Array(21).fill({ succeededCount: 1 })),
    says: [`${SUCCESS}: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'an empty rule',
    spec: success({}),
    says: [
      `${SUCCESS}[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`,
    ],
  },
  {
    name: 'indexes out of order',
    spec: success({ succeededIndexes: '3,1' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`,
    ],
  },
  {
    name: 'a range that falls',
    spec: success({ succeededIndexes: '3-1' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "3-1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`,
    ],
  },
  {
    name: 'an index as large as completions',
    spec: success({ succeededIndexes: '0-5' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"`,
    ],
  },
  {
    name: 'an index that is no number',
    spec: success({ succeededIndexes: '0,a' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0,a": error parsing succeededIndexes: cannot convert string to integer for index: "a"`,
    ],
  },
  {
    name: 'a range of three parts',
    spec: success({ succeededIndexes: '0-1-2' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  },
  {
    name: 'a list longer than 64 KiB',
    spec: success({ succeededIndexes: `${'0'.repeat(65_536)}1` }),
    says: [`${SUCCESS}[0].succeededIndexes: Too long: may not be more than 65536 bytes`],
  },
  {
    name: 'a count above completions',
    spec: success({ succeededCount: 6 }),
    says: [
      `${SUCCESS}[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)`,
    ],
  },
  {
    name: 'a count above the listed indexes',
    spec: success({ succeededIndexes: '0,2-3', succeededCount: 4 }),
    says: [
      `${SUCCESS}[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)`,
    ],
  },
  {
    name: 'a negative count',
    spec: success({ succeededCount: -1 }),
    says: [`${SUCCESS}[0].succeededCount: Invalid value: -1: must be greater than or equal to 0`],
  },
];

const MANAGED_BY: Row[] = [
  { name: 'ours', spec: { managedBy: 'minutehand.dev/job' } },
  { name: '63 characters', spec: { managedBy: `acme.io/${'x'.repeat(55)}` } },
  {
    name: '64 characters',
    spec: { managedBy: `acme.io/${'x'.repeat(56)}` },
    says: ['spec.managedBy: Too long: may not be more than 63 bytes'],
  },
  {
    name: 'no path',
    spec: { managedBy: 'minutehand' },
    says: [
      'spec.managedBy: Invalid value: "minutehand": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
  },
  {
    name: 'a host in capitals',
    spec: { managedBy: 'Acme/foo' },
    says: [
      expect.stringContaining('spec.managedBy: Invalid value: "Acme/foo": a lowercase RFC 1123 subdomain'),
    ],
  },
  {
    name: 'a blank in the path',
    spec: { managedBy: 'acme.io/a b' },
    says: [expect.stringContaining('spec.managedBy: Invalid value: "acme.io/a b": Invalid path (regex used')],
  },
  { name: 'an empty one', spec: { managedBy: '' }, says: ['spec.managedBy: Required value'] },
];

const TYPES: Row[] = [
  {
    name: 'a quoted number',
    spec: { parallelism: '2' },
    says: ['spec.parallelism: Invalid value: "2": spec.parallelism must be an integer, not a string'],
  },
  {
    name: 'a fraction',
    spec: { backoffLimit: 1.5 },
    says: ['spec.backoffLimit: Invalid value: 1.5: spec.backoffLimit must be an integer, not a fraction'],
  },
  {
    name: 'more than 32 bits',
    spec: { completions: 2_147_483_648 },
    says: [
      'spec.completions: Invalid value: 2147483648: spec.completions must be a 32-bit integer, from -2147483648 to 2147483647',
    ],
  },
  { name: 'more than 32 bits where 64 are allowed', spec: { activeDeadlineSeconds: 2_147_483_648 } },
  {
    name: 'more than 64 bits',
    spec: { activeDeadlineSeconds: 1e19 },
    says: [
      'spec.activeDeadlineSeconds: Invalid value: 10000000000000000000: spec.activeDeadlineSeconds must be a 64-bit integer, from -9223372036854775808 to 9223372036854775807',
    ],
  },
  {
    name: 'a quoted boolean',
    spec: { suspend: 'true' },
    says: ['spec.suspend: Invalid value: "true": spec.suspend must be a boolean, not a string'],
  },
  {
    name: 'a list for an object',
    spec: { podFailurePolicy: [] },
    says: ['spec.podFailurePolicy: Invalid value: []: spec.podFailurePolicy must be an object, not a list'],
  },
  {
    name: 'an exit code in quotes',
    spec: policy({ action: 'Count', onExitCodes: { operator: 'In', values: ['1'] } }),
    says: [
      `${RULES}[0].onExitCodes.values[0]: Invalid value: "1": ${RULES}[0].onExitCodes.values[0] must be an integer, not a string`,
    ],
  },
  {
    name: 'null for every optional field',
    spec: {
      parallelism: null,
      completions: null,
      backoffLimit: null,
      suspend: null,
      podFailurePolicy: null,
      successPolicy: null,
      podReplacementPolicy: null,
      managedBy: null,
      completionMode: null,
      selector: null,
    },
  },
  { name: 'a field of a newer server', spec: { scheduling: { policy: 'Gang' } } },
];

const TABLES = {
  'restart policy': RESTART_POLICY,
  numbers: NUMBERS,
  Indexed: INDEXED,
  'per index': PER_INDEX,
  'failure policy': FAILURE_POLICY,
  replacement: REPLACEMENT,
  'success policy': SUCCESS_POLICY,
  managedBy: MANAGED_BY,
  types: TYPES,
};

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  test.each(rows)('a Job with $name is judged as by the API server', (row) => {
    expect(issueLines(checkJobSpec(jobSpec(row), ['spec'], {}))).toEqual(row.says ?? []);
  });
});

describe('names of Indexed Jobs', () => {
  const row = { name: '', spec: indexed({ completions: 101, parallelism: 1 }) };

  test('a name that leaves room for the index is accepted', () => {
    expect(checkJobSpec(jobSpec(row), ['spec'], { jobName: 'x'.repeat(59) })).toEqual([]);
  });

  test('a name that leaves no room for the largest index is refused at metadata.name', () => {
    const name = 'x'.repeat(60);
    expect(issueLines(checkJobSpec(jobSpec(row), ['spec'], { jobName: name }))).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-100`,
    ]);
  });

  test('a dot in the name is refused only when there are indexes', () => {
    expect(checkJobSpec(jobSpec(row), ['spec'], { jobName: 'a.b' })).toHaveLength(1);
    expect(checkJobSpec(jobSpec({ name: '', spec: {} }), ['spec'], { jobName: 'a.b' })).toEqual([]);
  });

  test('a Job name that is no label value is refused', () => {
    const name = 'x'.repeat(64);
    expect(issueLines(checkJobSpec(jobSpec({ name: '', spec: {} }), ['spec'], { jobName: name }))).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 63 bytes`,
    ]);
  });

  test('no completions need no host name', () => {
    const none = { name: '', spec: indexed({ completions: 0 }) };
    expect(checkJobSpec(jobSpec(none), ['spec'], { jobName: 'x'.repeat(63) })).toEqual([]);
  });

  test('a CronJob template is judged by the name of the Job it would create', () => {
    const issues = checkJobTemplate({ spec: jobSpec(row) }, ['spec', 'jobTemplate'], {
      jobName: 'x'.repeat(60),
    });
    expect(issues.map((issue) => issue.path)).toEqual([['metadata', 'name']]);
  });
});

describe('defaults', () => {
  const bare = { name: '', spec: { completionMode: 'Indexed' } };

  test('an Indexed Job with neither number has one completion', () => {
    expect(checkJobSpec(jobSpec(bare), ['spec'], {})).toEqual([]);
  });

  test('an Indexed Job template with neither number lacks completions, as the server defaults no templates', () => {
    expect(issueLines(checkJobTemplate({ spec: jobSpec(bare) }, ['spec', 'jobTemplate']))).toEqual([
      'spec.jobTemplate.spec.completions: Required value: when completion mode is Indexed',
    ]);
  });
});

describe('selectors', () => {
  const generated = { 'batch.kubernetes.io/controller-uid': 'u', 'controller-uid': 'u' };
  const labelled = {
    metadata: { labels: { app: 'a' } },
    spec: { restartPolicy: 'Never', containers: [WORKER] },
  };
  const rows = [
    {
      name: 'the selector that the server generated',
      spec: { selector: { matchLabels: generated } },
      says: [],
    },
    {
      name: 'a selector of one’s own',
      spec: { selector: { matchLabels: { app: 'a' } } },
      says: ['spec.selector: Invalid value: `selector` not auto-generated'],
    },
    {
      name: 'a manual selector that matches the template',
      spec: { manualSelector: true, selector: { matchLabels: { app: 'a' } }, template: labelled },
      says: [],
    },
    {
      name: 'a manual selector that misses the template',
      spec: { manualSelector: true, selector: { matchLabels: { app: 'b' } }, template: labelled },
      says: ['spec.template.metadata.labels: Invalid value: `selector` does not match template `labels`'],
    },
    {
      name: 'a manual selector that is absent',
      spec: { manualSelector: true },
      says: ['spec.selector: Required value'],
    },
  ];

  test.each(rows)('a Job with $name is judged', ({ name, spec, says }) => {
    expect(issueLines(checkJobSpec(jobSpec({ name, spec }), ['spec'], {}))).toEqual(says);
  });

  test('a Job template has neither selector nor manualSelector', () => {
    const spec = jobSpec({ name: '', spec: { selector: {}, manualSelector: true } });
    expect(issueLines(checkJobTemplate({ spec }, ['spec', 'jobTemplate']))).toEqual([
      'spec.jobTemplate.spec.selector: Invalid value: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]);
  });
});

describe('Job templates', () => {
  test.each([undefined, null, {}, { spec: null }, { spec: { template: {} } }])(
    'an empty template (%j) lacks containers and a restart policy',
    (template) => {
      expect(issueLines(checkJobTemplate(template, ['spec', 'jobTemplate']))).toEqual([
        'spec.jobTemplate.spec.template.spec.containers: Required value',
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ]);
    },
  );

  test('what is no object is one issue, not a cascade', () => {
    expect(issueLines(checkJobTemplate('x', ['spec', 'jobTemplate']))).toEqual([
      'spec.jobTemplate: Invalid value: "x": spec.jobTemplate must be an object, not a string',
    ]);
    expect(issueLines(checkJobTemplate({ spec: [1] }, ['spec', 'jobTemplate']))).toEqual([
      'spec.jobTemplate.spec: Invalid value: [1]: spec.jobTemplate.spec must be an object, not a list',
    ]);
  });

  test('labels that every Job would carry are checked before a Job is refused for them', () => {
    const template = { metadata: { labels: { app: 'not valid' } }, spec: jobSpec({ name: '', spec: {} }) };
    const [issue] = checkJobTemplate(template, ['spec', 'jobTemplate']);
    expect(issue?.path).toEqual(['spec', 'jobTemplate', 'metadata', 'labels', 'app']);
    expect(issue?.message).toContain('Invalid value: "not valid": a valid label must be an empty string or');
  });

  test('the fix says which restart policies there are to choose from', () => {
    const always = { name: '', spec: {}, pod: { restartPolicy: 'Always' } };
    expect(checkJobSpec(jobSpec(always), ['spec'], {})[0]?.fix).toContain('Never');
    const withPolicy = { ...always, spec: policy({ action: 'Count', ...ON_42 }) };
    expect(checkJobSpec(jobSpec(withPolicy), ['spec'], {})[0]?.fix).not.toContain('OnFailure');
  });

  test('a whole backup CronJob is accepted', () => {
    const env = [
      { name: 'PGHOST', value: 'pg' },
      { name: 'PGPASSWORD', valueFrom: { secretKeyRef: { name: 'pg-credentials', key: 'password' } } },
    ];
    const dump = {
      name: 'dump',
      image: 'postgres:18.6-alpine',
      env,
      command: ['sh', '-ec', 'pg_dump'],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
      volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
    };
    const volumes = [{ name: 'backups', persistentVolumeClaim: { claimName: 'pg-backups' } }];
    const pod = { restartPolicy: 'Never', securityContext: { runAsUser: 70 }, containers: [dump], volumes };
    const spec = {
      backoffLimit: 2,
      activeDeadlineSeconds: 3600,
      ...policy({ action: 'Ignore', onPodConditions: [DISRUPTED] }),
      template: { spec: pod },
    };
    expect(checkJobTemplate({ spec }, ['spec', 'jobTemplate'])).toEqual([]);
  });
});
