import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import type { FileFault, MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, NOW, openPrepared, withMetadata } from '#test/store/directory/support.ts';
import { accepted, JOB, job, listed } from '#test/store/fixtures.ts';

const WEEK = 7 * 24 * 3600;

function event(name: string, at: Instant): KubeObject {
  const eventTime = formatInstant(at).replace('Z', '.000000Z');
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: 'harbor' },
    eventTime,
    reason: 'Fired',
  };
}

async function withEvents(times: readonly Instant[]): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, [], async (store) => {
    for (const [index, at] of times.entries())
      accepted(await store.create(EVENT, event(`e-${String(index).padStart(4, '0')}`, at)));
  });
  return disk;
}

async function eventsAfter(
  disk: MemoryFiles,
  now: Instant,
  run: (store: DirectoryStore) => Promise<unknown>,
): Promise<readonly string[]> {
  await inTick(disk, [], run, { now });
  const store = await openPrepared(disk, []);
  const names = (await listed(store, EVENT)).map((object) => object.metadata.name);
  await store.close();
  return names;
}

function write(store: DirectoryStore): Promise<unknown> {
  return store.create(JOB, job('harbor', 'run'));
}

describe('events', () => {
  test('are kept for a week, to the second', async () => {
    const disk = await withEvents([NOW, instant(NOW + 1)]);
    expect(await eventsAfter(disk, instant(NOW + WEEK), write)).toEqual(['e-0000', 'e-0001']);
    const later = await withEvents([NOW, instant(NOW + 1)]);
    expect(await eventsAfter(later, instant(NOW + WEEK + 1), write)).toEqual(['e-0001']);
  });

  test('are dropped only by a tick that writes something', async () => {
    const disk = await withEvents([NOW]);
    expect(await eventsAfter(disk, instant(NOW + 2 * WEEK), (store) => store.list(JOB))).toEqual(['e-0000']);
    expect(await eventsAfter(disk, instant(NOW + 2 * WEEK), write)).toEqual([]);
  });

  test('without a time of their own are as old as their creation', async () => {
    const disk = memoryFiles();
    const { eventTime: _time, ...untimed } = event('untimed', NOW);
    await inTick(disk, [], async (store) => accepted(await store.create(EVENT, untimed)));
    expect(await eventsAfter(disk, instant(NOW + WEEK), write)).toEqual(['untimed']);
  });

  test('in great number are dropped over several ticks, each of which looks at few', async () => {
    const base = await withEvents(Array.from({ length: 1000 }, () => NOW));
    const disk = base.restart('killed');
    const sizes: number[] = [];
    for (let minute = 0; minute < 40; minute += 1) {
      const before = disk.operations().length;
      await inTick(disk, [], (store) => store.create(JOB, job('harbor', `run-${minute}`)), {
        now: instant(NOW + 2 * WEEK),
      });
      const reads = disk
        .operations()
        .slice(before)
        .filter(({ verb, path }) => verb === 'read' && path.includes('/event/'));
      expect(reads.length).toBeLessThanOrEqual(260);
      sizes.push([...disk.texts().keys()].filter((path) => path.includes('/event/')).length);
    }
    expect(sizes[0]).toBeLessThan(1000);
    expect(sizes.at(-1)).toBe(0);
  });

  test('in great number each have their turn', async () => {
    const times = Array.from({ length: 600 }, (_none, index) =>
      index === 1 || index === 599 ? NOW : instant(NOW + 2 * WEEK),
    );
    const disk = await withEvents(times);
    for (let minute = 0; minute < 6; minute += 1) {
      await inTick(disk, [], (store) => store.create(JOB, job('harbor', `run-${minute}`)), {
        now: instant(NOW + 2 * WEEK),
      });
    }
    expect([...disk.texts().keys()].filter((path) => path.includes('/event/'))).toHaveLength(598);
  });

  test('that Git holds are not dropped', async () => {
    const disk = memoryFiles();
    const manifest = withMetadata(event('captured', NOW), { creationTimestamp: formatInstant(NOW) });
    await inTick(disk, [manifest], async (store) => [await store.list(EVENT), await write(store)], {
      now: instant(NOW + 2 * WEEK),
    });
    expect([...disk.texts().keys()].filter((path) => path.includes('/event/'))).toHaveLength(1);
  });

  test('that cannot be dropped do not fail the tick', async () => {
    const base = await withEvents([NOW]);
    const noRemoval = (operation: { readonly verb: string; readonly path: string }): FileFault =>
      operation.verb === 'remove' && operation.path.includes('/event/') ? { code: 'EIO' } : undefined;
    const disk = base.restart('killed', noRemoval);
    const store = await openPrepared(disk, [], { now: instant(NOW + 2 * WEEK) });
    accepted(await store.create(JOB, job('harbor', 'run')));
    await expect(store.close()).resolves.toBeUndefined();
    expect([...disk.texts().keys()].some((path) => path.endsWith('/lock'))).toBe(false);
  });
});
