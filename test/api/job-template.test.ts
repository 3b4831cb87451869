import { describe, expect, test } from 'vitest';
import { checkJobSpec, checkJobTemplate } from '#api/job-template.ts';
import { issueLines } from '#test/api/issue-lines.ts';
import {
  DISRUPTED,
  failurePolicy,
  indexed,
  type JobRow,
  jobSpec,
  linesOf,
  ON_42,
  WORKER,
} from '#test/api/job-row.ts';

const RULES = 'spec.podFailurePolicy.rules';

const RESTART_POLICY: JobRow[] = [
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
    spec: failurePolicy({ action: 'FailJob', ...ON_42 }),
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

const NUMBERS: JobRow[] = [
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

const INDEXED: JobRow[] = [
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

const PER_INDEX: JobRow[] = [
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

const REPLACEMENT: JobRow[] = [
  { name: 'Failed', spec: { podReplacementPolicy: 'Failed' } },
  { name: 'TerminatingOrFailed', spec: { podReplacementPolicy: 'TerminatingOrFailed' } },
  {
    name: 'Failed with a failure policy',
    spec: { podReplacementPolicy: 'Failed', ...failurePolicy({ action: 'Count', ...ON_42 }) },
  },
  {
    name: 'TerminatingOrFailed with a failure policy',
    spec: { podReplacementPolicy: 'TerminatingOrFailed', ...failurePolicy({ action: 'Count', ...ON_42 }) },
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

const MANAGED_BY: JobRow[] = [
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

const TYPES: JobRow[] = [
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
    spec: failurePolicy({ action: 'Count', onExitCodes: { operator: 'In', values: ['1'] } }),
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
  replacement: REPLACEMENT,
  managedBy: MANAGED_BY,
  types: TYPES,
};

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  test.each(rows)('a Job with $name is judged as by the API server', (row) => {
    expect(linesOf(row)).toEqual(row.says ?? []);
  });
});

describe('defaults', () => {
  const bare = { spec: { completionMode: 'Indexed' } };

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

  test.each(rows)('a Job with $name is judged', ({ spec, says }) => {
    expect(issueLines(checkJobSpec(jobSpec({ spec }), ['spec'], {}))).toEqual(says);
  });

  test('a Job template has neither selector nor manualSelector', () => {
    const spec = jobSpec({ spec: { selector: {}, manualSelector: true } });
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
    const template = { metadata: { labels: { app: 'not valid' } }, spec: jobSpec({ spec: {} }) };
    const [issue] = checkJobTemplate(template, ['spec', 'jobTemplate']);
    expect(issue?.path).toEqual(['spec', 'jobTemplate', 'metadata', 'labels', 'app']);
    expect(issue?.message).toContain('Invalid value: "not valid": a valid label must be an empty string or');
  });

  test('the fix says which restart policies there are to choose from', () => {
    const always = { spec: {}, pod: { restartPolicy: 'Always' } };
    expect(checkJobSpec(jobSpec(always), ['spec'], {})[0]?.fix).toContain('Never');
    const withPolicy = { ...always, spec: failurePolicy({ action: 'Count', ...ON_42 }) };
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
      ...failurePolicy({ action: 'Ignore', onPodConditions: [DISRUPTED] }),
      template: { spec: pod },
    };
    expect(checkJobTemplate({ spec }, ['spec', 'jobTemplate'])).toEqual([]);
  });
});
