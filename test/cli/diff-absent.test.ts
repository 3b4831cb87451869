import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newRepository, type Repository } from '#test/source/git/repository.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { list, policy } from './manifests.ts';

const NOW = ['--now', '2026-06-10T12:00:00Z'];
const CAN_BUILD = ['kustomize', 'kubectl'].some(
  (program) => spawnSync(program, ['version']).error === undefined,
);

type Files = Readonly<Record<string, string>>;

const one = (folder: string, name: string): Files => ({ [`${folder}/a.json`]: list(policy(name)) });
const built = (folder: string, name: string): Files => ({
  [`${folder}/a.json`]: JSON.stringify(policy(name)),
  [`${folder}/kustomization.yaml`]: 'resources: [a.json]\n',
});

/** Two commits, the second of which is checked out. */
async function changed(before: Files, after: Files): Promise<Repository> {
  const repository = await newRepository();
  await repository.lay(before);
  repository.commit();
  repository.git('rm', '-rq', '.');
  await repository.lay(after);
  repository.commit();
  return repository;
}

function diff({ cwd }: Pick<Repository, 'cwd'>, argv: readonly string[]): Promise<CliResult> {
  return runMinutehand(['diff', ...argv, ...NOW], { cwd });
}

interface Case {
  readonly paths: readonly string[];
  readonly before: Files;
  readonly after: Files;
  readonly schedules: string;
  /** The paths that the head lacks, and those that the base lacks. */
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  readonly stops: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  'a folder that goes': {
    paths: ['-f', 'deploy', '-f', 'other'],
    before: { ...one('deploy', 'night'), ...one('other', 'other') },
    after: one('other', 'other'),
    schedules: '1 removed, 1 unchanged',
    removed: ['deploy'],
    stops: true,
  },
  'the only folder, which goes': {
    paths: ['-f', 'deploy'],
    before: one('deploy', 'night'),
    after: one('other', 'other'),
    schedules: '1 removed',
    removed: ['deploy'],
    stops: true,
  },
  'a file that goes, and a folder that comes': {
    paths: ['-f', 'deploy/a.json', '-f', 'fresh', '-f', 'other'],
    before: { ...one('deploy', 'night'), ...one('other', 'other') },
    after: { ...one('fresh', 'fresh'), ...one('other', 'other') },
    schedules: '1 added, 1 removed, 1 unchanged',
    removed: ['deploy/a.json'],
    added: ['fresh'],
    stops: true,
  },
  'a folder that moves': {
    paths: ['-f', 'deploy', '-f', 'fresh'],
    before: one('deploy', 'night'),
    after: one('fresh', 'night'),
    schedules: '1 unchanged',
    removed: ['deploy'],
    added: ['fresh'],
    stops: false,
  },
  'a kustomization that goes': {
    paths: ['-k', 'deploy'],
    before: built('deploy', 'night'),
    after: one('other', 'other'),
    schedules: '1 removed',
    removed: ['deploy'],
    stops: true,
  },
  'a kustomization that comes': {
    paths: ['-k', 'deploy'],
    before: one('other', 'other'),
    after: built('deploy', 'night'),
    schedules: '1 added',
    added: ['deploy'],
    stops: false,
  },
};

describe.each(Object.entries(CASES))('%s', (_name, { paths, before, after, schedules, stops, ...told }) => {
  const { removed = [], added = [] } = told;

  const isUnbuilt = paths.includes('-k') && !CAN_BUILD;

  test.skipIf(isUnbuilt).each([
    ['in the files as they are', [], 'the files as they are'],
    ['in the revision that is looked at', ['--head', 'git:HEAD'], 'git:HEAD'],
  ])('%s', async (_side, head, where) => {
    const repository = await changed(before, after);
    const argv = [...paths, '--base', 'git:HEAD~1', ...head, '--fail-on', 'stops,invalid'];
    const { code, stdout, stderr } = await diff(repository, argv);
    expect(stdout).toContain(`Schedules: ${schedules}.\n`);
    const lines = [
      ...removed.map(
        (path) => `warning PathAbsent: ${path} is not in the head (${where}): the change removes it`,
      ),
      ...added.map(
        (path) => `warning PathAbsent: ${path} is not in the base (git:HEAD~1): the change adds it`,
      ),
    ];
    const count = lines.length === 1 ? '1 warning.' : `${lines.length} warnings.`;
    expect(stderr.split('\n').slice(0, lines.length + 1)).toEqual([...lines, count]);
    expect(stderr.includes('guard stops: EtcdDefragPolicy vault-a/night')).toBe(stops);
    expect(code).toBe(stops ? 3 : 0);
  });
});

