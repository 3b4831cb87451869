import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, NOW, nightly, only, openOn } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, cronJob, JOB, job, listed } from '#test/store/fixtures.ts';

const LATER = { now: instant(NOW + 3600) };

describe('a manifest that is gone', () => {
  test('takes its object out of the list, and its return brings back what was recorded', async () => {
    const disk = memoryFiles();
    const before = await inTick(disk, [nightly()], (store) => only(store));
    expect(await inTick(disk, [], (store) => listed(store, CRON_JOB))).toEqual([]);
    expect(await inTick(disk, [nightly()], (store) => only(store), LATER)).toEqual(before);
  });

  test('leaves objects that were created through the store', async () => {
    const disk = memoryFiles();
    const created = await inTick(disk, [], async (store) =>
      accepted(await store.create(CRON_JOB, nightly())),
    );
    expect(await inTick(disk, [], (store) => only(store), LATER)).toEqual(created);
  });

  test('takes along an object that was created through the store before Git had it', async () => {
    const disk = memoryFiles();
    const created = await inTick(disk, [], async (store) =>
      accepted(await store.create(CRON_JOB, nightly())),
    );
    const adopted = await inTick(disk, [nightly()], (store) => only(store));
    expect(adopted.metadata.uid).toBe(created.metadata.uid);
    expect(await inTick(disk, [], (store) => listed(store, CRON_JOB))).toEqual([]);
  });

  test('leaves nothing to get, unless some manifest could not be read', async () => {
    const disk = memoryFiles();
    const object = await inTick(disk, [nightly()], (store) => only(store));
    const complete = await openOn(disk, []);
    expect(await complete.get(CRON_JOB, keyOf(object))).toEqual({ state: 'missing' });
    const partial = await openOn(disk, [], { complete: false });
    expect(await partial.get(CRON_JOB, keyOf(object))).toEqual({ state: 'found', object });
  });

  test('frees its name, unless some manifest could not be read', async () => {
    const disk = memoryFiles();
    const before = await inTick(disk, [job('harbor', 'run')], (store) => only(store, JOB));
    const refused = await inTick(disk, [], (store) => store.create(JOB, job('harbor', 'run')), {
      complete: false,
    });
    expect(refused.ok ? 'ok' : refused.failure.kind).toBe('exists');
    const created = await inTick(disk, [], async (store) =>
      accepted(await store.create(JOB, job('harbor', 'run'))),
    );
    expect(created.metadata.uid).not.toBe(before.metadata.uid);
  });
});

describe('the note about manifests that are gone', () => {
  async function left(...names: readonly string[]): Promise<MemoryFiles> {
    const disk = memoryFiles();
    await inTick(
      disk,
      names.map((name) => cronJob('harbor', name)),
      (store) => listed(store, CRON_JOB),
    );
    return disk;
  }

  test('says which, that their state stays, and what removes it', async () => {
    const store = await openOn(await left('a', 'b'), [cronJob('harbor', 'a')]);
    expect(store.diagnostics()).toEqual([]);
    await listed(store, CRON_JOB);
    expect(store.diagnostics()).toEqual([
      {
        code: 'ManifestGone',
        severity: 'note',
        what: 'one object of the state has no manifest any more: CronJob harbor/b',
        why: 'without its manifest nothing is done, and its state stays',
        fix: 'put the manifests back, or remove the state by the flag --prune of `reconcile`; runs go with their schedule',
      },
    ]);
  });

  test('is one for all of them, however often they are listed, and names three', async () => {
    const store = await openOn(await left('e', 'd', 'c', 'b', 'a'), []);
    await listed(store, CRON_JOB);
    await listed(store, JOB);
    await listed(store, CRON_JOB);
    expect(store.diagnostics().map(({ what }) => what)).toEqual([
      '5 objects of the state have no manifest any more: CronJob harbor/a, CronJob harbor/b, CronJob harbor/c and 2 more',
    ]);
  });

  test.each([
    ['every manifest is there', ['a'], {}],
    ['some manifest could not be read', [], { complete: false }],
  ])('is not made while %s', async (_case, names, options) => {
    const store = await openOn(
      await left('a'),
      names.map((name) => cronJob('harbor', name)),
      options,
    );
    await listed(store, CRON_JOB);
    expect(store.diagnostics()).toEqual([]);
  });

  test('says nothing of objects that were created through the store', async () => {
    const disk = memoryFiles();
    await inTick(disk, [], async (store) => accepted(await store.create(JOB, job('harbor', 'run'))));
    const store = await openOn(disk, []);
    await listed(store, JOB);
    expect(store.diagnostics()).toEqual([]);
  });
});

describe('bytes on the disk', () => {
  test('are equal for equal input, whatever its order', async () => {
    const manifests = ['c', 'a', 'b'].map((name) => cronJob('harbor', name));
    const write = async (order: readonly KubeObject[]): Promise<ReadonlyMap<string, string>> => {
      const disk = memoryFiles();
      await inTick(disk, order, async (store) => {
        await listed(store, CRON_JOB);
        await store.create(JOB, job('harbor', 'run'));
      });
      return new Map([...disk.texts()].sort());
    };
    const one = await write(manifests);
    const reversed = [...manifests]
      .reverse()
      .map(({ apiVersion, kind, metadata, spec = {} }) => ({ spec, metadata, kind, apiVersion }));
    expect([...(await write(reversed))]).toEqual([...one]);
    expect(one.size).toBe(5);
  });
});
