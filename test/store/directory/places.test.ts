import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { FieldPath, KubeObject, Place, SourcedObject } from '#core/object/object.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, NOW, nightly, only, openOn, STATE, withMetadata } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

const FILE = `${STATE}/batch/cronjob/harbor/nightly.json`;

async function used(manifest = nightly()): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, [manifest], async (store) => {
    const [schedule = manifest] = await listed(store, CRON_JOB);
    const status = { lastScheduleTime: '2026-06-10T03:00:00Z' };
    await store.applyStatus(CRON_JOB, keyOf(schedule), preconditionOf(schedule), status);
    accepted(await store.create(JOB, job('harbor', 'run', schedule)));
  });
  return disk;
}

/** The one object of a kind where the manifest says of every field that it stands in `in.yaml`. */
async function found(
  disk: MemoryFiles,
  { type = CRON_JOB, object = nightly(), prepare = false } = {},
): Promise<SourcedObject> {
  const inManifest = (): Place => ({ file: 'in.yaml', line: 3, column: 7 });
  const store = await openOn(disk, [], { manifests: [{ object, placeOf: inManifest }] });
  if (prepare) expect(await store.prepare()).toMatchObject({ ok: true });
  const listing = await store.list(type);
  await store.close();
  if (listing.state !== 'read' || listing.objects[0] === undefined) throw new Error('nothing was read');
  return listing.objects[0];
}

function lineAt(disk: MemoryFiles, { file, line, column }: Place): string | undefined {
  return disk
    .texts()
    .get(file)
    ?.split('\n')
    [line - 1]?.slice(column - 1);
}

describe('the place of a field', () => {
  test.each<readonly [string, FieldPath, string]>([
    ['status', ['status', 'lastScheduleTime'], '"2026-06-10T03:00:00Z"'],
    ['uid', ['metadata', 'uid'], '"'],
    ['creationTimestamp', ['metadata', 'creationTimestamp'], '"2026-05-28T20:26:40Z"'],
    ['an absent field of the status', ['status', 'active'], '"status": {'],
  ])('that was recorded is in the state file: %s', async (_case, path, start) => {
    const disk = await used();
    const place = (await found(disk)).placeOf?.(path);
    expect(place?.file).toBe(FILE);
    expect(place === undefined ? '' : lineAt(disk, place)).toMatch(
      new RegExp(`^${start.replace('{', '\\{')}`),
    );
  });

  test.each<readonly [string, FieldPath]>([
    ['the spec', ['spec', 'schedule']],
    ['the name', ['metadata', 'name']],
    ['labels', ['metadata', 'labels', 'tier']],
    ['annotations', ['metadata', 'annotations', 'a']],
    ['the object', []],
    ['metadata', ['metadata']],
    ['what neither has', ['metadata', 'deletionTimestamp']],
  ])('that Git says is in the manifest: %s', async (_case, path) => {
    expect((await found(await used())).placeOf?.(path).file).toBe('in.yaml');
  });

  test('that is an annotation is in the state file if it was set there, else in the manifest', async () => {
    const disk = await used();
    const object = withMetadata(nightly(), { annotations: { given: 'by Git', both: 'as Git says' } });
    await inTick(disk, [object], async (store) => {
      const schedule = await only(store);
      const marks = { own: 'set here', both: 'changed here' };
      accepted(await store.annotate(CRON_JOB, keyOf(schedule), preconditionOf(schedule), marks));
    });
    const text = (source: SourcedObject, name: string): string | undefined => {
      const place = source.placeOf?.(['metadata', 'annotations', name]);
      return place === undefined || place.file === 'in.yaml' ? place?.file : lineAt(disk, place);
    };
    const source = await found(disk, { object });
    expect(['own', 'both', 'given'].map((name) => text(source, name))).toEqual([
      '"set here"',
      '"changed here",',
      'in.yaml',
    ]);
    const changed = withMetadata(object, { annotations: { given: 'by Git', both: 'new in Git' } });
    const after = await found(disk, { object: changed, prepare: true });
    expect(['own', 'both'].map((name) => text(after, name))).toEqual(['"set here"', 'in.yaml']);
  });

  test('is in the manifest alone while nothing was recorded of the object', async () => {
    const object = { ...nightly(), status: { lastScheduleTime: 'soon' } };
    const source = await found(memoryFiles(), { object, prepare: true });
    expect(source.placeOf?.(['status', 'lastScheduleTime']).file).toBe('in.yaml');
  });

  test('is where it stands after the tick recorded what Git changed', async () => {
    const disk = await used();
    const object: KubeObject = { ...nightly(), spec: { schedule: '0 4 * * *', a: 1, b: [1, 2, 3] } };
    const place = (await found(disk, { object, prepare: true })).placeOf?.(['status', 'lastScheduleTime']);
    expect(place === undefined ? '' : lineAt(disk, place)).toMatch(/^"2026-06-10T03:00:00Z"/);
  });

  test('is the line of a file that a person wrote in their own way', async () => {
    const disk = await used();
    const value = JSON.parse(disk.texts().get(FILE) ?? '');
    await disk.files.remove(FILE);
    await disk.files.writeNew(FILE, JSON.stringify(value), true);
    const place = (await found(disk)).placeOf?.(['status', 'lastScheduleTime']);
    expect(place?.line).toBe(1);
    expect(place === undefined ? '' : lineAt(disk, place)).toMatch(/^"2026-06-10T03:00:00Z"/);
  });

  test('of an object that only the state folder holds is in its state file', async () => {
    const disk = await used();
    const place = (await found(disk, { type: JOB })).placeOf?.(['spec', 'template', 'spec', 'restartPolicy']);
    expect(place?.file).toBe(`${STATE}/batch/job/harbor/run.json`);
    expect(place === undefined ? '' : lineAt(disk, place)).toMatch(/^"Never"/);
  });

  test.each([
    ['state', 'state/'],
    ['./state', './state/'],
    ['../b/state//', '../b/state/'],
    ['/a/b/state', '/a/b/state/'],
  ])('begins with the folder as it was given: %s', async (state, start) => {
    const disk = memoryFiles();
    const where = { state, cwd: '/a/b', now: NOW };
    await inTick(disk, [nightly()], (store) => listed(store, CRON_JOB), where);
    const placeOf = (): Place => ({ file: 'in.yaml', line: 1, column: 1 });
    const store = await openOn(disk, [], { ...where, manifests: [{ object: nightly(), placeOf }] });
    const listing = await store.list(CRON_JOB);
    const source = listing.state === 'read' ? listing.objects[0] : undefined;
    expect(source?.placeOf?.(['metadata', 'uid']).file).toBe(`${start}batch/cronjob/harbor/nightly.json`);
  });
});
