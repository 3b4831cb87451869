import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import type { WriteResult } from '#store/port.ts';
import type { FileFault, FileOperation, Loss, MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles, PowerCut } from '#test/fakes/memory-files.ts';
import { CRON_JOB, cronJob, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

const STATE = '/var/state';
const MINUTE = 60;
const START = 1_780_000_000;
const THIRD = { minute: 2, delay: 0 };

function event(name: string, minute: number): KubeObject {
  const eventTime = formatInstant(instant(START + minute * MINUTE));
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: 'harbor' },
    eventTime,
  };
}

/** A process: the minute whose slot it works on, and how many minutes later it really runs. */
interface Process {
  readonly minute: number;
  readonly delay: number;
}

function open(disk: MemoryFiles, { minute, delay }: Process): Promise<DirectoryStore> {
  const schedule = minute % 2 === 0 ? '0 3 * * *' : '0 4 * * *';
  const nightly = cronJob('harbor', 'nightly', { spec: { schedule } });
  const spelledOut = [0, 1, 2, 3].map((id) => job('harbor', `spelled-out-${id}`));
  return openDirectoryStore({
    manifests: [nightly, cronJob('harbor', 'weekly'), ...spelledOut].map((object) => ({ object })),
    complete: true,
    state: STATE,
    now: instant(START + minute * MINUTE),
    holder: `machine 1 tick-${minute}-${delay}`,
    clock: () => (START + (minute + delay) * MINUTE) * 1000,
    files: disk.files,
    isDead: () => false,
  });
}

/** Versions that a store answered, whether or not its write outlived a crash. */
type Versions = Map<string, string>;

function noteVersion(versions: Versions, result: WriteResult): void {
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  const { resourceVersion = '' } = result.object.metadata;
  const content = canonicalJson(result.object);
  const before = versions.get(resourceVersion);
  if (before !== undefined && before !== content)
    throw new Error(`version ${resourceVersion} was given twice`);
  versions.set(resourceVersion, content);
}

/** The run of another minute, and the one run of the manifests whose turn it is. */
function isDone(name: string, minute: number): boolean {
  if (name === `spelled-out-${minute}`) return true;
  return /^nightly-\d+$/.test(name) && name !== `nightly-${minute}`;
}

/** Marks the run of the minute, and one of the manifests, which loses an annotation that Git gives it. */
async function annotate(store: DirectoryStore, minute: number, versions: Versions): Promise<void> {
  const marks = { 'example.com/minute': String(minute), 'example.com/note': null };
  for (const run of await listed(store, JOB)) {
    if (run.metadata.name !== `nightly-${minute}` && run.metadata.name !== 'spelled-out-3') continue;
    noteVersion(versions, await store.annotate(JOB, keyOf(run), preconditionOf(run), marks));
  }
}

/**
 * One tick as the program makes it: a run, its annotations, its status, an event; the run before goes, with what it
 * controls.
 */
async function tick(disk: MemoryFiles, process: Process, versions: Versions): Promise<void> {
  const { minute } = process;
  const store = await open(disk, process);
  const prepared = await store.prepare();
  if (!prepared.ok) throw new Error(prepared.diagnostic.what);
  const schedules = await listed(store, CRON_JOB);
  const runs = await listed(store, JOB);
  const nightly = schedules.find((object) => object.metadata.name === 'nightly');
  if (nightly === undefined) throw new Error('nightly is not listed');
  const name = `nightly-${minute}`;
  if (!runs.some((run) => run.metadata.name === name)) {
    noteVersion(versions, await store.create(JOB, job('harbor', name, nightly)));
  }
  const created = (await listed(store, JOB)).find((run) => run.metadata.name === name);
  const child = await store.get(JOB, keyOf(job('harbor', `${name}-child`)));
  if (child.state === 'missing')
    noteVersion(versions, await store.create(JOB, job('harbor', `${name}-child`, created)));
  await annotate(store, minute, versions);
  const lastScheduleTime = formatInstant(instant(START + minute * MINUTE));
  noteVersion(
    versions,
    await store.applyStatus(CRON_JOB, keyOf(nightly), preconditionOf(nightly), { lastScheduleTime }),
  );
  for (const run of runs.filter((old) => isDone(old.metadata.name, minute))) {
    const removed = await store.delete(JOB, keyOf(run), preconditionOf(run));
    if (!removed.ok) throw new Error(removed.failure.message);
  }
  const happened = await store.create(EVENT, event(name, minute));
  if (happened.ok) noteVersion(versions, happened);
  await store.close();
}

