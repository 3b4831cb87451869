import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { apiVersionOf } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

const FOLDER = 'examples/schemas';

function filesBelow(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(?:^|\/)expected\//.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** As an editor reads them: the published files, each by the path that others name it by. */
function editor(): (value: unknown) => readonly string[] {
  const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  for (const path of filesBelow(FOLDER, /\.json$/)) {
    ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), `file:///${path}`);
  }
  return (value) => {
    const check = ajv.getSchema(`file:///${FOLDER}/all.json`);
    if (check === undefined) throw new Error('there is no schema of everything');
    check(value);
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

const findings = editor();

function documentsIn(path: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).flatMap((one) => {
    const value = one.toJS();
    return value?.kind === 'List' ? value.items : value === null ? [] : [value];
  });
}

const TREES = [
  'backup-plan',
  'cron-job-dump',
  'demo',
  'etcd-defrag',
  'pull-request',
  'restore',
  'snapshot-fan-out',
  'snapshot-nightly',
];
const manifests = TREES.flatMap((tree) => filesBelow(join('examples', tree), /\.yaml$/)).flatMap(documentsIn);

function ofKind(kind: string): Manifest {
  const found = manifests.find((one) => one?.kind === kind);
  if (found === undefined) throw new Error(`no example has a ${kind}`);
  return structuredClone(found);
}

/** What somebody may write by mistake, and where it is marked. */
const WRONG: readonly (readonly [
  what: string,
  kind: string,
  edit: Record<string, unknown>,
  marked: RegExp,
])[] = [
  [
    'a field that is misspelled',
    'EtcdDefragPolicy',
    { shedule: '* * * * *' },
    /\/spec must NOT have additional/,
  ],
  ['a number for a text', 'EtcdDefragPolicy', { schedule: 5 }, /\/spec\/schedule must be string/],
  ['a text for a boolean', 'CronJob', { suspend: 'false' }, /\/spec\/suspend must be boolean/],
  [
    'a word that is none of the list',
    'CronJob',
    { concurrencyPolicy: 'Never' },
    /\/spec\/concurrencyPolicy must be equal/,
  ],
  [
    'a number below its limit',
    'CronJob',
    { startingDeadlineSeconds: -1 },
    /\/spec\/startingDeadlineSeconds must be >=/,
  ],
  [
    'a field that is missing',
    'Plan',
    { applicationRef: undefined },
    /\/spec must have required property 'applicationRef'/,
  ],
  [
    'a schedule without a text',
    'SnapshotSchedule',
    { schedule: '0 3 * * *' },
    /\/spec\/schedule must be object/,
  ],
];

describe('the schemas for editors', () => {
  test('are of every type that a tick reads or makes, and that has a definition here', () => {
    const { allOf } = JSON.parse(readFileSync(join(FOLDER, 'all.json'), 'utf8'));
    const paths: readonly string[] = allOf.map(({ then }: { then: { $ref: string } }) => then.$ref);
    expect([...paths].map((path) => join(FOLDER, path)).sort()).toEqual(
      filesBelow(FOLDER, /\.json$/).filter((path) => dirname(path) !== FOLDER),
    );
    const described = paths.map((path) => {
      const { properties } = JSON.parse(readFileSync(join(FOLDER, path), 'utf8'));
      return `${properties.apiVersion.const} ${properties.kind.const}`;
    });
    // Kubernetes itself describes its Jobs.
    const orders = DRIVERS.flatMap((driver) => driver.orders).filter(({ group }) => group.includes('.'));
    for (const type of [...KINDS.map(({ resource }) => resource), ...orders])
      expect(described).toContain(`${apiVersionOf(type)} ${type.kind}`);
    const known = new Set(typesOf(KINDS, DRIVERS).map((type) => `${apiVersionOf(type)} ${type.kind}`));
    expect(described.filter((one) => !known.has(one) && !/Backup|RestoreJob/.test(one))).toEqual([]);
  });

  test('take every object of every example', () => {
    const checked = manifests.filter((one) => one !== null && typeof one === 'object');
    expect(checked.length).toBeGreaterThan(40);
    for (const manifest of checked)
      expect([manifest.kind, manifest.metadata?.['name'], findings(manifest)]).toEqual([
        manifest.kind,
        manifest.metadata?.['name'],
        [],
      ]);
  });

  test.each(WRONG)('mark %s', (_what, kind, edit, marked) => {
    const right = ofKind(kind);
    expect(findings(right)).toEqual([]);
    const wrong = { ...right, spec: JSON.parse(JSON.stringify({ ...right.spec, ...edit })) };
    expect(findings(wrong)).toEqual(expect.arrayContaining([expect.stringMatching(marked)]));
  });

  test('mark what stands beside spec, and an object without a name', () => {
    const right = ofKind('EtcdDefragPolicy');
    expect(findings({ ...right, sepc: {} })).not.toEqual([]);
    expect(findings({ ...right, metadata: { namespace: 'team-a' } })).toContain(
      "/metadata must have required property 'name'",
    );
  });

  test('leave objects of others alone', () => {
    expect(findings({ apiVersion: 'v1', kind: 'ConfigMap', data: 5 })).toEqual([]);
    expect(
      findings({ apiVersion: 'etcd-operator.cozystack.io/v1alpha2', kind: 'EtcdCluster', any: 1 }),
    ).toEqual([]);
  });
});
