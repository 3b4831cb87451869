import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { WriteResult } from '#store/port.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { inTick, nightly, only, openOn, STATE, withMetadata } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, JOB, job, outcome, preconditionOf } from '#test/store/fixtures.ts';

type Annotations = Readonly<Record<string, string>>;
type Changes = Readonly<Record<string, string | null>>;

const FILE = `${STATE}/batch/cronjob/harbor/nightly.json`;
const RUN: ObjectKey = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };

function given(annotations: Annotations): KubeObject {
  return Object.keys(annotations).length === 0 ? nightly() : withMetadata(nightly(), { annotations });
}

/** Annotates the one schedule in a tick of its own. */
function annotate(disk: MemoryFiles, manifest: KubeObject, changes: Changes): Promise<WriteResult> {
  return inTick(disk, [manifest], async (store) => {
    const object = await only(store);
    return store.annotate(CRON_JOB, keyOf(object), preconditionOf(object), changes);
  });
}

function readTick(disk: MemoryFiles, manifest: KubeObject): Promise<KubeObject> {
  return inTick(disk, [manifest], (store) => only(store));
}

describe('annotations of an object that Git holds', () => {
  interface Case {
    readonly name: string;
    /** What Git says, before and after we write. */
    readonly git: readonly [Annotations, Annotations];
    readonly changes: Changes;
    readonly want: Annotations | undefined;
  }
  const cases: readonly Case[] = [
    { name: 'one that we set stays', git: [{}, {}], changes: { a: '1' }, want: { a: '1' } },
    {
      name: 'those of Git stay beside it',
      git: [{ b: 'git' }, { b: 'git' }],
      changes: { a: '1' },
      want: { a: '1', b: 'git' },
    },
    {
      name: 'Git adds and drops others beside it',
      git: [{ b: 'git' }, { c: 'git' }],
      changes: { a: '1' },
      want: { a: '1', c: 'git' },
    },
    {
      name: 'one that we replaced stays replaced',
      git: [{ a: 'git' }, { a: 'git' }],
      changes: { a: '1' },
      want: { a: '1' },
    },
    {
      name: 'one that we removed stays removed',
      git: [{ a: 'git' }, { a: 'git' }],
      changes: { a: null },
      want: undefined,
    },
    {
      name: 'Git wins back what it changes after we replaced it',
      git: [{ a: 'git' }, { a: 'new' }],
      changes: { a: '1' },
      want: { a: 'new' },
    },
    {
      name: 'Git wins back what it changes after we removed it',
      git: [{ a: 'git' }, { a: 'new' }],
      changes: { a: null },
      want: { a: 'new' },
    },
    {
      name: 'Git takes over what it names later',
      git: [{}, { a: 'git' }],
      changes: { a: '1' },
      want: { a: 'git' },
    },
    {
      name: 'one that Git drops after we replaced it goes',
      git: [{ a: 'git' }, {}],
      changes: { a: '1' },
      want: undefined,
    },
  ];

  test.each(cases)('$name', async ({ git: [before, after], changes, want }) => {
    const disk = memoryFiles();
    const written = accepted(await annotate(disk, given(before), changes));
    expect(await readTick(disk.restart('killed'), given(before))).toEqual(written);
    // Without prepare the same is told, and nothing is recorded.
    expect((await only(await openOn(disk, [given(after)]))).metadata.annotations).toEqual(want);
    const read = await readTick(disk, given(after));
    expect(read.metadata.annotations).toEqual(want);
    expect(read.metadata.generation).toBe(1);
    expect(await readTick(disk, given(after))).toEqual(read);
  });

  test('what Git took over goes with it, although we had set it once', async () => {
    const disk = memoryFiles();
    await annotate(disk, nightly(), { a: '1' });
    // The same value as ours: nothing is seen of it, but from now on it is Git's.
    expect((await readTick(disk, given({ a: '1' }))).metadata.annotations).toEqual({ a: '1' });
    expect((await readTick(disk, nightly())).metadata).not.toHaveProperty('annotations');
  });

  test('what we set back to what Git says is Git’s again', async () => {
    const disk = memoryFiles();
    await annotate(disk, given({ a: 'git' }), { a: null });
    await annotate(disk, given({ a: 'git' }), { a: 'git' });
    expect(disk.texts().get(FILE)).not.toContain('annotated-over');
    expect((await readTick(disk, nightly())).metadata).not.toHaveProperty('annotations');
  });

  test('an idle tick after it leaves every byte as it is', async () => {
    const disk = memoryFiles();
    await annotate(disk, given({ b: 'git', c: 'git' }), { a: '1', b: null });
    const before = disk.texts();
    await readTick(disk, given({ b: 'git', c: 'git' }));
    expect(disk.texts()).toEqual(before);
  });

  test('are set before anything was recorded, too, and record the object', async () => {
    const disk = memoryFiles();
    await inTick(disk, [given({ b: 'git' })], async (store) => {
      const read = await store.get(CRON_JOB, keyOf(nightly()));
      if (read.state !== 'found') throw new Error(read.state);
      const precondition = preconditionOf(read.object);
      accepted(await store.annotate(CRON_JOB, keyOf(read.object), precondition, { a: '1', b: null }));
    });
    expect((await readTick(disk, given({ b: 'git' }))).metadata.annotations).toEqual({ a: '1' });
  });

  test('stay through a change of the spec, a status write and a mark of deletion', async () => {
    const disk = memoryFiles();
    const held = withMetadata(given({ b: 'git' }), { finalizers: ['example.com/hold'] });
    accepted(await annotate(disk, held, { a: '1', b: null }));
    const changed = { ...held, spec: { schedule: '0 4 * * *' } };
    await inTick(disk, [changed], async (store) => {
      const object = await only(store);
      expect(object.metadata.generation).toBe(2);
      const key = keyOf(object);
      const after = accepted(await store.applyStatus(CRON_JOB, key, preconditionOf(object), { active: [] }));
      accepted(await store.delete(CRON_JOB, key, preconditionOf(after)));
    });
    const last = await readTick(disk, changed);
    expect(last.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect(last.metadata.annotations).toEqual({ a: '1' });
  });

  test('stay while the manifest is away', async () => {
    const disk = memoryFiles();
    accepted(await annotate(disk, given({ b: 'git' }), { a: '1', b: null }));
    await inTick(disk, [], (store) => store.list(CRON_JOB));
    expect((await readTick(disk, given({ b: 'git' }))).metadata.annotations).toEqual({ a: '1' });
  });

  test('do not pass to another object of the name', async () => {
    const disk = memoryFiles();
    accepted(await annotate(disk, given({ b: 'git' }), { a: '1', b: null }));
    const other = await readTick(disk, withMetadata(given({ b: 'git' }), { uid: 'uid-2' }));
    expect(other.metadata.annotations).toEqual({ b: 'git' });
  });

  test('stay when a manifest turns up for a run that only the state folder held', async () => {
    const disk = memoryFiles();
    const created = await inTick(disk, [], async (store) => {
      const run = accepted(await store.create(JOB, job('harbor', 'run')));
      return accepted(await store.annotate(JOB, RUN, preconditionOf(run), { a: '1', b: '1' }));
    });
    const manifest = withMetadata(job('harbor', 'run'), { annotations: { b: 'git' } });
    const adopted = await inTick(disk, [manifest], (store) => only(store, JOB));
    expect(adopted.metadata.uid).toBe(created.metadata.uid);
    expect(adopted.metadata.annotations).toEqual({ a: '1', b: 'git', 'example.com/note': 'kept' });
    expect(await inTick(disk, [manifest], (store) => only(store, JOB))).toEqual(adopted);
  });
});

describe('what is recorded of annotations', () => {
  test('is seen by nobody', async () => {
    const disk = memoryFiles();
    const written = accepted(await annotate(disk, nightly(), { a: '1' }));
    expect(JSON.parse(disk.texts().get(FILE) ?? '').metadata.annotations).toEqual({
      a: '1',
      'minutehand.dev/annotated-over': '{"a":null}',
      'minutehand.dev/origin': 'manifest',
    });
    expect(written.metadata.annotations).toEqual({ a: '1' });
  });

  test.each(['minutehand.dev/annotated-over', 'minutehand.dev/origin'])(
    '%s cannot be had as an annotation',
    async (name) => {
      const disk = memoryFiles();
      expect(outcome(await annotate(disk, nightly(), { a: '1', [name]: '1' }))).toBe('invalid');
      expect((await readTick(disk, nightly())).metadata).not.toHaveProperty('annotations');
    },
  );

  test.each(['', '{', '[]', '"a"', '{"a":1}'])('is damage when it is %j, never nothing', async (text) => {
    const disk = memoryFiles();
    accepted(await annotate(disk, nightly(), { a: '1' }));
    const value = JSON.parse(disk.texts().get(FILE) ?? '');
    value.metadata.annotations['minutehand.dev/annotated-over'] = text;
    await disk.files.remove(FILE);
    await disk.files.writeNew(FILE, JSON.stringify(value), true);
    const store = await openOn(disk, [nightly()]);
    expect(await store.list(CRON_JOB)).toMatchObject({ objects: [], unreadable: [{}] });
    expect(store.diagnostics()).toMatchObject([
      { code: 'StateDamaged', what: expect.stringContaining('minutehand.dev/annotated-over makes no sense') },
    ]);
  });
});

describe('an annotation with the name __proto__', () => {
  const changes: Changes = JSON.parse('{"__proto__":"a","toString":"b"}');
  const removal: Changes = JSON.parse('{"__proto__":null}');

  test.each<readonly [string, readonly KubeObject[]]>([
    ['of Git', [job('harbor', 'run')]],
    ['of the state folder', []],
  ])('is set and removed like any other on an object %s', async (_case, manifests) => {
    const disk = memoryFiles();
    await inTick(disk, [...manifests], async (store) => {
      if (manifests.length === 0) accepted(await store.create(JOB, job('harbor', 'run')));
      const run = await only(store, JOB);
      expect(accepted(await store.annotate(JOB, RUN, preconditionOf(run), removal))).toEqual(run);
      accepted(await store.annotate(JOB, RUN, preconditionOf(run), changes));
    });
    await inTick(disk, [...manifests], async (store) => {
      const run = await only(store, JOB);
      expect(Object.entries(run.metadata.annotations ?? {}).sort()).toEqual([
        ['__proto__', 'a'],
        ['example.com/note', 'kept'],
        ['toString', 'b'],
      ]);
      accepted(await store.annotate(JOB, RUN, preconditionOf(run), removal));
    });
    const last = await inTick(disk, [...manifests], (store) => only(store, JOB));
    expect(Object.keys(last.metadata.annotations ?? {}).sort()).toEqual(['example.com/note', 'toString']);
  });

  test('is set and removed like any other in the fake', async () => {
    const store = memoryStore({ objects: [job('harbor', 'run')] });
    const run = await only(store, JOB);
    const marked = accepted(await store.annotate(JOB, RUN, preconditionOf(run), changes));
    expect(Object.keys(marked.metadata.annotations ?? {}).sort()).toEqual([
      '__proto__',
      'example.com/note',
      'toString',
    ]);
    const removed = accepted(await store.annotate(JOB, RUN, preconditionOf(marked), removal));
    expect(Object.keys(removed.metadata.annotations ?? {}).sort()).toEqual(['example.com/note', 'toString']);
  });
});
