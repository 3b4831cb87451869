import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectKey } from '#core/object/object.ts';
import { isObjectFile, objectPath } from '#store/directory/state-path.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, cronJob, JOB, job, listed } from '#test/store/fixtures.ts';

function key(more: Partial<ObjectKey>): ObjectKey {
  return { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run', ...more };
}

describe('the path of an object', () => {
  test.each<[string, Partial<ObjectKey>, string]>([
    ['as the design says', {}, 'batch/job/harbor/run.json'],
    ['with core for the core group', { group: '', kind: 'Secret' }, 'core/secret/harbor/run.json'],
    ['apart from a group that is called core', { group: 'core' }, '%63ore/job/harbor/run.json'],
    ['with _ for no namespace', { namespace: '' }, 'batch/job/_/run.json'],
    ['apart from a namespace that is called _', { namespace: '_' }, 'batch/job/%5F/run.json'],
    ['that does not go up', { namespace: '..', name: '..' }, 'batch/job/%2E./%2E..json'],
    ['that does not go down', { name: 'a/b\\c' }, 'batch/job/harbor/a%2Fb%5Cc.json'],
    ['that is no temporary file', { name: '.x.tmp' }, 'batch/job/harbor/%2Ex.tmp.json'],
    ['without control characters', { name: 'a\u0000\nb' }, 'batch/job/harbor/a%00%0Ab.json'],
    ['of an empty name', { name: '' }, 'batch/job/harbor/%.json'],
    ['of a name beyond ASCII', { name: 'näh' }, 'batch/job/harbor/n%C3%A4h.json'],
    ['of __proto__', { name: '__proto__' }, 'batch/job/harbor/__proto__.json'],
    ['of toString', { name: 'toString' }, 'batch/job/harbor/toString.json'],
  ])('is %s', (_case, more, path) => {
    expect(objectPath(key(more))).toBe(path);
  });

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '',
      '.',
      '..',
      '/',
      '_',
      'core',
      '%',
      '~',
      '.deleted',
      'a'.repeat(253),
      `${'.'.repeat(253)}`,
    ),
  );

  test('stays inside the folder and below 256 bytes a name, whatever the key', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (group, kind, namespace, name) => {
        const segments = objectPath({ group, kind, namespace, name }).split('/');
        expect(segments).toHaveLength(4);
        for (const segment of segments) {
          expect(segment).toMatch(/^(?!\.)[A-Za-z0-9._%~-]+$/);
          expect(Buffer.byteLength(segment)).toBeLessThan(256);
        }
        expect(isObjectFile(segments[3] ?? '')).toBe(true);
      }),
    );
  });

  test('is another for another name or namespace', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (namespace, name, otherNamespace, otherName) => {
        fc.pre(namespace !== otherNamespace || name !== otherName);
        expect(objectPath(key({ namespace, name }))).not.toBe(
          objectPath(key({ namespace: otherNamespace, name: otherName })),
        );
      }),
    );
  });

  test('of two long names with one beginning is not the same', () => {
    const long = 'a'.repeat(250);
    expect(objectPath(key({ name: `${long}bcd` }))).not.toBe(objectPath(key({ name: `${long}bce` })));
  });
});

describe('hostile names', () => {
  const names = [
    'toString',
    '__proto__',
    'constructor',
    'a'.repeat(253),
    'a.b..c',
    'x.json',
    '~',
    'hasOwnProperty',
  ];

  test.each(names)('%s is created, listed and read back like any other', async (name) => {
    const disk = memoryFiles();
    const manifest = cronJob('harbor', name);
    const created = await inTick(disk, [manifest], async (store) =>
      accepted(await store.create(JOB, job('harbor', name))),
    );
    await inTick(disk, [manifest], async (store) => {
      expect(await listed(store, JOB)).toEqual([created]);
      expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([name]);
      expect(await store.get(JOB, key({ name }))).toEqual({ state: 'found', object: created });
      expect(store.diagnostics()).toEqual([]);
    });
  });

  test('in a manifest cannot leave the state folder', async () => {
    const disk = memoryFiles();
    const manifests = ['../../x', '..', '/etc/passwd'].map((name) => cronJob('../up', name));
    await inTick(disk, manifests, async (store) => {
      expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
        '..',
        '../../x',
        '/etc/passwd',
      ]);
    });
    for (const path of disk.texts().keys()) expect(path.startsWith('/var/state/')).toBe(true);
  });

  test('as keys of labels and status come back as they were', async () => {
    const disk = memoryFiles();
    const labels: Record<string, string> = JSON.parse('{"__proto__":"a","toString":"b"}');
    const manifest = {
      ...cronJob('harbor', 'nightly'),
      metadata: { name: 'nightly', namespace: 'harbor', labels },
    };
    const fields = JSON.parse('{"__proto__":{"a":1},"constructor":"b"}');
    const read = async (): Promise<string> =>
      inTick(disk, [manifest], async (store) => {
        const [object] = await listed(store, CRON_JOB);
        const { uid = '', resourceVersion = '' } = object?.metadata ?? {};
        const target = { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'nightly' };
        const after = accepted(await store.applyStatus(CRON_JOB, target, { uid, resourceVersion }, fields));
        return JSON.stringify([after.metadata.labels, after.status]);
      });
    const first = await read();
    expect(first).toBe('[{"__proto__":"a","toString":"b"},{"__proto__":{"a":1},"constructor":"b"}]');
    expect(await read()).toBe(first);
  });
});
