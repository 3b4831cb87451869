import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { instant, parseInstant } from '#core/time/instant.ts';
import { lockHolder } from '#store/directory/holder.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import type { Store } from '#store/port.ts';
import { Crash, memoryStore } from '#test/fakes/memory-store.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { runTar } from './run-tar.ts';
import { driveTar } from './tar-driver.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB, TAR_RUN, TAR_STRATEGY } from './tar-objects.ts';

const NAMESPACE = 'tenant-elm';
const BACKUPS = 'backups.cozystack.io/v1alpha1';
const GROUP = 'tar.example.net';
const STRATEGY_REF = { apiGroup: GROUP, kind: 'TarStrategy', name: 'gzip' };
const LEDGER = { rows: ['bread', 'salt'] };
const CREATED = '2026-11-29T12:00:00Z';

function classOf(strategyRef: JsonObject, parameters: JsonObject): KubeObject {
  return {
    apiVersion: BACKUPS,
    kind: BACKUP_CLASS.kind,
    metadata: { name: 'bronze', creationTimestamp: CREATED },
    spec: { strategies: [{ application: { kind: 'Ledger' }, strategyRef, parameters }] },
  };
}

function inputs(directory: string): readonly KubeObject[] {
  return [
    classOf(STRATEGY_REF, { directory }),
    {
      apiVersion: `${GROUP}/v1`,
      kind: TAR_STRATEGY.kind,
      metadata: { name: 'gzip', creationTimestamp: CREATED },
      spec: { level: 6 },
    },
    {
      apiVersion: 'apps.cozystack.io/v1alpha1',
      kind: 'Ledger',
      metadata: { name: 'main', namespace: NAMESPACE, creationTimestamp: CREATED },
      spec: LEDGER,
    },
  ];
}

const PLAN: KubeObject = {
  apiVersion: BACKUPS,
  kind: 'Plan',
  metadata: { name: 'books', namespace: NAMESPACE, uid: 'uid-books', creationTimestamp: CREATED },
  spec: {
    applicationRef: { kind: 'Ledger', name: 'main' },
    backupClassName: 'bronze',
    schedule: { cron: '0 15 * * *' },
  },
};

const ORDER: KubeObject = {
  apiVersion: BACKUPS,
  kind: BACKUP_JOB.kind,
  metadata: { name: 'by-hand', namespace: NAMESPACE, uid: 'uid-by-hand', creationTimestamp: CREATED },
  spec: { applicationRef: { kind: 'Ledger', name: 'main' }, backupClassName: 'bronze' },
};

/** Every file of a folder with what is in it. */
async function snapshot(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'utf8')])),
  );
}

