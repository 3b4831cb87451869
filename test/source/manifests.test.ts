import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManifestRequest, type Manifests, readManifests } from '#source/manifests.ts';
import { cronJob, type Summary, summarize } from './support.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'manifests-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

async function lay(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
}

function readAll(paths: readonly string[], request: Partial<ManifestRequest> = {}): Promise<Manifests> {
  return readManifests({ paths, recursive: false, cwd, ...request });
}

async function read(paths: readonly string[], request: Partial<ManifestRequest> = {}): Promise<Summary> {
  return summarize(await readAll(paths, request));
}

const fine = (...names: readonly string[]): Summary => ({
  objects: names.map((name) => `CronJob harbor/${name}`),
  found: [],
  complete: true,
});

describe('a folder', () => {
  it('gives its *.yaml, *.yml and *.json by name, and nothing else', async () => {
    await lay({
      'm/c.yaml': cronJob('c'),
      'm/B.yml': cronJob('b'),
      'm/a.json': '{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"a","namespace":"harbor"}}',
      'm/README.md': '# not read',
      'm/d.YAML': cronJob('d'),
      'm/sub/e.yaml': cronJob('e'),
    });
    expect(await read(['m'])).toEqual({ ...fine('b', 'a', 'c'), found: ['note FoldersPassed'] });
  });

  it('gives its sub-folders only when asked', async () => {
    await lay({ 'm/sub/deep/e.yaml': cronJob('e'), 'm/a.yaml': cronJob('a'), 'm/.git/x.yaml': 'x' });
    expect(await read(['m'])).toEqual({ ...fine('a'), found: ['note FoldersPassed'] });
    expect(await read(['m'], { recursive: true })).toEqual(fine('a', 'e'));
  });

  it('shows paths as they were given', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'm/sub/b.yaml': cronJob('b') });
    const shown = async (path: string): Promise<unknown> =>
      (await readAll([path], { recursive: true })).objects.map(({ placeOf }) => placeOf?.([]).file);
    expect(await shown('m')).toEqual(['m/a.yaml', 'm/sub/b.yaml']);
    expect(await shown('./m/')).toEqual(['./m/a.yaml', './m/sub/b.yaml']);
    expect(await shown('.')).toEqual(['m/a.yaml', 'm/sub/b.yaml']);
    expect(await shown(join(cwd, 'm'))).toEqual([join(cwd, 'm/a.yaml'), join(cwd, 'm/sub/b.yaml')]);
  });

  it('without manifests is reported, with the flag that would find some', async () => {
    await lay({ 'm/sub/a.yaml': cronJob('a'), 'empty/README.md': '' });
    const { diagnostics, complete } = await readAll(['m', 'empty']);
    expect(complete).toBe(true);
    expect(diagnostics).toMatchObject([
      {
        code: 'EmptyFolder',
        severity: 'warning',
        what: 'm holds no *.yaml, *.yml or *.json',
        fix: 'add -R to read its sub-folders',
      },
      {
        code: 'EmptyFolder',
        severity: 'warning',
        what: 'empty holds no *.yaml, *.yml or *.json',
        fix: 'name a folder with manifests',
      },
    ]);
  });

  it('with a file that is no manifest warns, and the same file named by the user is an error', async () => {
    await lay({ 'm/values.yaml': 'replicas: 1\n', 'm/a.yaml': cronJob('a') });
    expect(await read(['m'])).toEqual({
      objects: ['CronJob harbor/a'],
      found: ['warning NotAnObject m/values.yaml:1:1 (1)'],
      complete: true,
    });
    expect(await read(['m', 'm/values.yaml'])).toMatchObject({
      found: ['error NotAnObject m/values.yaml:1:1 (1)'],
      complete: false,
    });
  });

  it('that the kubelet mounted is read once, by the names that people know', async () => {
    await lay({ 'm/..2026_01_01/a.yaml': cronJob('a') });
    await symlink('..2026_01_01', join(cwd, 'm/..data'));
    await symlink('..data/a.yaml', join(cwd, 'm/a.yaml'));
    const { objects, diagnostics } = await readAll(['m'], { recursive: true });
    expect(diagnostics).toEqual([]);
    expect(objects.map(({ placeOf }) => placeOf?.([]).file)).toEqual(['m/a.yaml']);
  });

  it('named like a manifest inside another folder is reported, or entered when asked', async () => {
    await lay({ 'm/x.yaml/a.yaml': cronJob('a'), 'm/b.yaml': cronJob('b') });
    expect(await read(['m'])).toEqual({
      objects: ['CronJob harbor/b'],
      found: ['warning FileUnreadable'],
      complete: true,
    });
    expect(await read(['m'], { recursive: true })).toEqual(fine('b', 'a'));
  });
});

