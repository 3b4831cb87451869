import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '#store/directory/read-text.ts';
import { cronJob, list } from '#test/cli/manifests.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const hasFifo = spawnSync('mkfifo', ['--version']).error === undefined;
const NOW = ['--now', '2026-06-10T03:00:10Z'];
const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const FORBID = { ...DUE, spec: { concurrencyPolicy: 'Forbid' } };

type Make = (path: string) => Promise<void>;

const makeFifo: Make = async (path) => {
  execFileSync('mkfifo', [path]);
};

const THINGS: readonly (readonly [string, string, Make])[] = [
  ['a folder', 'a folder stands where a file is needed', async (path) => void (await mkdir(path))],
  ['a link to a device without end', 'it is a device', (path) => symlink('/dev/zero', path)],
  ['a link to nothing', 'it is a link to something that does not exist', (path) => symlink('gone', path)],
  ['a link to itself', 'it is a link that leads to itself', (path) => symlink(path, path)],
  [
    'a file of 17 MiB',
    'it is larger than 16 MiB',
    async (path) => {
      await writeFile(path, '');
      await truncate(path, 17 * 1024 * 1024);
    },
  ],
];
const PIPES: readonly (readonly [string, string, Make])[] = [
  ['a named pipe', 'it is a device, socket or named pipe', makeFifo],
  [
    'a link to a named pipe',
    'it is a device, socket or named pipe',
    async (path) => {
      await makeFifo(`${path}.pipe`);
      await symlink(`${path}.pipe`, path);
    },
  ],
];

/** A state folder of a first tick, with two namespaces of Forbid CronJobs. */
async function used(): Promise<string> {
  const other = cronJob('other', { ...FORBID, metadata: { namespace: 'orchard' } });
  const cwd = await temporaryFolder({ 'in/a.json': list(cronJob('nightly', FORBID), other) });
  await runMinutehand(['reconcile', '-f', 'in', '--now', '2026-06-09T03:00:10Z'], { cwd });
  await mkdir(join(cwd, '.minutehand/batch/job/harbor'), { recursive: true });
  return cwd;
}

async function verdicts(
  cwd: string,
  verb: string,
): Promise<{ code: number; codes: string[]; stderr: string }> {
  const argv = [verb, '-f', 'in', '--state', '.minutehand', ...NOW, '-o', 'json'];
  const { code, stdout, stderr } = await runMinutehand(argv, { cwd });
  const document = JSON.parse(stdout);
  const { schedules } = document.changeSet ?? document;
  const told = schedules.map(
    (one: { name: string; verdict: { code: string } }) => `${one.name} ${one.verdict.code}`,
  );
  return { code, codes: told.sort(), stderr };
}

function describeThings(things: typeof THINGS): void {
  test.each(things)('that is %s holds back its namespace alone, whoever asks', async (_case, cause, make) => {
    for (const verb of ['plan', 'reconcile']) {
      const cwd = await used();
      await make(join(cwd, '.minutehand/batch/job/harbor/nightly-1.json'));
      const { code, codes, stderr } = await verdicts(cwd, verb);
      expect({ code, codes }).toEqual({ code: 3, codes: ['nightly unreadable', 'other fired'] });
      expect(stderr).toContain(cause);
      expect(stderr).toContain('nightly-1.json');
    }
  });

  test.each(things)('of a schedule that is %s holds back that schedule', async (_case, cause, make) => {
    const cwd = await used();
    const path = join(cwd, '.minutehand/batch/cronjob/harbor/nightly.json');
    await rm(path);
    await make(path);
    const { code, codes, stderr } = await verdicts(cwd, 'reconcile');
    expect({ code, codes }).toEqual({ code: 3, codes: ['nightly unreadable', 'other fired'] });
    expect(stderr).toContain(cause);
  });

  test.each(things)(
    'in the place of meta.json or the lock that is %s ends the tick',
    async (_case, _cause, make) => {
      for (const name of ['meta.json', 'lock']) {
        const cwd = await used();
        const path = join(cwd, '.minutehand', name);
        await rm(path, { force: true });
        await make(path);
        const argv = ['reconcile', '-f', 'in', ...NOW];
        const { code, stderr } = await runMinutehand(argv, { cwd });
        expect({ code, told: stderr.includes('StateUnusable') }).toEqual({ code: 1, told: true });
      }
    },
  );
}

describe('something in the state folder', () => {
  describeThings(THINGS);

  test.each(['a file', 'a link to a folder'])(
    'that is %s where the folder of a namespace belongs holds that namespace back',
    async (what) => {
      const cwd = await used();
      const path = join(cwd, '.minutehand/batch/job/harbor');
      await rm(path, { recursive: true });
      await (what === 'a file' ? writeFile(path, '') : symlink('/tmp', path));
      const { code, codes } = await verdicts(cwd, 'plan');
      expect({ code, codes }).toEqual({ code: 3, codes: ['nightly unreadable', 'other fired'] });
    },
  );

  test('that is a damaged tombstone holds back what it may be of', async () => {
    const cwd = await used();
    await mkdir(join(cwd, '.minutehand/.deleted/batch/job/harbor/nightly-1.json'), { recursive: true });
    const { code, codes } = await verdicts(cwd, 'reconcile');
    expect({ code, codes }).toEqual({ code: 3, codes: ['nightly unreadable', 'other fired'] });
  });
});

describe.skipIf(!hasFifo)('a named pipe in the state folder (needs mkfifo)', () => {
  describeThings(PIPES);
});

describe('a state file', () => {
  test('that is a socket is refused', async () => {
    const path = join(await temporaryFolder({}), 's');
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(path, resolve);
    });
    await expect(readText(path)).rejects.toMatchObject({ code: 'ENXIO' });
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  test.each([0, 1, 65_536, 1_000_001])('of %i bytes is read whole', async (length) => {
    const cwd = await temporaryFolder({ a: 'x'.repeat(length) });
    expect(await readText(join(cwd, 'a'))).toHaveLength(length);
  });

  test('whose size the system does not tell is read whole', async () => {
    expect(await readText('/proc/self/status')).toContain('Pid:');
  });

  test('that is a link to a regular file is read', async () => {
    const cwd = await temporaryFolder({ a: 'text' });
    await symlink('a', join(cwd, 'b'));
    expect(await readText(join(cwd, 'b'))).toBe('text');
  });
});
