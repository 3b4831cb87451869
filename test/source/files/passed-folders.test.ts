import { describe, expect, test } from 'vitest';
import { listFiles } from '#source/files/list-files.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: shop}\n';
const JSON_TEXT = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"}}';
const READ = { 'deploy/a.yaml': YAML.replace('one', 'read') };

function one(name: string): string {
  return `a sub-folder of deploy with manifests was not read: ${name}`;
}

describe('sub-folders that were not read', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['YAML in one', { 'deploy/team/b.yaml': YAML }, one('team')],
    ['YAML behind a comment', { 'deploy/team/b.yml': `# ours\n---\n${YAML}` }, one('team')],
    ['JSON in one', { 'deploy/team/b.json': JSON_TEXT }, one('team')],
    ['deeper in one', { 'deploy/team/prod/eu/b.yaml': YAML }, one('team')],
    [
      'in many',
      Object.fromEntries(['e', 'd', 'c', 'b', 'f'].map((name) => [`deploy/${name}/x.yaml`, YAML])),
      '5 sub-folders of deploy with manifests were not read: b, c, d and 2 more',
    ],
  ])('are noted: %s', async (_name, files, what) => {
    const cwd = await temporaryFolder({ ...READ, ...files });
    const { diagnostics } = listFiles({ paths: ['deploy'], recursive: false, cwd });
    const fix = what.startsWith('a ') ? 'add -R to read it' : 'add -R to read them';
    expect(diagnostics).toEqual([{ code: 'FoldersPassed', severity: 'note', what, fix }]);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['they are read', { 'deploy/team/b.yaml': YAML }, true],
    ['they hold YAML of another sort', { 'deploy/values/b.yaml': 'kind: big\nsize: 3\n' }, false],
    ['they hold JSON of another sort', { 'deploy/expected/plan.json': '{"formatVersion":1}' }, false],
    ['they hold text', { 'deploy/docs/b.md': YAML }, false],
    ['they are hidden', { 'deploy/.github/b.yaml': YAML }, false],
    [
      'one is a state folder',
      { 'deploy/s/meta.json': '{"formatVersion":1,"resourceVersion":7}', 'deploy/s/b.json': JSON_TEXT },
      false,
    ],
    ['they hold a kustomization alone', { 'deploy/over/kustomization.yaml': YAML }, false],
    [
      'a kustomization beside them says what belongs to it',
      { 'deploy/kustomization.yaml': 'resources: [a.yaml]\n', 'deploy/over/b.yaml': YAML },
      false,
    ],
  ])('are not noted where %s', async (_name, files, recursive) => {
    const cwd = await temporaryFolder({ ...READ, ...files });
    expect(listFiles({ paths: ['deploy'], recursive, cwd }).diagnostics).toEqual([]);
  });

  test('are looked for in a part of a large tree only', async () => {
    const many = Array.from({ length: 120 }, (_, index) => [`deploy/d${index + 100}/x.yaml`, 'a: 1\n']);
    const cwd = await temporaryFolder({ ...READ, ...Object.fromEntries(many), 'deploy/z/b.yaml': YAML });
    expect(listFiles({ paths: ['deploy'], recursive: false, cwd }).diagnostics).toEqual([]);
  });

  test('change no exit code', async () => {
    const cwd = await temporaryFolder({ ...READ, 'deploy/team/b.yaml': YAML });
    const { code, stdout, stderr } = await runMinutehand(['validate', '-f', 'deploy'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`note FoldersPassed: ${one('team')}\n  fix:    add -R to read it\n1 note.\n`);
  });
});
