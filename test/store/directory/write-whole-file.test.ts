import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWholeFile } from '#store/directory/write-whole-file.ts';
import { type FileFault, memoryFiles } from '#test/fakes/memory-files.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

describe('on the disk', () => {
  test('a file is made, and replaced as a whole', async () => {
    const folder = await temporaryFolder({ 'old.txt': 'a long old text' });
    await writeWholeFile(join(folder, 'new.txt'), 'new 日本\n');
    await writeWholeFile(join(folder, 'old.txt'), 'short');
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('new 日本\n');
    expect(await readFile(join(folder, 'old.txt'), 'utf8')).toBe('short');
    expect((await readdir(folder)).sort()).toEqual(['new.txt', 'old.txt']);
  });

  test('a link is replaced, and what it points to is left alone', async () => {
    const folder = await temporaryFolder({ 'precious.txt': 'mine' });
    await symlink('precious.txt', join(folder, 'out.txt'));
    await writeWholeFile(join(folder, 'out.txt'), 'report');
    expect(await readFile(join(folder, 'precious.txt'), 'utf8')).toBe('mine');
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('report');
    await expect(readlink(join(folder, 'out.txt'))).rejects.toMatchObject({ code: 'EINVAL' });
  });

  test('what is no file is refused and stays', async () => {
    const folder = await temporaryFolder({ file: '' });
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', 'a'), '');
    await expect(writeWholeFile(join(folder, 'out'), 'x')).rejects.toMatchObject({ code: 'EFTYPE' });
    await expect(writeWholeFile('/dev/null', 'x')).rejects.toMatchObject({ code: 'EFTYPE' });
    await expect(writeWholeFile(join(folder, 'no', 'such'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(writeWholeFile(join(folder, 'file', 'x'), 'x')).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect((await readdir(folder)).sort()).toEqual(['file', 'out']);
  });
});

describe('where it goes wrong in between', () => {
  const PATH = '/minutehand-report/out.txt';

  async function attempt(fault: (verb: string) => FileFault): Promise<string | undefined> {
    const first = memoryFiles();
    await first.files.makeFolder('/minutehand-report');
    await first.files.syncFolder('/');
    await writeWholeFile(PATH, 'old', first.files);
    await first.files.syncFolder('/minutehand-report');
    const disk = first.restart('cut', ({ verb }) => fault(verb));
    await writeWholeFile(PATH, 'the new text', disk.files).catch(() => {});
    return disk.restart('torn').texts().get(PATH);
  }

  test.each(['before', 'within'] as const)('a power cut %s the write leaves the old text', async (moment) => {
    expect(await attempt((verb) => (verb === 'writeNew' ? moment : undefined))).toBe('old');
  });

  test('a power cut around the renaming leaves one text or the other, whole', async () => {
    expect(await attempt((verb) => (verb === 'rename' ? 'before' : undefined))).toBe('old');
    expect(['old', 'the new text']).toContain(
      await attempt((verb) => (verb === 'rename' ? 'after' : undefined)),
    );
  });

  test('a full disk is told, leaves the old text and no other file', async () => {
    const disk = memoryFiles((operation) =>
      operation.verb === 'rename' && operation.nth > 5 ? { code: 'ENOSPC' } : undefined,
    );
    await disk.files.makeFolder('/minutehand-report');
    await writeWholeFile(PATH, 'old', disk.files);
    await disk.files.syncFolder('/');
    await disk.files.syncFolder('/');
    await expect(writeWholeFile(PATH, 'new', disk.files)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect([...disk.texts()]).toEqual([[PATH, 'old']]);
  });
});
