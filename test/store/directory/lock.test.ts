import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant, instant } from '#core/time/instant.ts';
import { acquireLock, holdsLock, releaseLock } from '#store/directory/lock.ts';
import type { StateFiles } from '#store/directory/state-files.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { NOW, openOn, openPrepared, STATE } from '#test/store/directory/support.ts';
import { JOB, job, outcome } from '#test/store/fixtures.ts';

const LOCK = `${STATE}/lock`;
const MS = NOW * 1000;

function lockText(holder: string, seconds: number): string {
  return JSON.stringify({ holder, expires: formatInstant(instant(NOW + seconds)) });
}

async function diskWithLock(text: string | undefined): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await disk.files.makeFolder('/var');
  await disk.files.makeFolder(STATE);
  if (text !== undefined) await disk.files.writeNew(LOCK, text, true);
  return disk;
}

describe('a lock', () => {
  interface Case {
    readonly name: string;
    readonly text: string | undefined;
    readonly ok: boolean;
  }
  const cases: readonly Case[] = [
    { name: 'that nobody has', text: undefined, ok: true },
    { name: 'of a living process that has not run out', text: lockText('machine 9 other', 30), ok: false },
    { name: 'that has a second left', text: lockText('machine 9 other', 1), ok: false },
    { name: 'that ran out now', text: lockText('machine 9 other', 0), ok: true },
    { name: 'that ran out long ago', text: lockText('machine 9 other', -3600), ok: true },
    { name: 'of a process that is dead', text: lockText('dead', 30), ok: true },
    { name: 'torn to nothing by a power cut', text: '', ok: true },
    { name: 'torn in the middle', text: '{"holder":"mach', ok: true },
    { name: 'without an expiry', text: '{"holder":"machine 9 other"}', ok: true },
    {
      name: 'with an expiry that is no time',
      text: '{"holder":"machine 9 other","expires":"soon"}',
      ok: true,
    },
    { name: 'that is a list', text: '[]', ok: true },
  ];

  test.each(cases)('$name is taken: $ok', async ({ text, ok }) => {
    const disk = await diskWithLock(text);
    const store = await openOn(disk, [], { isDead: (holder) => holder === 'dead' });
    expect((await store.prepare()).ok).toBe(ok);
    await store.close();
    expect(disk.texts().has(LOCK)).toBe(!ok);
  });

  test('of somebody else is refused with holder, expiry and what to do', async () => {
    const store = await openOn(await diskWithLock(lockText('machine 9 other', 30)), []);
    expect(await store.prepare()).toEqual({
      ok: false,
      diagnostic: {
        code: 'StateLocked',
        severity: 'error',
        what: `The state folder ${STATE} is in use by process 9 on host machine until ${formatInstant(instant(NOW + 30))}.`,
        why: 'two processes that decide from the same state could start a run twice',
        fix: 'Wait for it to end. If that process is gone, the lock runs out by itself at the time named.',
      },
    });
    expect(outcome(await store.create(JOB, job('harbor', 'run')))).toBe('lost');
  });

  test('says who has it and for how long', async () => {
    const disk = memoryFiles();
    await openPrepared(disk, [], { holder: 'machine 1 me' });
    const expires = formatInstant(instant(NOW + 50));
    expect(JSON.parse(disk.texts().get(LOCK) ?? '')).toEqual({ holder: 'machine 1 me', expires });
  });

  test('that a process lost while it took another over is followed to its end', async () => {
    const disk = await diskWithLock(lockText('dead', 30));
    const place = { root: STATE, clock: () => MS, isDead: (holder: string) => holder === 'dead' };
    let renames = 0;
    const dying: StateFiles = {
      ...disk.files,
      rename: async () => {
        renames += 1;
        throw new Error('killed');
      },
    };
    await expect(acquireLock({ ...place, files: dying, holder: 'machine 1 first' })).rejects.toThrow(
      'killed',
    );
    expect(renames).toBe(1);
    const isDead = (holder: string): boolean => holder === 'dead' || holder === 'machine 1 first';
    expect(await acquireLock({ ...place, files: disk.files, holder: 'machine 2 second' })).toMatchObject({
      ok: false,
    });
    expect(await acquireLock({ ...place, isDead, files: disk.files, holder: 'machine 2 second' })).toEqual({
      ok: true,
    });
    expect(disk.texts().get(LOCK)).toContain('machine 2 second');
    const store = await openOn(disk, [], { isDead: () => true });
    await store.prepare();
    expect([...disk.texts().keys()]).toEqual([LOCK]);
  });
});

