import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SimulationDocument } from '#core/simulation/simulation-document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const NOW = '2026-11-30T12:00:00Z';

function order(apiVersion: string, kind: string, name: string, rest: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: shop
  uid: uid-${name}
  creationTimestamp: 2026-11-30T11:59:30Z
${rest}`;
}

function job(name: string, spec: string, restartPolicy = 'Never'): string {
  const template = `  template:
    spec:
      restartPolicy: ${restartPolicy}
      containers: [{ name: main, image: busybox:1.37 }]
`;
  return order(
    'batch/v1',
    'Job',
    name,
    `spec:\n  managedBy: minutehand.dev/job\n${spec === '' ? '' : `  ${spec}\n`}${template}`,
  );
}

function backupOrder(kind: string, name: string, rest: string): string {
  return order('backups.cozystack.io/v1alpha1', kind, name, rest);
}

/** Orders of each driver and type that nothing can be done for, with the place of what is wrong and what it is. */
const INVALID: readonly (readonly [what: string, text: string, place: string, said: string])[] = [
  [
    'a Job with a negative limit',
    job('bad', 'backoffLimit: -1'),
    '10:17',
    'InvalidField: spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a Job whose number is a text',
    job('bad', 'completions: "3"'),
    '10:16',
    'InvalidField: spec.completions: Invalid value: "3": spec.completions must be an integer, not a string',
  ],
  [
    'a Job with a policy that its mode does not have',
    job('bad', 'successPolicy: { rules: [{ succeededCount: 1 }] }'),
    '10:18',
    'InvalidField: spec.successPolicy: Invalid value: requires indexed completion mode',
  ],
  [
    'a Job that never ends',
    job('bad', '', 'Always'),
    '12:22',
    'InvalidField: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a Job of an unknown mode',
    job('bad', 'completionMode: Shuffled'),
    '10:19',
    'InvalidField: spec.completionMode: Unsupported value: "Shuffled": supported values: "NonIndexed", "Indexed"',
  ],
  [
    'a Job with a name that no API takes',
    job('b_ad', ''),
    '4:9',
    'InvalidMetadata: metadata.name: Invalid value: "b_ad": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'a Job with a status that nobody wrote',
    `${job('bad', '')}status:\n  failed: many\n`,
    '15:11',
    'InvalidField: status.failed is "many", not a whole number from 0',
  ],
  [
    'a BackupJob that backs nothing up',
    backupOrder(
      'BackupJob',
      'bad',
      'spec:\n  applicationRef: { name: sessions }\n  backupClassName: silver\n',
    ),
    '9:3',
    'InvalidField: spec.applicationRef.kind is required',
  ],
  [
    'a BackupJob in a phase that is not known',
    backupOrder(
      'BackupJob',
      'bad',
      'spec:\n  applicationRef: { kind: Redis, name: sessions }\n  backupClassName: silver\nstatus:\n  phase: Sealing\n',
    ),
    '12:10',
    'UnknownPhase: BackupJob bad is in phase "Sealing", which this build does not know',
  ],
  [
    'a BackupJob with a name that no API takes',
    backupOrder(
      'BackupJob',
      'b_ad',
      'spec:\n  applicationRef: { kind: Redis, name: sessions }\n  backupClassName: silver\n',
    ),
    '4:9',
    'InvalidMetadata: metadata.name: Invalid value: "b_ad": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'a RestoreJob with a label that is none',
    backupOrder('RestoreJob', 'bad', 'spec:\n  backupRef: { name: monday }\n').replace(
      '  namespace: shop',
      '  namespace: shop\n  labels: { tier: "a b" }',
    ),
    '6:19',
    'InvalidMetadata: metadata.labels.tier: Invalid value: "a b": a valid label must be an empty string',
  ],
  [
    'a RestoreJob without a Backup',
    backupOrder('RestoreJob', 'bad', 'spec:\n  backupRef: {}\n'),
    '9:3',
    'InvalidField: spec.backupRef.name is required',
  ],
];

/** One that is fine, beside it. */
const GOOD = job('good', '');

interface Work {
  readonly state: string;
  readonly changes: readonly { readonly verb: string }[];
}

async function folderOf(text: string): Promise<string> {
  return temporaryFolder({ 'in/bad.yaml': text, 'in/good.yaml': GOOD });
}

function run(cwd: string, verb: string, ...argv: readonly string[]): Promise<CliResult> {
  return runMinutehand([verb, '-f', 'in', '--now', NOW, '--no-color', ...argv], { cwd });
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
}

describe.each(INVALID)('%s', (_what, text, place, said) => {
  const line = `in/bad.yaml:${place}: error ${said}`;

  test.each<[string, readonly string[]]>([
    ['plan', []],
    ['reconcile', ['--state', 'state']],
  ])('is told by %s, with its place, and asks for its own exit code', async (verb, argv) => {
    const cwd = await folderOf(text);
    const watched = await run(cwd, verb, ...argv, '--fail-on', 'invalid');
    expect(watched.code).toBe(3);
    expect(watched.stderr.replaceAll(/\s+/g, ' ')).toContain(line);
    expect(watched.stdout).toContain('2 orders: 1 invalid, 1 started.');
    const again = await folderOf(text);
    expect((await run(again, verb, ...argv)).code).toBe(0);
    expect((await run(again, verb, ...argv, '--fail-on', 'failed')).code).toBe(0);
  });

  test('has nothing made for it, and the other order has', async () => {
    const cwd = await folderOf(text);
    await run(cwd, 'reconcile', '--state', 'state');
    const made = await filesBelow(join(cwd, 'state'));
    const pods = made.filter((name) => name.startsWith('core/pod/'));
    expect(pods).toEqual([expect.stringMatching(/^core\/pod\/shop\/good-\w{5}\.json$/)]);
  });

  test('is an error in the log of a tick, and counted there', async () => {
    const cwd = await folderOf(text);
    const { code, stdout } = await run(cwd, 'reconcile', '--fail-on', 'invalid', '--log-format', 'json');
    expect(code).toBe(3);
    const lines = stdout
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    const [row, column] = place.split(':').map(Number);
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toEqual([
      expect.objectContaining({
        type: 'diagnostic',
        severity: 'error',
        place: { file: 'in/bad.yaml', line: row, column, document: 1 },
      }),
    ]);
    expect(`${errors[0].code}: ${errors[0].what}`).toContain(said);
    expect(lines.at(-1)).toMatchObject({
      type: 'tick',
      exitCode: 3,
      orders: { total: 2, states: { invalid: 1, started: 1 } },
      diagnostics: { error: 1 },
    });
  });

  test('is data of a plan', async () => {
    const { stdout } = await run(await folderOf(text), 'plan', '-o', 'json');
    const { works, counts, diagnostics } = JSON.parse(stdout);
    const creates = works.map(({ state, changes }: Work) => [
      state,
      changes.filter(({ verb }) => verb === 'create').length,
    ]);
    expect(creates).toEqual([
      ['invalid', 0],
      ['started', 1],
    ]);
    expect(counts.works).toMatchObject({ orders: 2, states: { invalid: 1, started: 1 } });
    expect(diagnostics).toMatchObject([{ severity: 'error' }]);
  });
});

describe('a simulation', () => {
  test.each(INVALID.filter(([, text]) => text.includes('kind: Job\n')))(
    'of %s gives it no pod',
    async (_what, text) => {
      const { stdout } = await run(await folderOf(text), 'simulate', '--for', '1h', '-o', 'json');
      const { jobs } = JSON.parse(stdout) as SimulationDocument;
      const told = jobs?.list.map(({ state, pods }) => [state, pods.started]);
      expect(told).toEqual([
        ['invalid', 0],
        ['succeeded', 1],
      ]);
    },
  );
});