test('a path that the base lacks is found from a folder that the base lacks too', async () => {
  const after = { ...one('fresh', 'fresh'), ...one('other', 'other') };
  const { cwd } = await changed(one('other', 'other'), after);
  const argv = ['-f', '.', '-f', '../other', '--base', 'git:HEAD~1'];
  const { code, stdout, stderr } = await diff({ cwd: join(cwd, 'fresh') }, argv);
  expect(stdout).toContain('Schedules: 1 added, 1 unchanged.');
  expect(stderr).toBe(
    'warning PathAbsent: . is not in the base (git:HEAD~1): the change adds it\n1 warning.\n',
  );
  expect(code).toBe(0);
});

describe('a path that neither side has', () => {
  const BOTH = { ...one('deploy', 'night'), ...built('other', 'other') };
  const ERROR = `error FileUnreadable: deplyo does not exist
  why:    what it defines is not known, so nothing that is missing counts as removed
  fix:    check the path: neither side has it
1 error.
`;

  test.each([
    ['the files as they are', []],
    ['another revision', ['--head', 'git:HEAD']],
  ])('is misspelt, and told once, where the head is %s', async (_name, head) => {
    const repository = await changed(BOTH, BOTH);
    const sides = ['--base', 'git:HEAD~1', ...head];
    for (const path of ['-f', '-k']) {
      const alone = await diff(repository, [path, 'deplyo', ...sides]);
      expect(alone).toMatchObject({ code: 1, stdout: '', stderr: ERROR });
    }
    const beside = await diff(repository, ['-f', 'deploy', '-f', 'deplyo', ...sides]);
    expect(beside.stdout).toMatch(/^No change to the firings of 1 schedule: /);
    expect(beside).toMatchObject({ code: 3, stderr: ERROR });
  });

  test('removes nothing, where another path goes', async () => {
    const repository = await changed(BOTH, one('deploy', 'night'));
    const argv = ['-f', 'deploy', '-f', 'deplyo', '-f', 'other', '--base', 'git:HEAD~1'];
    const { code, stdout, stderr } = await diff(repository, argv);
    expect(stdout).toContain('Schedules: 1 removed, 1 unchanged.');
    expect(stderr).toContain('other is not in the head (the files as they are): the change removes it');
    expect(code).toBe(3);
  });

  test('is an error before a cluster, whose schedules --prune would take for removed', async () => {
    const repository = await changed(BOTH, BOTH);
    const argv = ['-f', 'deplyo', '--base', 'cluster', '--head', 'git:HEAD', '--prune'];
    const { code, stdout, stderr } = await diff(repository, argv);
    expect(stderr).toContain('deplyo does not exist');
    expect(stderr).toContain('check the path: git:HEAD does not have it');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

test('of a side that is named by itself nobody knows whether a path was added, or misspelt', async () => {
  const repository = await changed(one('other', 'other'), one('other', 'other'));
  const argv = ['-f', 'deplyo', '--base', 'git:HEAD', '--head', 'other'];
  const { code, stdout, stderr } = await diff(repository, argv);
  expect(stdout).toContain('Schedules: 1 added.');
  expect(stderr).toContain('warning PathAbsent: deplyo is not in the base (git:HEAD)\n');
  expect(stderr).toContain('check the path, unless the change adds it');
  expect(code).toBe(0);
});
