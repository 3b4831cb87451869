import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema, type ZodType } from 'zod';
import { parseConfig } from '#cli/config.ts';

/** Read back from the published file, so that it is the file which is tested and not what made it. */
let published: ZodType;

beforeAll(async () => {
  published = fromJSONSchema(JSON.parse(await readFile('examples/config.schema.json', 'utf8')));
});

/** What an editor with a reader of YAML 1.2 says. */
function editorTakes(text: string): boolean {
  return published.safeParse(parse(text)).success;
}

function readerTakes(text: string): boolean {
  return parseConfig('c.yaml', text).ok;
}

const EVERYTHING = `
etcdDefragPolicy: manage
cronJob: off
snapshotSchedule: observe
snapshotPolicy:
  retention: observe
backupPlan: observe
jobDriver: manage
plan:
  startingDeadlineSeconds: 600
namespaces: [team-a, team-b, n, "7"]
selector: tier in (a,b),!legacy
lease: ops/tick
defaults:
  timeZone: Europe/Berlin
  grace: 1m30s
  dst: safe
budgets:
  maxCreates: 0
  maxCreatesPerLane: 7
  maxDeletes: 1000000
retries:
  budget: 20s
  timeout: " 10 "
telemetry:
  logFormat: json
  pushgateway: http://user:pw@gateway:9091/base
  ping: https://ping.example/id?x=1
  pingFail: https://ping.example/id/fail
`;

const GOOD = [
  EVERYTHING,
  '{}',
  '{"cronJob": "off", "budgets": {"maxCreates": 3}}',
  'cronJob: off',
  "cronJob: 'off'",
  'cronJob: !!str off',
  'defaults: {}',
  'lease: team-a/x',
  'defaults: {grace: 0s}',
  'defaults: {grace: "90"}',
  'budgets: {maxCreates: 0o17}',
  'selector: ""',
  'selector: on',
  `namespaces: [${'a'.repeat(63)}]`,
  'snapshotPolicy: {}',
  'plan: {}',
  'retries: {budget: 0s}',
  'telemetry: {}',
  'telemetry: {ping: "http://[::1]:9"}',
];

const BAD = [
  '- cronJob',
  'manage',
  '7',
  'cronJob: Off',
  'cronJob: no',
  'cronJob: false',
  'cronJob:',
  'cronJob: [manage]',
  'cronJob: {mode: off}',
  'cronjob: off',
  'jobs: off',
  'snapshotPolicy: observe',
  'plan: observe',
  'plan: {startingDeadlineSeconds: 10m}',
  'plan: {startingDeadlineSeconds: -1}',
  'snapshotPolicy: {retention: off}',
  'snapshotPolicy: {keep: 3}',
  'namespaces: team-a',
  'namespaces: []',
  'namespaces: [Team]',
  'namespaces: [-a]',
  'namespaces: [a.b]',
  'namespaces: [""]',
  'namespaces: [7]',
  'namespaces: {a: true}',
  `namespaces: [${'a'.repeat(64)}]`,
  'selector: {app: web}',
  'selector: [app=web]',
  'selector: 5',
  'telemetry: {logFormat: yaml}',
  'telemetry: {ping: ping.example/id}',
  'telemetry: {ping: ftp://ping.example/id}',
  'telemetry: {ping: https://ping.example/#id}',
  'telemetry: {pingUrl: https://ping.example}',
  'telemetry: {otlp: https://collector}',
  'defaults: null',
  'defaults: {timeZone: 1}',
  'defaults: {timezone: UTC}',
  'defaults: {grace: 90}',
  'defaults: {grace: 1d}',
  'defaults: {grace: 1.5m}',
  'defaults: {grace: -5s}',
  'defaults: {grace: 1m 30s}',
  'defaults: {grace: ""}',
  'defaults: {dst: clean}',
  'defaults: {dst: true}',
  'budgets: {maxCreates: -1}',
  'budgets: {maxCreates: 1.5}',
  'budgets: {maxCreates: "3"}',
  'budgets: {maxCreates: 1000001}',
  'budgets: {maxRuns: 1}',
  'budgets: 3',
  'budgets: {maxCreatesPerLane: -1}',
  'lease: minutehand',
  'lease: a/b/c',
  'lease: {name: a}',
  'retries: 20s',
  'retries: {budget: 500ms}',
  'retries: {timeout: 10}',
  'retries: {attempts: 3}',
];

