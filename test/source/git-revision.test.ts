import { access, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RevisionManifests, type RevisionRequest, readRevision } from '#source/git-revision.ts';
import { readManifests } from '#source/manifests.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { newRepository, type Repository, repositoryAt } from './git/repository.ts';
import { cronJob, headline, type Summary, summarize } from './support.ts';

type Options = Partial<Omit<RevisionRequest, 'paths'>>;

function readAll(
  { cwd }: Pick<Repository, 'cwd'>,
  paths: readonly string[],
  options: Options = {},
): Promise<RevisionManifests> {
  return readRevision({ revision: 'HEAD', paths, recursive: false, cwd, ...options });
}

async function read(
  repository: Pick<Repository, 'cwd'>,
  paths: readonly string[],
  options?: Options,
): Promise<Summary> {
  return summarize(await readAll(repository, paths, options));
}

function files({ objects }: RevisionManifests): readonly (string | undefined)[] {
  return objects.map(({ placeOf }) => placeOf?.([]).file);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

const fine = (...names: readonly string[]): Summary => ({
  objects: names.map((name) => `CronJob harbor/${name}`),
  found: [],
  complete: true,
});

describe('the manifests of a revision', () => {
  it('are those that were committed, whatever the work tree and the index hold', async () => {
    const repository = await newRepository();
    await repository.lay({ 'm/a.yaml': cronJob('old'), 'm/b.yaml': cronJob('b') });
    const id = repository.commit();
    await repository.lay({ 'm/a.yaml': cronJob('new'), 'm/c.yaml': cronJob('c') });
    await rm(join(repository.cwd, 'm/b.yaml'));
    repository.git('add', 'm/c.yaml');
    const before = repository.git('status', '--porcelain');
    const manifests = await readAll(repository, ['m']);
    expect(summarize(manifests)).toEqual(fine('old', 'b'));
    expect(manifests.commit).toBe(id);
    expect(repository.git('status', '--porcelain')).toBe(before);
  });

  it('are picked from folders as they are on disk', async () => {
    const repository = await newRepository();
    await repository.lay({
      'm/c.yaml': cronJob('c'),
      'm/B.yml': cronJob('b'),
      'm/a.json': '{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"a","namespace":"harbor"}}',
      'm/README.md': '# not read',
      'm/x.yaml/e.yaml': cronJob('e'),
      'm/values.yaml': 'replicas: 1\n',
      'n/state/meta.json': '{"formatVersion":1,"resourceVersion":"3"}',
      'n/state/batch/cronjob/harbor/f.json': cronJob('f'),
      'n/app/meta.json': '{"formatVersion":1,"resourceVersion":"3","more":true}',
      'n/app/g.yaml': cronJob('g'),
      'empty/sub/h.yaml': cronJob('h'),
    });
    repository.commit();
    const { cwd } = repository;
    for (const [paths, recursive] of [
      [['m'], false],
      [['m'], true],
      [['n'], true],
      [['n/state', 'empty'], true],
      [['empty'], false],
      [['m', 'm/values.yaml', 'm/'], false],
    ] as const) {
      const disk = await readManifests({ paths, recursive, cwd });
      const commit = await readAll(repository, paths, { recursive });
      const plain = (text: string): string => text.replaceAll('HEAD:', '');
      expect(summarize(commit).found.map(plain)).toEqual(summarize(disk).found);
      expect(commit.diagnostics.map(({ what }) => plain(what))).toEqual(
        disk.diagnostics.map(({ what }) => what),
      );
      expect(commit.complete).toBe(disk.complete);
      expect(summarize(commit).objects).toEqual(summarize(disk).objects);
    }
    expect((await read(repository, ['m', 'n', 'empty'], { recursive: true })).objects).toHaveLength(6);
  });

  it('are named by the revision and the path from the top of the repository', async () => {
    const repository = await newRepository();
    await repository.lay({ 'deploy/apps/a.yaml': cronJob('a'), 'b.yaml': cronJob('b') });
    repository.commit();
    repository.git('branch', 'release/1.0');
    const revision = 'release/1.0';
    const inside = { cwd: join(repository.cwd, 'deploy') };
    expect(files(await readAll(inside, ['apps', '../b.yaml'], { revision }))).toEqual([
      'release/1.0:deploy/apps/a.yaml',
      'release/1.0:b.yaml',
    ]);
    expect(files(await readAll(repository, ['.'], { revision, recursive: true }))).toEqual([
      'release/1.0:b.yaml',
      'release/1.0:deploy/apps/a.yaml',
    ]);
    const absolute = join(repository.cwd, 'deploy/apps');
    expect(files(await readAll(inside, [absolute], { revision }))).toEqual([
      'release/1.0:deploy/apps/a.yaml',
    ]);
    const [file = ''] = files(await readAll(inside, ['apps'], { revision }));
    expect(repository.git('show', file)).toBe(cronJob('a').trim());
  });

  it('have the places that they have on disk', async () => {
    const repository = await newRepository();
    await repository.lay({ 'a.yaml': `# c\n---\n${cronJob('a')}spec:\n  suspend: off\n` });
    repository.commit();
    const { objects, diagnostics } = await readAll(repository, ['a.yaml']);
    expect(objects[0]?.placeOf?.(['spec', 'suspend'])).toEqual({
      file: 'HEAD:a.yaml',
      line: 7,
      column: 12,
      document: 1,
    });
    expect(diagnostics.map(headline)).toEqual(['warning AmbiguousScalar HEAD:a.yaml:7:12 (1)']);
  });

  it.each([
    ['a branch', 'main', 'second'],
    ['a tag with a message', 'v1', 'first'],
    ['a parent', 'HEAD~1', 'first'],
    ['a full ref', 'refs/heads/main', 'second'],
    ['a search', 'main^{/fir}', 'first'],
  ])('are found by %s', async (_, revision, name) => {
    const repository = await newRepository();
    await repository.lay({ 'a.yaml': cronJob('first') });
    repository.commit('first');
    repository.git('tag', '--annotate', '--message=one', 'v1');
    await repository.lay({ 'a.yaml': cronJob('second') });
    repository.commit('second');
    expect(await read(repository, ['a.yaml'], { revision })).toEqual(fine(name));
  });

  it('keep names that are hard to write', async () => {
    const repository = await newRepository();
    const names = [' blank', '-dash', 'täb\there', 'line\nbreak', '"quoted"', '[x]*', ':(top)y'];
    await repository.lay(
      Object.fromEntries(names.map((name, index) => [`m/${name}.yaml`, cronJob(`n${index}`)])),
    );
    repository.commit();
    expect(files(await readAll(repository, ['m'])).toSorted()).toEqual(
      names.map((name) => `HEAD:m/${name}.yaml`).toSorted(),
    );
    expect(await read(repository, ['m/[x]*.yaml', 'm/:(top)y.yaml'])).toEqual(fine('n5', 'n6'));
  });

  it('are the same twice: an object in two files is told with both places', async () => {
    const repository = await newRepository();
    await repository.lay({ 'm/a.yaml': cronJob('a'), 'm/b.yaml': cronJob('a') });
    repository.commit();
    const { objects, diagnostics } = await readAll(repository, ['m']);
    expect(objects).toEqual([]);
    expect(diagnostics[0]?.what).toBe(
      'CronJob harbor/a is defined 2 times: HEAD:m/a.yaml:1 (document 1), HEAD:m/b.yaml:1 (document 1)',
    );
  });
});

describe('what a revision does not have', () => {
  it('is no fault by itself, since the other side may bring it in', async () => {
    const repository = await newRepository();
    await repository.lay({ 'a.yaml': cronJob('a') });
    repository.commit();
    const paths = ['new', 'a.yaml/x', 'a.yaml'];
    const { objects, diagnostics, complete, absent } = await readAll(repository, paths);
    expect({ count: objects.length, complete }).toEqual({ count: 1, complete: true });
    expect({ diagnostics, absent }).toEqual({ diagnostics: [], absent: ['new', 'a.yaml/x'] });
  });

  it('may be the working directory itself: what goes up from there is found', async () => {
    const repository = await newRepository();
    await repository.lay({ 'apps/a.yaml': cronJob('a'), 'b.yaml': cronJob('b') });
    repository.commit();
    await repository.lay({ 'apps/new/deep/c.yaml': cronJob('c') });
    const place = { cwd: join(repository.cwd, 'apps/new/deep') };
    const found = await readAll(place, ['../../a.yaml', './../..//../b.yaml', '..', '.']);
    expect(files(found)).toEqual(['HEAD:apps/a.yaml', 'HEAD:b.yaml']);
    expect({ diagnostics: found.diagnostics, absent: found.absent }).toEqual({
      diagnostics: [],
      absent: ['..', '.'],
    });
    const beyond = await readAll(place, ['../../../..']);
    expect(beyond.diagnostics[0]?.what).toBe('../../../.. leads out of the repository');
  });

  it('is an error where no revision could have it', async () => {
    const repository = await newRepository();
    repository.commit();
    const elsewhere = await temporaryFolder({ 'a.yaml': cronJob('a') });
    const { diagnostics, complete } = await readAll(repository, ['-', '../a.yaml', elsewhere]);
    expect(complete).toBe(false);
    expect(diagnostics.map(({ severity, what }) => `${severity}: ${what}`)).toEqual([
      'error: - is standard input, which has no revisions',
      'error: ../a.yaml leads out of the repository',
      `error: ${elsewhere} leads out of the repository`,
    ]);
  });
});

describe('links of a revision', () => {
  it('are followed inside the folder, and refused by name and target where they leave it', async () => {
    const repository = await newRepository();
    await repository.lay({
      'm/a.yaml': cronJob('a'),
      'm/parts/b.yaml': cronJob('b'),
      'secret/c.yaml': cronJob('c'),
    });
    const links = {
      'm/again.yaml': 'a.yaml',
      'm/b.yaml': 'parts/b.yaml',
      'm/out.yaml': '../secret/c.yaml',
      'm/far.yaml': '../../../etc/passwd',
      'm/root.yaml': '/etc/passwd',
      'm/gone.yaml': 'nowhere.yaml',
      'm/loop.yaml': 'loop.yaml',
      'm/up': '..',
      'm/README.md': '../secret/c.yaml',
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(repository.cwd, name));
    repository.commit();
    const manifests = await readAll(repository, ['m']);
    expect(files(manifests)).toEqual(['HEAD:m/a.yaml', 'HEAD:m/b.yaml']);
    expect(manifests.complete).toBe(false);
    expect(manifests.diagnostics.map(({ code, what }) => `${code}: ${what}`)).toEqual([
      'LinkLeavesTree: HEAD:m/far.yaml is a link out of the folder, to ../../../etc/passwd',
      'FileUnreadable: HEAD:m/gone.yaml does not exist',
      'FileUnreadable: HEAD:m/loop.yaml is a symbolic link that leads to itself',
      'LinkLeavesTree: HEAD:m/out.yaml is a link out of the folder, to ../secret/c.yaml',
      'LinkLeavesTree: HEAD:m/root.yaml is a link out of the folder, to /etc/passwd',
    ]);
    const all = await readAll(repository, ['m'], { recursive: true });
    expect(all.diagnostics.map(({ what }) => what)).toContain('HEAD:m/up is a link out of the folder, to ..');
    expect(all.objects).toHaveLength(2);
  });

  it('that the user names lead anywhere in the repository, folders too', async () => {
    const repository = await newRepository();
    await repository.lay({ 'real/deep/a.yaml': cronJob('a'), 'real/b.yaml': cronJob('b') });
    await symlink('real/deep', join(repository.cwd, 'link'));
    await symlink('../../etc', join(repository.cwd, 'out'));
    repository.commit();
    expect(files(await readAll(repository, ['link']))).toEqual(['HEAD:real/deep/a.yaml']);
    expect(files(await readAll(repository, ['link/../b.yaml']))).toEqual(['HEAD:real/b.yaml']);
    expect((await readAll(repository, ['out'])).diagnostics[0]?.what).toBe('out leads out of the repository');
  });
});

describe('files of a revision whose content is not there', () => {
  it('as submodules, are told by name', async () => {
    const inner = await newRepository();
    await inner.lay({ 'a.yaml': cronJob('a') });
    inner.commit();
    const repository = await newRepository();
    await repository.lay({ 'm/b.yaml': cronJob('b') });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.cwd, 'm/sub');
    repository.commit();
    expect(await read(repository, ['m'])).toEqual(fine('b'));
    const whole = await readAll(repository, ['m'], { recursive: true });
    const named = await readAll(repository, ['m/sub/a.yaml']);
    expect([whole, named].flatMap(({ diagnostics }) => diagnostics.map(({ what }) => what))).toEqual([
      'HEAD:m/sub is a submodule: its files are in another repository',
      'HEAD:m/sub/a.yaml is a submodule: its files are in another repository',
    ]);
    expect([whole.complete, named.complete]).toEqual([false, false]);
  });

  it('as pointers of Git LFS, are told by name', async () => {
    const repository = await newRepository();
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;
    await repository.lay({ 'm/a.yaml': pointer, 'm/b.yaml': cronJob('b') });
    repository.commit();
    const { objects, diagnostics, complete } = await readAll(repository, ['m']);
    expect({ count: objects.length, complete }).toEqual({ count: 1, complete: false });
    expect(diagnostics).toMatchObject([
      {
        code: 'FileUnreadable',
        place: { file: 'HEAD:m/a.yaml', line: 1 },
        what: 'the file is a pointer of Git LFS, not its content',
      },
    ]);
  });

  it('as objects that a partial clone left out, are told and not fetched', async () => {
    const origin = await newRepository();
    await origin.lay({ 'm/a.yaml': cronJob('a') });
    origin.commit();
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const clone = repositoryAt(await temporaryFolder());
    clone.git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${origin.cwd}`, '.');
    const objects = async (): Promise<number> =>
      (await readdir(join(clone.cwd, '.git/objects'), { recursive: true })).length;
    const before = await objects();
    const { diagnostics, complete } = await readAll(clone, ['m'], { revision: 'origin/main' });
    expect(complete).toBe(false);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'RevisionUnreadable', severity: 'error' });
    expect(diagnostics[0]?.what).toMatch(/^the files of origin\/main cannot be read: /);
    expect(await objects()).toBe(before);
  });

  it('beyond the limit of one file, are refused and cost the others nothing', async () => {
    const repository = await newRepository();
    await repository.lay({ 'm/a.yaml': Buffer.alloc(16 * 1024 * 1024 + 1, '#'), 'm/b.yaml': cronJob('b') });
    repository.commit();
    const { objects, diagnostics } = await readAll(repository, ['m']);
    expect(objects).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      { code: 'LimitExceeded', what: 'HEAD:m/a.yaml is larger than 16777216 bytes' },
    ]);
  });

  it('beyond what one run of git hands over, are read in several', async () => {
    const repository = await newRepository();
    const large = '#'.repeat(15 * 1024 * 1024);
    const names = ['a', 'b', 'c'];
    await repository.lay(
      Object.fromEntries(names.map((name) => [`m/${name}.yaml`, `${cronJob(name)}${large}\n`])),
    );
    repository.commit();
    expect(await read(repository, ['m'])).toEqual(fine(...names));
  });
});

describe('a revision that cannot be read', () => {
  it.each([
    ['-x', '"-x" is no Git revision'],
    ['--output=/tmp/x', '"--output=/tmp/x" is no Git revision'],
    ['main:m', '"main:m" is no Git revision'],
    ['', '"" is no Git revision'],
    ['main\nHEAD', '"main\\nHEAD" is no Git revision'],
    ['nope', 'the revision nope is not in this clone'],
    ['main..HEAD', 'the revision main..HEAD is not in this clone'],
    ['main^{tree}', 'the revision main^{tree} is not in this clone'],
  ])('%j is refused', async (revision, what) => {
    const repository = await newRepository();
    repository.commit();
    const { objects, diagnostics, complete, commit } = await readAll(repository, ['.'], { revision });
    expect({ objects, complete, commit }).toEqual({ objects: [], complete: false, commit: undefined });
    expect(diagnostics).toMatchObject([{ code: 'RevisionUnreadable', severity: 'error', what }]);
  });

  it('in a shallow clone is told with the ways to get it', async () => {
    const origin = await newRepository();
    origin.commit('one');
    origin.commit('two');
    const clone = repositoryAt(await temporaryFolder());
    clone.git('clone', '--quiet', '--depth=1', `file://${origin.cwd}`, '.');
    const [parent] = (await readAll(clone, ['.'], { revision: 'HEAD~1' })).diagnostics;
    expect(parent?.what).toBe('the revision HEAD~1 is not in this shallow clone');
    expect(parent?.fix).toContain('`fetch-depth: 0`');
    const [branch] = (await readAll(clone, ['.'], { revision: 'origin/release/1.0' })).diagnostics;
    expect(branch?.fix).toContain('`git fetch origin release/1.0`');
  });

  it('outside of any repository is told as that', async () => {
    const cwd = await temporaryFolder({ 'a.yaml': cronJob('a') });
    expect((await readAll({ cwd }, ['.'])).diagnostics).toMatchObject([
      { what: 'the working directory is in no Git repository, so it has no revisions' },
    ]);
  });

  it('in a repository of somebody else is told with the setting that allows it', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can give a folder away');
    const { chown } = await import('node:fs/promises');
    const repository = await newRepository();
    repository.commit();
    await chown(repository.cwd, 12_345, 12_345);
    await chown(join(repository.cwd, '.git'), 12_345, 12_345);
    const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const [found] = (await readAll(repository, ['.'], { env })).diagnostics;
    expect(found?.what).toMatch(/^git does not read the repository at .*: it belongs to another user$/);
    expect(found?.fix).toBe(`git config --global --add safe.directory ${repository.cwd}`);
  });

  it('without git is told as that', async () => {
    const repository = await newRepository();
    repository.commit();
    const env = { PATH: await temporaryFolder() };
    expect((await readAll(repository, ['.'], { env })).diagnostics).toMatchObject([
      { what: 'git is needed to read a revision, and cannot be started' },
    ]);
  });
});