/** A folder of manifests, a state folder, Minutehand and the driver on both. */
async function scene(): Promise<{
  readonly folder: string;
  readonly state: string;
  readonly minutehand: (now: string, ...argv: readonly string[]) => Promise<CliResult>;
  readonly driver: <T>(now: string, act: (store: Store) => Promise<T>) => Promise<T>;
}> {
  const folder = await temporaryFolder();
  const objects = [...inputs(folder), PLAN];
  const manifests = await temporaryFolder({
    'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  });
  const state = await temporaryFolder();
  const place = ['-f', manifests, '--state', state];
  return {
    folder,
    state,
    minutehand: (now, ...argv) => runMinutehand([...argv, ...place, '--now', now]),
    driver: async (now, act) => {
      const store = await openDirectoryStore({
        manifests: objects.map((object) => ({ object })),
        complete: true,
        state,
        now: parseInstant(now) ?? instant(0),
        holder: lockHolder(),
        clock: Date.now,
      });
      expect(await store.prepare()).toMatchObject({ ok: true });
      try {
        return await act(store);
      } finally {
        await store.close();
      }
    },
  };
}

async function only(store: Store, type: typeof BACKUP): Promise<KubeObject> {
  const listing = await store.list(type);
  const [found, ...more] = listing.state === 'read' ? listing.objects : [];
  if (found === undefined || more.length > 0) throw new Error(`not one ${type.kind}`);
  return found.object;
}

test('a Plan, a driver of another group and a restore', async () => {
  const { folder, state, minutehand, driver } = await scene();
  const name = 'books-29932740';

  const fired = await minutehand('2026-11-29T15:00:10Z', 'reconcile');
  expect(fired).toMatchObject({ code: 0, stdout: expect.stringContaining(name) });

  const untouched = await snapshot(state);
  for (const now of ['2026-11-29T15:01:10Z', '2026-11-29T15:40:10Z', '2026-11-30T14:59:10Z']) {
    expect((await minutehand(now, 'reconcile')).code).toBe(0);
    expect(await snapshot(state)).toEqual(untouched);
  }

  await driver('2026-11-29T15:02:00Z', async (store) => {
    await driveTar(store, '2026-11-29T15:02:00Z');
    expect(await only(store, BACKUP_JOB)).toMatchObject({
      metadata: { name },
      status: { phase: 'Running', startedAt: '2026-11-29T15:02:00Z' },
    });
    await runTar(store, '2026-11-29T15:02:10Z');
  });
  const running = await snapshot(state);
  await minutehand('2026-11-29T15:02:30Z', 'reconcile');
  expect(await snapshot(state)).toEqual(running);

  await driver('2026-11-29T15:03:00Z', (store) => driveTar(store, '2026-11-29T15:03:00Z'));
  await driver('2026-11-29T15:03:00Z', async (store) => {
    expect((await only(store, BACKUP_JOB)).status).toMatchObject({
      phase: 'Succeeded',
      startedAt: '2026-11-29T15:02:00Z',
      completedAt: '2026-11-29T15:03:00Z',
      backupRef: { name },
      conditions: [{ type: 'Ready', status: 'True', reason: 'BackupCompleted' }],
    });
    const backup = await only(store, BACKUP);
    expect(backup).toMatchObject({
      metadata: { name, labels: { 'backups.cozystack.io/plan': 'books' } },
      spec: {
        planRef: { name: 'books' },
        strategyRef: STRATEGY_REF,
        takenAt: '2026-11-29T15:02:10Z',
        driverMetadata: { 'tar.example.net/parameter/directory': folder },
      },
      status: { phase: 'Ready', artifact: { uri: expect.stringContaining(`${name}-backup.gz`) } },
    });
    expect(backup.metadata.ownerReferences).toBeUndefined();
  });

  const listed = await minutehand('2026-11-29T15:04:00Z', 'get', 'backups', '--plan', 'books', '-o', 'json');
  expect(JSON.parse(listed.stdout).backups).toMatchObject([{ name, phase: 'Ready', plan: 'books' }]);

  const asked = await minutehand('2026-11-29T15:05:00Z', 'run', 'restorejob', '--backup', name);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  const restoring = await snapshot(state);
  await minutehand('2026-11-29T15:05:10Z', 'reconcile');
  await minutehand('2026-11-29T15:45:10Z', 'reconcile');
  expect(await snapshot(state)).toEqual(restoring);

  const later = '2026-11-29T15:46:00Z';
  await driver(later, async (store) => {
    await driveTar(store, later);
    await runTar(store, later);
    await driveTar(store, later);
    expect(await only(store, RESTORE_JOB)).toMatchObject({
      spec: { backupRef: { name } },
      status: { phase: 'Succeeded', conditions: [{ status: 'True', reason: 'RestoreCompleted' }] },
    });
  });
  expect(JSON.parse(await readFile(join(folder, 'main.restored'), 'utf8'))).toEqual(LEDGER);

  const done = await snapshot(state);
  await driver(later, (store) => driveTar(store, later));
  await minutehand(later, 'reconcile');
  expect(await snapshot(state)).toEqual(done);
});

/** Passes of driver and operator until nothing is left to do; each starts anew after a crash. */
async function untilDone(store: Store): Promise<void> {
  for (let pass = 0; pass < 4; pass += 1) {
    try {
      await driveTar(store, '2026-11-29T15:02:00Z');
      await runTar(store, '2026-11-29T15:02:10Z');
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

function orders({ objects }: ReturnType<typeof memoryStore>): readonly unknown[] {
  return objects()
    .filter(({ kind }) => [BACKUP_JOB, BACKUP, TAR_RUN].some((type) => type.kind === kind))
    .map(({ kind, metadata, spec, status }) => ({ kind, name: metadata.name, spec, status }));
}

test('one backup, wherever the driver dies', async () => {
  const folder = await temporaryFolder();
  const objects = [...inputs(folder), ORDER];
  const whole = memoryStore({ objects });
  await untilDone(whole);
  expect(orders(whole)).toMatchObject([
    { kind: 'Backup', name: 'by-hand', status: { phase: 'Ready' } },
    { kind: 'BackupJob', name: 'by-hand', status: { phase: 'Succeeded' } },
    { kind: 'TarRun', name: 'by-hand-backup' },
  ]);
  const { length } = whole.writes();
  expect(length).toBeGreaterThan(5);
  for (let nth = 1; nth <= length; nth += 1) {
    for (const crash of ['crashBeforeWrite', 'crashAfterWrite', 'loseReply'] as const) {
      const store = memoryStore({ objects });
      store[crash](nth);
      await untilDone(store);
      expect(orders(store), `${crash} ${nth}`).toEqual(orders(whole));
    }
  }
});

test('what was pinned counts, not what the class says later', async () => {
  const folder = await temporaryFolder();
  const store = memoryStore({ objects: [...inputs(folder), ORDER] });
  await driveTar(store, '2026-11-29T15:02:00Z');
  store.put(classOf({ ...STRATEGY_REF, apiGroup: 'other.example.net' }, { directory: '/nowhere' }));
  await untilDone(store);
  expect(await only(store, BACKUP)).toMatchObject({
    spec: {
      strategyRef: STRATEGY_REF,
      driverMetadata: { 'tar.example.net/parameter/directory': folder },
    },
  });
});

test.each([
  ['another group', classOf({ ...STRATEGY_REF, apiGroup: 'jobdriver.backups.cozystack.io' }, {})],
  ['no group', classOf({ kind: 'TarStrategy', name: 'gzip' }, {})],
])('%s is left alone', async (_what, entry) => {
  const store = memoryStore({ objects: [...inputs('/nowhere').slice(1), entry, ORDER] });
  await driveTar(store, '2026-11-29T15:02:00Z');
  expect(store.writes()).toEqual([]);
});

test('a strategy that does not come is waited for, for half an hour', async () => {
  const objects = [...inputs('/nowhere').filter(({ kind }) => kind !== TAR_STRATEGY.kind), ORDER];
  const store = memoryStore({ objects });
  await driveTar(store, '2026-11-29T15:02:00Z');
  await driveTar(store, '2026-11-29T15:32:00Z');
  const waiting = [{ type: 'Ready', status: 'False', reason: 'StrategyNotReady' }];
  expect((await only(store, BACKUP_JOB)).status).toMatchObject({ phase: 'Running', conditions: waiting });
  await driveTar(store, '2026-11-29T15:32:01Z');
  expect((await only(store, BACKUP_JOB)).status).toMatchObject({
    phase: 'Failed',
    startedAt: '2026-11-29T15:02:00Z',
    completedAt: '2026-11-29T15:32:01Z',
    message: expect.stringContaining('StrategyNotReady'),
  });
});

test('work that vanished is not done again', async () => {
  const folder = await temporaryFolder();
  const store = memoryStore({ objects: [...inputs(folder), ORDER] });
  await driveTar(store, '2026-11-29T15:02:00Z');
  const { name } = (await only(store, TAR_RUN)).metadata;
  store.remove({ group: GROUP, kind: TAR_RUN.kind, namespace: NAMESPACE, name });
  await untilDone(store);
  expect((await only(store, BACKUP_JOB)).status).toMatchObject({
    phase: 'Failed',
    message: expect.stringContaining('vanished'),
  });
  expect(await store.list(TAR_RUN)).toMatchObject({ objects: [] });
});

test('the work and the Backup of an older order of the same name are not taken for its own', async () => {
  const folder = await temporaryFolder();
  const first = memoryStore({ objects: [...inputs(folder), ORDER] });
  await untilDone(first);
  const left = first.objects().filter(({ kind }) => kind !== BACKUP_JOB.kind);
  const again = { ...ORDER, metadata: { ...ORDER.metadata, uid: 'uid-again' } };
  for (const kept of [TAR_RUN, BACKUP]) {
    const store = memoryStore({
      objects: [...inputs(folder), again, ...left.filter(({ kind }) => kind === kept.kind)],
    });
    await untilDone(store);
    expect((await only(store, BACKUP_JOB)).status, kept.kind).toMatchObject({
      phase: 'Failed',
      conditions: [{ status: 'False', reason: 'BackupFailed' }],
    });
  }
});