describe('symbolic links', () => {
  it('that lead out of the folder are refused by name and target', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'secret/b.yaml': cronJob('b') });
    await symlink('../secret/b.yaml', join(cwd, 'm/b.yaml'));
    await symlink('../secret', join(cwd, 'm/sub'));
    expect(await read(['m'], { recursive: true })).toEqual({
      objects: ['CronJob harbor/a'],
      found: ['error LinkLeavesTree', 'error LinkLeavesTree'],
      complete: false,
    });
    expect((await readAll(['m'])).diagnostics).toMatchObject([
      { what: 'm/b.yaml is a link out of the folder, to ../secret/b.yaml' },
    ]);
  });

  it('to a folder whose name only begins like that of the tree lead out of it', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'm-other/b.yaml': cronJob('b') });
    await symlink('../m-other/b.yaml', join(cwd, 'm/b.yaml'));
    expect((await read(['m'])).found).toEqual(['error LinkLeavesTree']);
  });

  it('inside the folder are followed, and what they lead to is read once', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'm/parts/b.yaml': cronJob('b') });
    await symlink('parts/b.yaml', join(cwd, 'm/b.yaml'));
    await symlink('a.yaml', join(cwd, 'm/again.yaml'));
    expect(await read(['m'])).toEqual(fine('a', 'b'));
    expect(await read(['m'], { recursive: true })).toEqual(fine('a', 'b'));
  });

  it('that make a loop of folders are not followed', async () => {
    await lay({ 'm/a.yaml': cronJob('a') });
    await symlink('..', join(cwd, 'm/up'));
    await mkdir(join(cwd, 'm/sub'));
    await symlink('../../m', join(cwd, 'm/sub/again'));
    await rm(join(cwd, 'm/up'));
    expect(await read(['m'], { recursive: true })).toEqual(fine('a'));
  });

  it('that lead nowhere or to themselves are reported', async () => {
    await lay({ 'm/a.yaml': cronJob('a') });
    await symlink('gone.yaml', join(cwd, 'm/b.yaml'));
    await symlink('c.yaml', join(cwd, 'm/c.yaml'));
    expect(await read(['m'])).toEqual({
      objects: ['CronJob harbor/a'],
      found: ['error FileUnreadable', 'error FileUnreadable'],
      complete: false,
    });
  });

  it('named by the user may lead anywhere', async () => {
    await lay({ 'real/a.yaml': cronJob('a'), 'other.yaml': cronJob('b') });
    await symlink('real', join(cwd, 'm'));
    await symlink('../other.yaml', join(cwd, 'real/link.txt'));
    expect(await read(['m', 'real/link.txt'])).toEqual(fine('a', 'b'));
  });
});

describe('files named by the user', () => {
  it('may have any extension', async () => {
    await lay({ 'a.txt': cronJob('a'), b: cronJob('b') });
    expect(await read(['a.txt', 'b'])).toEqual(fine('a', 'b'));
  });

  it('are read once however they are named', async () => {
    await lay({ 'm/a.yaml': cronJob('a') });
    expect(await read(['m/a.yaml', './m/a.yaml', join(cwd, 'm/a.yaml'), 'm'])).toEqual(fine('a'));
  });

  it('that are missing, and web addresses, are reported; the others go on', async () => {
    await lay({ 'a.yaml': cronJob('a') });
    const { objects, diagnostics, complete } = await readAll([
      'gone.yaml',
      'a.yaml/x',
      'https://example.org/a.yaml',
      'a.yaml',
    ]);
    expect(objects).toHaveLength(1);
    expect(complete).toBe(false);
    expect(diagnostics).toMatchObject([
      { code: 'FileUnreadable', what: 'gone.yaml does not exist' },
      { code: 'FileUnreadable', what: 'a.yaml/x goes through a file as if it were a folder' },
      {
        code: 'FileUnreadable',
        fix: 'only files are read: `curl -sSfL https://example.org/a.yaml | minutehand VERB -f -`',
      },
    ]);
  });

  it('that this user may not read are reported; the others go on', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root may read everything');
    await lay({ 'm/a.yaml': cronJob('a'), 'm/b.yaml': cronJob('b') });
    await chmod(join(cwd, 'm/b.yaml'), 0);
    expect(await read(['m'])).toMatchObject({
      objects: ['CronJob harbor/a'],
      found: ['error FileUnreadable'],
    });
  });

  it('that are pipes without a writer do not hold the tick', async () => {
    await lay({ 'm/a.yaml': cronJob('a') });
    execFileSync('mkfifo', [join(cwd, 'm/b.yaml')]);
    const { objects, diagnostics } = await readAll(['m']);
    expect(objects).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      { code: 'FileUnreadable', what: 'm/b.yaml is a device, socket or named pipe, not a file' },
    ]);
  });

  it('that are devices are refused', async () => {
    expect((await read(['/dev/zero'])).found).toEqual(['error FileUnreadable']);
  });

  it('in another encoding are reported; the others go on', async () => {
    await lay({
      'm/a.yaml': cronJob('a'),
      'm/b.yaml': Buffer.from('a: b\nc: ß\n', 'latin1'),
      'm/c.yaml': Buffer.from('\uFEFFa: b', 'utf16le'),
    });
    expect(await read(['m'])).toEqual({
      objects: ['CronJob harbor/a'],
      found: ['error InvalidEncoding m/b.yaml:2:1', 'error InvalidEncoding m/c.yaml:1:1'],
      complete: false,
    });
  });

  it('that are larger than the limit are refused before they are parsed', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'm/b.yaml': Buffer.alloc(16 * 1024 * 1024 + 1, '#') });
    const { objects, diagnostics } = await readAll(['m']);
    expect(objects).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      { code: 'LimitExceeded', what: 'm/b.yaml is larger than 16777216 bytes' },
    ]);
  });
});

