import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list } from './manifests.ts';

const NOW = ['--now', '2026-06-10T03:00:10Z'];
const FORBID = {
  status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
  spec: { concurrencyPolicy: 'Forbid' },
};
const NIGHTLY = cronJob('nightly', FORBID);
const OTHER = cronJob('other', { ...FORBID, metadata: { namespace: 'orchard' } });
const HELD = ['nightly unreadable', 'other fired'];
const ALL_HELD = ['nightly unreadable', 'other unreadable'];

const HEAD = 'apiVersion: batch/v1\nkind: Job\n';
const NAMED = `${HEAD}metadata: {name: run, namespace: harbor}\n`;

interface Told {
  readonly code: number;
  readonly codes: readonly string[];
  readonly diagnostics: readonly { readonly object?: { readonly name: string } }[];
}

async function reconciled(files: Readonly<Record<string, string>>): Promise<Told> {
  const cwd = await temporaryFolder({ 'in/a.json': list(NIGHTLY, OTHER), ...files });
  const { code, stdout } = await runMinutehand(['reconcile', '-f', 'in', ...NOW, '-o', 'json'], { cwd });
  const { schedules, diagnostics } = JSON.parse(stdout).changeSet;
  const codes = schedules.map(
    (one: { name: string; verdict: { code: string } }) => `${one.name} ${one.verdict.code}`,
  );
  return { code, codes: codes.sort(), diagnostics };
}

describe('a run that is spelled out and cannot be used', () => {
  const running = JSON.stringify(job('run', 'nightly', { active: 1 }));
  test.each<readonly [string, Readonly<Record<string, string>>]>([
    [
      'a label that is a number',
      { 'in/b.yaml': `${HEAD}metadata: {name: run, namespace: harbor, labels: {x: 5}}\n` },
    ],
    ['a second definition', { 'in/b.json': running, 'in/c.json': running }],
    ['a key that stands twice', { 'in/b.yaml': `${NAMED}spec: {a: 1, a: 2}\n` }],
    ['its name twice', { 'in/b.yaml': `${HEAD}metadata: {namespace: harbor, name: a, name: b}\n` }],
    ['an unknown tag', { 'in/b.yaml': `${NAMED}spec: !x 1\n` }],
    ['an alias without anchor', { 'in/b.yaml': `${NAMED}spec: *none\n` }],
    ['broken syntax', { 'in/b.yaml': `${NAMED}spec: [\n` }],
    ['broken syntax at an indentation', { 'in/b.yaml': `${NAMED}spec:\n\ta: 1\n` }],
    ['cut off JSON', { 'in/b.json': running.slice(0, -2) }],
    ['cut off JSON behind another value', { 'in/b.json': `${list()}\n${running.slice(0, -2)}` }],
    ['a control character', { 'in/b.yaml': `${NAMED}spec: "\u0007"\n` }],
    ['too many levels', { 'in/b.yaml': `${NAMED}spec: ${'['.repeat(200)}${']'.repeat(200)}\n` }],
    ['another version of YAML', { 'in/b.yaml': `%YAML 3.0\n---\n${NAMED}` }],
    ['the encryption of SOPS', { 'in/b.yaml': `${NAMED}sops: {mac: x}\n` }],
    ['no name of its own', { 'in/b.yaml': `${HEAD}metadata: {generateName: run-, namespace: harbor}\n` }],
    ['no apiVersion', { 'in/b.yaml': 'kind: Job\nmetadata: {name: run, namespace: harbor}\n' }],
    ['the plural of its kind', { 'in/b.yaml': NAMED.replace('Job', 'Jobs') }],
    ['its kind in small letters', { 'in/b.yaml': NAMED.replace('Job', 'job') }],
    ['no group', { 'in/b.yaml': NAMED.replace('batch/v1', 'v1') }],
    ['a version from before its release', { 'in/b.yaml': NAMED.replace('v1', 'v1beta1') }],
    ['a version that is not served', { 'in/b.yaml': NAMED.replace('v1', 'v2') }],
    [
      'a list whose other item has a fault',
      {
        'in/b.json': list({ kind: 'ConfigMap' }, JSON.parse(running)).replace(
          '"ConfigMap"',
          '"A", "kind": "A"',
        ),
      },
    ],
  ])('by %s holds back its namespace and no other', async (_case, files) => {
    const { codes } = await reconciled(files);
    expect(codes).toEqual(HELD);
  });

  test.each([
    ['a namespace that is a number', `${HEAD}metadata: {name: run, namespace: 5}\n`],
    ['two namespaces', `${HEAD}metadata: {name: run, namespace: harbor, namespace: shore}\n`],
    ['metadata that broke off', `${HEAD}metadata:\n  name: run\n  labels: "\n  namespace: harbor\n`],
  ])('and does not tell its namespace, by %s, may be in any', async (_case, text) => {
    const { codes } = await reconciled({ 'in/b.yaml': text });
    expect(codes).toEqual(ALL_HELD);
  });

  test.each([
    ['in the namespace default when it names none', `${HEAD}metadata: {name: run}\nspec: !x 1\n`],
    ['of a kind that nobody asked for', NAMED.replace('Job', 'Pod').concat('spec: !x 1\n')],
    ['that is a template for any namespace', `${HEAD}metadata: {name: "{{ .Name }}"}\n`],
    ['of which nothing can be told', 'a: [\n'],
  ])('%s holds back neither of the others', async (_case, text) => {
    const { codes } = await reconciled({ 'in/b.yaml': text });
    expect(codes).toEqual(['nightly fired', 'other fired']);
  });

  test('by a comment that is not UTF-8 holds back its namespace', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(NIGHTLY, OTHER) });
    await writeFile(join(cwd, 'in/b.yaml'), Buffer.from(`${NAMED}# Gr\u00f6\u00dfe\n`, 'latin1'));
    const { stdout } = await runMinutehand(['reconcile', '-f', 'in', ...NOW, '-o', 'json'], { cwd });
    expect(stdout).toContain('InvalidEncoding');
    expect(stdout).toContain('the manifest of Job harbor/run cannot be used');
  });

  test('is told of by its name, also from half of a document', async () => {
    const { diagnostics } = await reconciled({
      'in/b.json': JSON.stringify(job('run', 'nightly', {})).slice(0, -1),
    });
    expect(diagnostics.map(({ object }) => object?.name)).toContain('run');
  });
});

describe('an object that is dropped for its metadata', () => {
  const broken = (kind: string): string =>
    `apiVersion: batch/v1\nkind: ${kind}\nmetadata: {name: x, namespace: shore, labels: {x: 5}}\n`;

  test.each(['CronJob', 'Job'])('is a failed read where it is a %s', async (kind) => {
    expect((await reconciled({ 'in/b.yaml': broken(kind) })).code).toBe(3);
    const cwd = await temporaryFolder({ 'in/b.yaml': broken(kind) });
    expect((await runMinutehand(['reconcile', '-f', 'in', ...NOW], { cwd })).code).toBe(1);
  });

  test('is none where it is of another kind', async () => {
    expect((await reconciled({ 'in/b.yaml': broken('Pod') })).code).toBe(0);
  });
});