describe('reading a revision', () => {
  it('starts nothing that the repository configures', async () => {
    const repository = await newRepository();
    await repository.lay({ 'm/a.yaml': cronJob('a'), '.gitattributes': '* filter=evil diff=evil\n' });
    repository.commit();
    const mark = join(repository.cwd, '.git', 'ran');
    const program = join(repository.cwd, '.git', 'evil');
    await writeFile(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    const hooks = join(repository.cwd, '.git', 'evil-hooks');
    await mkdir(hooks);
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc']) {
      await writeFile(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    }
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['pager.cat-file', 'true'],
      ['core.hooksPath', hooks],
      ['core.sshCommand', program],
      ['filter.evil.smudge', program],
      ['filter.evil.clean', program],
      ['diff.evil.textconv', program],
      ['diff.external', program],
      ['alias.ls-tree', `!${program}`],
      ['alias.cat-file', `!${program}`],
    ] as const) {
      repository.git('config', key, value);
    }
    expect(await read(repository, ['m'])).toEqual(fine('a'));
    expect(await exists(mark)).toBe(false);
  });

  it('leaves the repository as it was, to the last file', async () => {
    const repository = await newRepository();
    await repository.lay({ 'm/a.yaml': cronJob('a') });
    repository.commit();
    await repository.lay({ 'm/a.yaml': cronJob('b') });
    const listed = async (): Promise<readonly string[]> =>
      (await readdir(repository.cwd, { recursive: true })).toSorted();
    const before = await listed();
    await read(repository, ['m']);
    expect(await listed()).toEqual(before);
  });
});