describe('the same object', () => {
  it('in two files is an error with both places, and neither is used', async () => {
    await lay({ 'm/a.yaml': cronJob('a'), 'm/b.yaml': `# again\n${cronJob('a')}---\n${cronJob('b')}` });
    const { objects, diagnostics, complete } = await readAll(['m']);
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['b']);
    expect(complete).toBe(false);
    expect(diagnostics).toEqual([
      {
        code: 'DuplicateObject',
        severity: 'error',
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'a' },
        place: { file: 'm/b.yaml', line: 2, column: 1, document: 1 },
        what: 'CronJob harbor/a is defined 2 times: m/a.yaml:1 (document 1), m/b.yaml:2 (document 1)',
        why: 'which definition counts would depend on the order of reading, so none of them is used',
        fix: 'keep one of them',
      },
    ]);
  });

  it('twice in one file and once in another is found three times', async () => {
    await lay({ 'm/a.yaml': `${cronJob('a')}---\n${cronJob('a')}`, 'm/b.yaml': cronJob('a') });
    const { objects, diagnostics } = await readAll(['m']);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'DuplicateObject', what: expect.stringContaining('is defined 3 times') },
    ]);
  });
});

describe('standard input', () => {
  const stdin = (text: string) => () => Promise.resolve(Buffer.from(text));

  it('is read as `-`, once, among the files', async () => {
    await lay({ 'a.yaml': cronJob('a') });
    let calls = 0;
    const counted = (): Promise<Uint8Array> => {
      calls += 1;
      return stdin(cronJob('b'))();
    };
    expect(await read(['-', 'a.yaml', '-'], { stdin: counted })).toEqual(fine('b', 'a'));
    expect(calls).toBe(1);
  });

  it('has places in `-`, and is as strict as a file that was named', async () => {
    expect((await read(['-'], { stdin: stdin('a: b\n') })).found).toEqual(['error NotAnObject -:1:1 (1)']);
  });

  it.each([
    ['that is not there', undefined, 'FileUnreadable', '- stands for standard input, and there is none'],
    [
      'that breaks off',
      () => Promise.reject(new Error('reset')),
      'FileUnreadable',
      '- cannot be read (Error: reset)',
    ],
    [
      'that is too large',
      () => Promise.resolve(Buffer.alloc(16 * 1024 * 1024 + 1)),
      'LimitExceeded',
      '- is larger than 16777216 bytes',
    ],
  ])('%s is reported', async (_, input, code, what) => {
    const { diagnostics, complete } = await readAll(['-'], input === undefined ? {} : { stdin: input });
    expect(complete).toBe(false);
    expect(diagnostics).toMatchObject([{ code, severity: 'error', what }]);
  });

  it('is not asked for when nobody names it', async () => {
    await lay({ 'a.yaml': cronJob('a') });
    const never = (): Promise<Uint8Array> => Promise.reject(new Error('asked'));
    expect(await read(['a.yaml'], { stdin: never })).toEqual(fine('a'));
  });
});