describe('the lock during a tick', () => {
  interface Running {
    readonly disk: MemoryFiles;
    now: number;
  }

  async function start(): Promise<{ running: Running; store: Awaited<ReturnType<typeof openPrepared>> }> {
    const running: Running = { disk: memoryFiles(), now: MS };
    const store = await openPrepared(running.disk, [], { holder: 'machine 1 me', clock: () => running.now });
    return { running, store };
  }

  test('is renewed by a write that finds it old, and only then', async () => {
    const { running, store } = await start();
    const before = running.disk.texts().get(LOCK);
    running.now += 20_000;
    expect(outcome(await store.create(JOB, job('harbor', 'a')))).toBe('ok');
    expect(running.disk.texts().get(LOCK)).toBe(before);
    running.now += 10_000;
    expect(outcome(await store.create(JOB, job('harbor', 'b')))).toBe('ok');
    expect(running.disk.texts().get(LOCK)).toContain(formatInstant(instant(NOW + 80)));
  });

  test.each([
    [
      'ran out',
      (running: Running) => {
        running.now += 51_000;
      },
    ],
    [
      'is another’s',
      async (running: Running) => {
        await running.disk.files.remove(LOCK);
        await running.disk.files.writeNew(LOCK, lockText('machine 9 other', 30), true);
      },
    ],
    ['is gone', (running: Running) => running.disk.files.remove(LOCK)],
  ])('that %s stops every write, and is left alone at the end', async (_case, change) => {
    const { running, store } = await start();
    const created = await store.create(JOB, job('harbor', 'a'));
    const object = created.ok ? created.object : job('harbor', 'a');
    await change(running);
    const before = running.disk.texts();
    const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'a' };
    const precondition = {
      uid: object.metadata.uid ?? '',
      resourceVersion: object.metadata.resourceVersion ?? '',
    };
    expect(outcome(await store.create(JOB, job('harbor', 'b')))).toBe('lost');
    expect(outcome(await store.applyStatus(JOB, key, precondition, { active: 1 }))).toBe('lost');
    expect(outcome(await store.annotate(JOB, key, precondition, { 'example.com/mark': 'a' }))).toBe('lost');
    expect(outcome(await store.delete(JOB, key, precondition))).toBe('lost');
    await store.close();
    expect(running.disk.texts()).toEqual(before);
  });

  test('can be taken again after close', async () => {
    const { running, store } = await start();
    await store.close();
    const next = await openOn(running.disk, []);
    expect((await next.prepare()).ok).toBe(true);
    expect(outcome(await store.create(JOB, job('harbor', 'a')))).toBe('lost');
  });
});

/** The same files, each operation in an order that the scheduler chooses. */
function interleaved(files: StateFiles, scheduler: fc.Scheduler): StateFiles {
  const turn = <A extends readonly string[], R>(run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      await scheduler.schedule(Promise.resolve());
      return run(...args);
    };
  };
  return {
    ...files,
    read: turn(files.read),
    list: turn(files.list),
    rename: turn(files.rename),
    link: turn(files.link),
    remove: turn(files.remove),
    makeFolder: turn(files.makeFolder),
    syncFolder: turn(files.syncFolder),
    writeNew: async (path, text, durable) => {
      await scheduler.schedule(Promise.resolve());
      return files.writeNew(path, text, durable);
    },
  };
}

describe('several processes at once', () => {
  test.each([
    ['a free lock', undefined],
    ['a lock that ran out', lockText('machine 9 other', -1)],
    ['a torn lock', '{'],
  ])('get %s once, whatever the order of their operations', async (_case, text) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const disk = await diskWithLock(text);
        const files = interleaved(disk.files, scheduler);
        const opening = [0, 1, 2].map((id) => openOn(disk, [], { files, holder: `machine ${id} contender` }));
        const contenders = await scheduler.waitFor(Promise.all(opening));
        const prepared = await scheduler.waitFor(Promise.all(contenders.map((store) => store.prepare())));
        expect(prepared.filter((result) => result.ok)).toHaveLength(1);
        const winner = prepared.findIndex((result) => result.ok);
        expect(disk.texts().get(LOCK)).toContain(`machine ${winner} contender`);
      }),
      { numRuns: 300 },
    );
  });

  test('one that gives the lock back while others take it leaves at most one holder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const disk = await diskWithLock(undefined);
        const place = { root: STATE, clock: () => MS, isDead: () => false };
        const first = { ...place, files: disk.files, holder: 'machine 0 first' };
        await acquireLock(first);
        const files = interleaved(disk.files, scheduler);
        const others = [1, 2].map((id) => ({ ...place, files, holder: `machine ${id} other` }));
        const [, ...attempts] = await scheduler.waitFor(
          Promise.all([releaseLock({ ...first, files }), ...others.map((other) => acquireLock(other))]),
        );
        const holding = await Promise.all(others.map((other) => holdsLock({ ...other, files: disk.files })));
        expect(holding).toEqual(attempts.map((attempt) => attempt?.ok === true));
        expect(holding.filter(Boolean).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});