async function twoTicks(): Promise<{ readonly disk: MemoryFiles; readonly versions: Versions }> {
  const disk = memoryFiles();
  const versions: Versions = new Map();
  await tick(disk, { minute: 0, delay: 0 }, versions);
  await tick(disk, { minute: 1, delay: 0 }, versions);
  return { disk, versions };
}

function objectTexts(disk: MemoryFiles): Map<string, string> {
  return new Map([...disk.texts()].filter(([path]) => path.endsWith('.json') && !path.endsWith('meta.json')));
}

/** Every text that a path had at any moment of the tick: the old one, and each that was renamed into place. */
async function allowedTexts(base: MemoryFiles): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const allowed = new Map<string, Set<string>>();
  const note = (texts: ReadonlyMap<string, string>): void => {
    for (const [path, text] of texts) allowed.set(path, (allowed.get(path) ?? new Set()).add(text));
  };
  note(objectTexts(base));
  const disk: MemoryFiles = base.restart('killed', () => {
    note(objectTexts(disk));
    return undefined;
  });
  await tick(disk, THIRD, new Map());
  note(objectTexts(disk));
  return allowed;
}

/** Every object, with its annotations. */
async function names(disk: MemoryFiles): Promise<readonly string[]> {
  const store = await open(disk, THIRD);
  const objects = [
    ...(await listed(store, CRON_JOB)),
    ...(await listed(store, JOB)),
    ...(await listed(store, EVENT)),
  ];
  expect(store.diagnostics()).toEqual([]);
  return objects.map(
    ({ kind, metadata }) => `${kind} ${metadata.name} ${canonicalJson(metadata.annotations ?? {})}`,
  );
}

async function crashAt(
  base: MemoryFiles,
  fault: (operation: FileOperation) => FileFault,
  versions: Versions,
): Promise<MemoryFiles> {
  const disk = base.restart('killed', fault);
  await expect(tick(disk, THIRD, versions)).rejects.toThrow(PowerCut);
  return disk;
}

const LOSSES: readonly Loss[] = ['killed', 'cut', 'torn'];
const MOMENTS = ['before', 'within', 'after'] as const;

describe('a crash at any operation on a file', () => {
  test('the third tick makes enough operations for this to mean something', async () => {
    const { disk } = await twoTicks();
    const third = disk.restart('killed');
    await tick(third, THIRD, new Map());
    const verbs = third.operations().map((operation) => operation.verb);
    expect(new Set(verbs)).toEqual(
      new Set(['read', 'list', 'writeNew', 'rename', 'link', 'remove', 'makeFolder', 'syncFolder']),
    );
    expect(verbs.filter((verb) => verb === 'writeNew').length).toBeGreaterThan(8);
    expect(await names(third)).toContain('Job spelled-out-3 {"example.com/minute":"2"}');
  });

  test.each(LOSSES.flatMap((loss) => MOMENTS.map((moment) => [moment, loss] as const)))(
    'a tick that ends %s any operation and is found %s leaves old or new files, and the next tick goes on',
    async (moment, loss) => {
      const { disk: base, versions: before } = await twoTicks();
      const rehearsal = base.restart('killed');
      await tick(rehearsal, THIRD, new Map());
      const operations = rehearsal.operations();
      const allowed = await allowedTexts(base);
      const wanted = await names(rehearsal);
      for (const { nth, verb } of operations) {
        if (moment === 'within' && verb !== 'writeNew') continue;
        const versions = new Map(before);
        const crashed = await crashAt(
          base,
          (operation) => (operation.nth === nth ? moment : undefined),
          versions,
        );
        const found = crashed.restart(loss);
        for (const [path, text] of objectTexts(found)) expect(allowed.get(path) ?? new Set()).toContain(text);
        expect((await names(found)).filter((name) => name.startsWith('CronJob'))).toHaveLength(2);
        // The same slot again, in the minute after: what was lost is done, what was done is not done twice.
        await tick(found, { ...THIRD, delay: 1 }, versions);
        expect(await names(found)).toEqual(wanted);
        expect([...objectTexts(found).keys()].sort()).toEqual([...objectTexts(rehearsal).keys()].sort());
        expect(
          [...found.texts().keys()].filter((path) => path.endsWith('.tmp') || path.includes('/lock')),
        ).toEqual([]);
      }
    },
  );
});
