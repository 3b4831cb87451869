import { access, chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommit } from '#source/git/open-commit.ts';
import { writeCommit } from '#source/git/write-commit.ts';
import type { RevisionManifests } from '#source/git-revision.ts';
import {
  type RevisionKustomizationRequest,
  readRevisionKustomization,
} from '#source/revision-kustomization.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { newRepository, type Repository } from './git/repository.ts';
import { cronJob } from './support.ts';

/** Builds by putting the files of `../base` behind one another; tells where it ran in a file beside it. */
const KUSTOMIZE = `#!/bin/sh
echo "$PWD" > "\${0%/*}/ran-in"
cat "$2"/../base/*.yaml || { echo "Error: $PWD/$2 is broken" >&2; exit 1; }
`;

async function withKustomize(): Promise<Readonly<Record<string, string>>> {
  const folder = await temporaryFolder({ kustomize: KUSTOMIZE });
  await chmod(join(folder, 'kustomize'), 0o755);
  return { PATH: `${folder}:${process.env['PATH']}` };
}

async function built(
  { cwd }: Pick<Repository, 'cwd'>,
  dir: string,
  request: Partial<RevisionKustomizationRequest> = {},
): Promise<RevisionManifests> {
  return readRevisionKustomization({ revision: 'HEAD', dir, cwd, env: await withKustomize(), ...request });
}

async function repositoryWith(files: Readonly<Record<string, string>>): Promise<Repository> {
  const repository = await newRepository();
  await repository.lay(files);
  repository.commit();
  return repository;
}

const FILES = { 'apps/base/a.yaml': cronJob('committed'), 'apps/prod/kustomization.yaml': 'x: 1\n' };

describe('a kustomization of a revision', () => {
  it('is built from what was committed, outside of the work tree, and nothing is left behind', async () => {
    const repository = await repositoryWith(FILES);
    await repository.lay({ 'apps/base/a.yaml': cronJob('edited') });
    const env = await withKustomize();
    const [programs = ''] = env['PATH']?.split(':') ?? [];
    const { objects, diagnostics, complete, commit } = await built(repository, 'apps/prod', { env });
    expect({ diagnostics, complete, commit }).toEqual({
      diagnostics: [],
      complete: true,
      commit: repository.git('rev-parse', 'HEAD'),
    });
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['committed']);
    expect(objects[0]?.placeOf?.([]).file).toBe('kustomize build apps/prod');
    const ranIn = (await readFile(join(programs, 'ran-in'), 'utf8')).trim();
    expect(ranIn.startsWith(repository.cwd)).toBe(false);
    await expect(access(ranIn)).rejects.toThrow('ENOENT');
    expect(repository.git('status', '--porcelain')).toBe('M apps/base/a.yaml');
  });

  it('is named from the working directory', async () => {
    const repository = await repositoryWith(FILES);
    const { objects } = await built({ cwd: join(repository.cwd, 'apps/base') }, '../prod');
    expect(objects).toHaveLength(1);
  });

  it('that the revision does not have builds nothing, which is no fault by itself', async () => {
    const repository = await repositoryWith(FILES);
    const { objects, diagnostics, complete, absent } = await built(repository, 'apps/new');
    expect({ objects, diagnostics, complete }).toEqual({ objects: [], diagnostics: [], complete: true });
    expect(absent).toEqual(['apps/new']);
  });

  it('in a submodule is not taken for absent', async () => {
    const inner = await repositoryWith(FILES);
    const repository = await repositoryWith(FILES);
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.cwd, 'sub');
    repository.commit();
    const { diagnostics, complete, absent } = await built(repository, 'sub/apps/prod');
    expect({ complete, absent }).toEqual({ complete: false, absent: [] });
    const what = 'HEAD:sub/apps/prod is a submodule: its files are in another repository';
    expect(diagnostics).toMatchObject([{ severity: 'error', what }]);
  });

  it('that cannot be built is told without the folder that it lay in', async () => {
    const repository = await repositoryWith({ 'apps/prod/kustomization.yaml': 'x: 1\n' });
    const { diagnostics, complete } = await built(repository, 'apps/prod');
    expect(complete).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'BuildFailed', severity: 'error' }]);
    expect(diagnostics[0]?.what).toMatch(/; Error: apps\/prod is broken$/);
  });

  it.each([
    ['../elsewhere', 'HEAD', '../elsewhere leads out of the repository'],
    ['apps/prod', 'nope', 'the revision nope is not in this clone'],
  ])('%s of %s is refused', async (dir, revision, what) => {
    const repository = await repositoryWith(FILES);
    const { diagnostics, complete } = await built(repository, dir, { revision });
    expect(complete).toBe(false);
    expect(diagnostics).toMatchObject([{ severity: 'error', what }]);
  });
});

describe('the files of a commit', () => {
  it('are written as they are stored, and links that leave the repository are not', async () => {
    const repository = await newRepository();
    await repository.lay({
      'a/b.txt': 'x\r\ny $Id$\n',
      'left-out.txt': 'z',
      '.gitattributes': 'a/b.txt text eol=lf ident filter=evil\nleft-out.txt export-ignore\n',
    });
    const links = { 'a/in': 'b.txt', 'a/out': '../../etc', 'a/root': '/etc/passwd', 'a/gone': 'nowhere' };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(repository.cwd, name));
    repository.commit();
    const mark = join(repository.cwd, '.git', 'ran');
    await writeFile(join(repository.cwd, '.git', 'evil'), `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    repository.git('config', 'filter.evil.smudge', join(repository.cwd, '.git', 'evil'));
    const place = { revision: 'HEAD', cwd: repository.cwd };
    const opened = await openCommit(place);
    if ('fault' in opened) throw new Error(opened.fault.what);
    const folder = await temporaryFolder();
    expect(await writeCommit(opened, folder, place)).toBeUndefined();
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
      '.gitattributes',
      'a',
      'a/b.txt',
      'a/in',
      'left-out.txt',
    ]);
    expect(await readFile(join(folder, 'a/in'), 'utf8')).toBe(`${repository.git('show', 'HEAD:a/b.txt')}\n`);
    expect(await readdir(join(repository.cwd, '.git'))).not.toContain('ran');
  });

  it('whose names would lead out of the folder are not written', async () => {
    const repository = await repositoryWith({ 'a.txt': 'a' });
    const blob = repository.git('rev-parse', 'HEAD:a.txt');
    // What `git mktree` does not refuse, though no work tree could hold it.
    const inner = repository.gitWith(`100644 blob ${blob}\tescaped.txt\n`, 'mktree');
    const tree = repository.gitWith(`040000 tree ${inner}\t..\n100644 blob ${blob}\ta.txt\n`, 'mktree');
    const commit = repository.git('commit-tree', '-m', 'hostile', tree);
    const place = { revision: commit, cwd: repository.cwd };
    const opened = await openCommit(place);
    if ('fault' in opened) throw new Error(opened.fault.what);
    const around = await temporaryFolder({ 'inside/.keep': '' });
    expect(await writeCommit(opened, join(around, 'inside'), place)).toBeUndefined();
    expect((await readdir(around, { recursive: true })).toSorted()).toEqual([
      'inside',
      'inside/.keep',
      'inside/a.txt',
    ]);
  });
});
