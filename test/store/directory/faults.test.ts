import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { StateFiles } from '#store/directory/state-files.ts';
import type { FileFault, FileOperation, MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, nightly, only, openOn, openPrepared, STATE } from '#test/store/directory/support.ts';
import { CRON_JOB, cronJob, JOB, job, listed, outcome, preconditionOf } from '#test/store/fixtures.ts';

const MANIFESTS = [nightly(), cronJob('harbor', 'weekly')];

async function used(): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, MANIFESTS, async (store) => {
    await listed(store, CRON_JOB);
    await store.create(JOB, job('harbor', 'old'));
  });
  return disk;
}

/** What every call of a tick answered, in words; nothing may throw. */
async function answers(disk: MemoryFiles): Promise<readonly string[]> {
  const store = await openOn(disk, MANIFESTS);
  const said: string[] = [];
  const prepared = await store.prepare();
  said.push(prepared.ok ? 'ok' : `${prepared.diagnostic.what} ${prepared.diagnostic.fix}`);
  const schedules = await store.list(CRON_JOB);
  said.push(schedules.state === 'unreadable' ? schedules.reason : 'ok');
  const runs = await store.list(JOB);
  said.push(runs.state === 'unreadable' ? runs.reason : 'ok');
  const writes = [store.create(JOB, job('harbor', 'new'))];
  const [schedule, other] = schedules.state === 'read' ? schedules.objects : [];
  const [old] = runs.state === 'read' ? runs.objects : [];
  if (schedule !== undefined)
    writes.push(
      store.applyStatus(CRON_JOB, keyOf(schedule.object), preconditionOf(schedule.object), { active: [] }),
    );
  const marks = { 'example.com/mark': 'set' };
  if (other !== undefined)
    writes.push(store.annotate(CRON_JOB, keyOf(other.object), preconditionOf(other.object), marks));
  if (old !== undefined) writes.push(store.delete(JOB, keyOf(old.object), preconditionOf(old.object)));
  for (const result of await Promise.all(writes))
    said.push(result.ok ? 'ok' : `${result.failure.kind}: ${result.failure.message}`);
  await store.close();
  return said;
}

describe('an error of the file system at any operation', () => {
  const codes = [
    ['ENOSPC', 'the volume is full'],
    ['EDQUOT', 'the disk quota is used up'],
    ['EROFS', 'the file system is read-only'],
    ['EACCES', 'permission denied'],
    ['EMFILE', 'this process has too many open files'],
    ['EIO', 'the disk reports an error'],
    ['ESTALE', 'the system answers ESTALE'],
  ] as const;

  test.each(codes)(
    '%s becomes an answer that says "%s" and names a file, and the next tick goes on',
    async (code, cause) => {
      const base = await used();
      const rehearsal = base.restart('killed');
      expect((await answers(rehearsal)).every((answer) => answer === 'ok')).toBe(true);
      const said: string[] = [];
      for (const { nth } of rehearsal.operations()) {
        const disk = base.restart('killed', (operation) => (operation.nth === nth ? { code } : undefined));
        said.push(...(await answers(disk)).filter((answer) => answer !== 'ok'));
        const next = disk.restart('killed');
        const names = await inTick(
          next,
          MANIFESTS,
          async (store) => [...(await listed(store, CRON_JOB)), ...(await listed(store, JOB))],
          { isDead: () => true },
        );
        expect(names.filter((object) => object.kind === 'CronJob')).toHaveLength(2);
        for (const path of next.texts().keys()) expect(path).not.toContain('.tmp');
      }
      const relevant = said.filter((answer) => !answer.includes('prepare the store first'));
      expect(relevant.length).toBeGreaterThan(20);
      for (const answer of relevant) {
        expect(answer).toContain(cause);
        expect(answer).toContain(STATE);
      }
    },
  );
});

