import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import type { LiveObject, LiveReference } from '#core/run/driver.ts';
import type { DirectoryOptions } from '#store/directory/open-directory-store.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, NOW, objectPaths, openOn, STATE, withMetadata } from '#test/store/directory/support.ts';
import { accepted, JOB, job, outcome, preconditionOf } from '#test/store/fixtures.ts';

/** Of a group that no kind and no driver knows. */
const REDIS: KubeObject = {
  apiVersion: 'apps.example.dev/v1alpha1',
  kind: 'Redis',
  metadata: { name: 'cache', namespace: 'harbor' },
  spec: { replicas: 3 },
};
const CACHE: LiveReference = { group: 'apps.example.dev', kind: 'Redis', namespace: 'harbor', name: 'cache' };

async function found(
  manifests: readonly KubeObject[],
  reference: LiveReference,
  options: Partial<DirectoryOptions> = {},
): Promise<LiveObject> {
  const store = await openOn(memoryFiles(), manifests, options);
  return store.find(reference);
}

describe('an object of any group', () => {
  test('is found among the manifests, in whatever version, and recorded nowhere', async () => {
    const disk = memoryFiles();
    await inTick(disk, [REDIS], async (store) => {
      expect(await store.find(CACHE)).toMatchObject({ state: 'found', object: { spec: { replicas: 3 } } });
    });
    expect(objectPaths(disk)).toEqual([]);
  });

  test('is found without any state folder, and in default where its manifest names no namespace', async () => {
    const { namespace: _namespace, ...metadata } = REDIS.metadata;
    const store = await openOn(memoryFiles(), [{ ...REDIS, metadata }]);
    expect(await store.find({ ...CACHE, namespace: 'default' })).toMatchObject({ state: 'found' });
    expect(await store.find(CACHE)).toEqual({ state: 'missing' });
  });

  test('is missing where its manifest is gone, and nobody knows where one could not be read', async () => {
    expect(await found([], CACHE)).toEqual({ state: 'missing' });
    const reason = 'some manifests could not be read, and it may be among them';
    expect(await found([], CACHE, { complete: false })).toEqual({ state: 'failed', reason });
  });
});

function unusable(key: Partial<UnusableObject['key']>, namespaceTold = true): Partial<DirectoryOptions> {
  return { unusable: [{ key: { ...CACHE, ...key }, namespaceTold }] };
}

describe('an object whose manifest cannot be used', () => {
  test.each<readonly [string, Partial<DirectoryOptions>]>([
    ['as it is named', unusable({})],
    ['without a name', unusable({ name: '' })],
    ['without a group', unusable({ group: '' })],
    ['in a namespace that is not told', unusable({ namespace: 'orchard' }, false)],
  ])('is not missing: %s', async (_how, options) => {
    const reason = expect.stringContaining('cannot be used');
    expect(await found([], CACHE, options)).toEqual({ state: 'failed', reason });
  });

  test.each<readonly [string, Partial<DirectoryOptions>]>([
    ['of another name', unusable({ name: 'other' })],
    ['in another namespace', unusable({ namespace: 'orchard' })],
    ['in default', unusable({ namespace: '' })],
    ['of another kind', unusable({ kind: 'Kafka' })],
  ])('says nothing of others: %s', async (_how, options) => {
    expect(await found([], CACHE, options)).toEqual({ state: 'missing' });
  });
});

test('an object whose state file cannot be used is not missing, and the file is named', async () => {
  const disk = memoryFiles();
  await inTick(disk, [], async (store) => accepted(await store.create(JOB, job('harbor', 'run'))));
  const path = `${STATE}/batch/job/harbor/run.json`;
  await disk.files.remove(path);
  await disk.files.writeNew(path, 'nothing', true);
  const store = await openOn(disk, []);
  const run = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };
  expect(await store.find(run)).toEqual({ state: 'failed', reason: expect.stringContaining(path) });
});

test('a manifest that says that its object is being deleted goes with its last finalizer, and stays gone', async () => {
  const deletionTimestamp = new Date(NOW * 1000).toISOString();
  const finalizers = ['example.com/ours', 'example.com/theirs'];
  const leaving = withMetadata(job('harbor', 'run'), { deletionTimestamp, finalizers });
  const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };
  const disk = memoryFiles();
  await inTick(disk, [leaving], async (store) => {
    await store.list(JOB);
    const read = await store.get(JOB, key);
    if (read.state !== 'found') throw new Error(read.state);
    const freed = accepted(
      await store.removeFinalizers(JOB, key, preconditionOf(read.object), ['example.com/ours']),
    );
    expect(freed.metadata).toMatchObject({ deletionTimestamp, finalizers: ['example.com/theirs'] });
    const last = await store.removeFinalizers(JOB, key, preconditionOf(freed), ['example.com/theirs']);
    expect(outcome(last)).toBe('ok');
    expect(await store.get(JOB, key)).toEqual({ state: 'missing' });
  });
  await inTick(disk, [leaving], async (store) => {
    await store.list(JOB);
    expect(await store.find(key)).toEqual({ state: 'missing' });
  });
});