/** Rules that no JSON schema can say: an editor lets these pass, and the reader does not. */
const BEYOND = [
  'defaults: {timeZone: Europe/Berln}',
  'defaults: {timeZone: ""}',
  'defaults: {grace: 100000h}',
  'selector: app in web',
  'retries: {budget: 2h}',
  'retries: {timeout: 0s}',
  'snapshotSchedule: off\nsnapshotPolicy: {retention: manage}',
];

describe('the published schema of the configuration', () => {
  test.each(GOOD)('and the reader take %j', (text) => {
    expect({ editor: editorTakes(text), reader: readerTakes(text) }).toEqual({ editor: true, reader: true });
  });

  test.each(BAD)('and the reader refuse %j', (text) => {
    expect({ editor: editorTakes(text), reader: readerTakes(text) }).toEqual({
      editor: false,
      reader: false,
    });
  });

  test.each(BEYOND)('leaves it to the reader to refuse %j', (text) => {
    expect({ editor: editorTakes(text), reader: readerTakes(text) }).toEqual({ editor: true, reader: false });
  });

  test('describes every setting', async () => {
    const { properties } = JSON.parse(await readFile('examples/config.schema.json', 'utf8'));
    const undescribed = (fields: Readonly<Record<string, unknown>>, at: string): readonly string[] =>
      Object.entries(fields).flatMap(([name, field]) => {
        const { description, properties: inner } = Object(field);
        if (inner !== undefined) return undescribed(inner, `${at}${name}.`);
        return description === undefined ? [`${at}${name}`] : [];
      });
    expect(undescribed(properties, '')).toEqual([]);
    expect(Object.keys(properties).length).toBeGreaterThanOrEqual(9);
  });
});

describe('a configuration', () => {
  test('is read whole', () => {
    const read = parseConfig('c.yaml', EVERYTHING);
    expect(read.diagnostics).toEqual([]);
    const { selector, ...config } = read.ok ? read.config : { selector: undefined };
    expect(config).toEqual({
      modes: {
        'etcd-defrag-policy': 'manage',
        'cron-job': 'off',
        'snapshot-schedule': 'observe',
        'backup-plan': 'observe',
        'job-driver': 'manage',
      },
      retention: { 'snapshot-policy': 'observe' },
      deadlines: { 'backup-plan': 600 },
      namespaces: ['team-a', 'team-b', 'n', '7'],
      lease: { namespace: 'ops', name: 'tick' },
      timeZone: 'Europe/Berlin',
      graceSeconds: 90,
      dst: 'safe',
      maxCreates: 0,
      maxCreatesPerLane: 7,
      maxDeletes: 1_000_000,
      retryBudgetMs: 20_000,
      requestTimeoutMs: 10_000,
      telemetry: {
        logFormat: 'json',
        pushgateway: 'http://user:pw@gateway:9091/base',
        ping: 'https://ping.example/id?x=1',
        pingFail: 'https://ping.example/id/fail',
      },
    });
    expect([{ tier: 'a' }, { tier: 'a', legacy: '' }, {}].map((labels) => selector?.(labels))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('says nothing of what it leaves out', () => {
    const read = parseConfig('c.yaml', 'cronJob: observe\n');
    expect(read).toEqual({
      ok: true,
      config: { modes: { 'cron-job': 'observe' }, retention: {} },
      diagnostics: [],
    });
  });

  test('names every namespace once', () => {
    const read = parseConfig('c.yaml', 'namespaces: [b, a, b]\n');
    expect(read.ok ? read.config.namespaces : undefined).toEqual(['b', 'a']);
  });

  test('that holds names of the language itself is refused', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect([key, readerTakes(`"${key}": {a: 1}\n`)]).toEqual([key, false]);
      expect([key, readerTakes(`defaults: {"${key}": 1}\n`)]).toEqual([key, false]);
    }
  });
});