describe('a disk that is full from some moment on', () => {
  function fullFor(path: RegExp): (operation: FileOperation) => FileFault {
    return (operation) =>
      operation.verb === 'writeNew' && path.test(operation.path) ? { code: 'ENOSPC' } : undefined;
  }

  test('fails the write with the file, the cause and what to do, and leaves no half file', async () => {
    const base = await used();
    const disk = base.restart('killed', fullFor(/\/job\//));
    await inTick(disk, MANIFESTS, async (store) => {
      const result = await store.create(JOB, job('harbor', 'new'));
      expect(result.ok ? undefined : result.failure).toEqual({
        kind: 'transient',
        message: `Cannot write ${STATE}/batch/job/harbor/new.json: the volume is full. Free space on the volume, or name another folder with --state.`,
      });
      expect((await listed(store, JOB)).map((object) => object.metadata.name)).toEqual(['old']);
    });
    expect([...disk.texts().keys()].filter((path) => path.includes('new') || path.endsWith('.tmp'))).toEqual(
      [],
    );
  });

  test('fails to annotate, and leaves the object as it was', async () => {
    const base = await used();
    const disk = base.restart('killed', fullFor(/\/job\//));
    const before = disk.texts().get(`${STATE}/batch/job/harbor/old.json`);
    await inTick(disk, MANIFESTS, async (store) => {
      const old = await only(store, JOB);
      const marks = { 'example.com/mark': 'set' };
      const result = await store.annotate(JOB, keyOf(old), preconditionOf(old), marks);
      expect(result.ok ? undefined : result.failure).toEqual({
        kind: 'transient',
        message: `Cannot write ${STATE}/batch/job/harbor/old.json: the volume is full. Free space on the volume, or name another folder with --state.`,
      });
      expect(await only(store, JOB)).toEqual(old);
    });
    expect(disk.texts().get(`${STATE}/batch/job/harbor/old.json`)).toBe(before);
    expect([...disk.texts().keys()].filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });

  test('makes a list unreadable whose objects could not be recorded, and nothing of it is half recorded', async () => {
    const disk = memoryFiles(fullFor(/\/cronjob\//));
    await inTick(disk, MANIFESTS, async (store) => {
      const listing = await store.list(CRON_JOB);
      expect(listing).toMatchObject({
        state: 'unreadable',
        reason: expect.stringContaining('the volume is full'),
      });
    });
    expect([...disk.texts().keys()].filter((path) => path.includes('cronjob'))).toEqual([]);
  });

  test('does not stop a deletion, which frees space', async () => {
    const base = await used();
    const disk = base.restart('killed', fullFor(/\/(job|cronjob)\//));
    await inTick(disk, MANIFESTS, async (store) => {
      const [old] = await listed(store, JOB);
      const object: KubeObject = old ?? nightly();
      expect(outcome(await store.delete(JOB, keyOf(object), preconditionOf(object)))).toBe('ok');
      expect(await listed(store, JOB)).toEqual([]);
    });
  });
});

describe('a state folder that cannot be had', () => {
  function failing(verb: keyof StateFiles, code: string): MemoryFiles {
    return memoryFiles((operation) => (operation.verb === verb ? { code } : undefined));
  }

  test.each([
    [
      'in a read-only place',
      failing('makeFolder', 'EROFS'),
      `the file system is read-only (/var/state)`,
      'mount it writable, or name another folder with --state',
    ],
    [
      'in a place without rights',
      failing('makeFolder', 'EACCES'),
      `permission denied (/var/state)`,
      'give this user read and write access to the whole state folder',
    ],
    [
      'that may not be read',
      failing('read', 'EACCES'),
      `permission denied (/var/state/meta.json)`,
      'give this user read and write access to the whole state folder',
    ],
    [
      'without hard links',
      failing('link', 'ENOTSUP'),
      `the file system does not support it (/var/state/lock)`,
      'the state folder needs a file system with hard links',
    ],
  ])('%s is unusable, with cause and remedy', async (_case, disk, cause, fix) => {
    const store = await openOn(disk, MANIFESTS);
    expect(await store.prepare()).toMatchObject({
      ok: false,
      diagnostic: {
        code: 'StateUnusable',
        what: `The state folder ${STATE} cannot be used: ${cause}.`,
        why: 'status and runs are recorded there; without it the next tick would not know what this one did',
        fix,
      },
    });
    await store.close();
  });

  test('because a file stands there is unusable, for reading too', async () => {
    const disk = memoryFiles();
    await disk.files.makeFolder('/var');
    await disk.files.writeNew(STATE, 'mine', true);
    const store = await openOn(disk, MANIFESTS);
    expect(await store.list(CRON_JOB)).toMatchObject({
      state: 'unreadable',
      reason: expect.stringContaining('a file stands where a folder is needed'),
    });
    expect(await store.prepare()).toMatchObject({ ok: false, diagnostic: { code: 'StateUnusable' } });
    expect(disk.texts().get(STATE)).toBe('mine');
  });

  test('because none was named gives lists from the manifests and refuses to prepare', async () => {
    const store = await openOn(memoryFiles(), MANIFESTS, { state: undefined });
    expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
      'nightly',
      'weekly',
    ]);
    expect(await store.prepare()).toEqual({
      ok: false,
      diagnostic: {
        code: 'StateUnusable',
        severity: 'error',
        what: 'There is no state folder to write to.',
        why: 'status and runs are recorded there; without it the next tick would not know what this one did',
        fix: 'name one with --state',
      },
    });
    expect(outcome(await store.create(JOB, job('harbor', 'run')))).toBe('lost');
    await store.close();
  });

  test('is none because of the folder lost+found of a fresh volume, which only root may read', async () => {
    const disk = memoryFiles(({ verb, path }) =>
      verb === 'list' && path.endsWith('lost+found') ? { code: 'EACCES' } : undefined,
    );
    for (const folder of ['/var', STATE, `${STATE}/lost+found`]) await disk.files.makeFolder(folder);
    await inTick(
      disk,
      MANIFESTS,
      async (store) => {
        const [schedule] = await listed(store, CRON_JOB);
        const object: KubeObject = schedule ?? nightly();
        expect(outcome(await store.delete(CRON_JOB, keyOf(object), preconditionOf(object)))).toBe('ok');
      },
      { prune: { isDry: false, isUnfinished: () => false } },
    );
  });

  test('is made with all folders above it', async () => {
    const disk = memoryFiles();
    const store = await openPrepared(disk, MANIFESTS, { state: '/a/b/c' });
    await store.list(CRON_JOB);
    await store.close();
    expect([...disk.texts().keys()].every((path) => path.startsWith('/a/b/c/'))).toBe(true);
    expect([...disk.restart('cut').texts().keys()]).toContain('/a/b/c/batch/cronjob/harbor/nightly.json');
  });
});
