import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  BACKUP,
  BACKUP_JOB,
  CLASS,
  CLASS_PATH,
  classOf,
  GROUP,
  INPUTS,
  LEDGER,
  leaving,
  NOW,
  type Objects,
  ORDER,
  OTHERS,
  OWN_BACKUP,
  object,
  PLAN,
  RESTORE,
  RESTORE_JOB,
  ROWS,
  STRATEGY,
  STRATEGY_REF,
  within,
  without,
} from './given.ts';

function stateFolder(objects: Objects): Promise<string> {
  const texts = Object.entries(objects).map(([path, value]) => [path, JSON.stringify(value)]);
  return temporaryFolder(Object.fromEntries(texts));
}

/** One pass of the driver, in a process of its own; the exit code. */
function drive(state: string, now: string, crash?: string): number | null {
  const guard = crash === undefined ? [] : ['--import', join(import.meta.dirname, 'crash-at-write.mjs')];
  const argv = [...guard, join(import.meta.dirname, 'copy-driver.mjs'), state, now];
  const { status, stderr } = spawnSync(process.execPath, argv, { env: { CRASH: crash }, encoding: 'utf8' });
  expect(stderr).toBe('');
  return status;
}

/** Every file of a state folder with what is in it; temporary files and the counter left out. */
async function snapshot(state: string): Promise<Readonly<Record<string, Json>>> {
  const paths = (await readdir(state, { recursive: true })).filter((path) => /\/[^.].*\.json$/.test(path));
  const read = async (path: string): Promise<[string, Json]> => [
    path,
    JSON.parse(await readFile(join(state, path), 'utf8')),
  ];
  return Object.fromEntries(await Promise.all(paths.sort().map(read)));
}

async function afterPass(objects: Objects, now = NOW): Promise<Readonly<Record<string, Json>>> {
  const state = await stateFolder(objects);
  expect(drive(state, now)).toBe(0);
  return snapshot(state);
}

/** Minutehand on a folder of manifests, beside a driver on its state folder. */
async function scene(manifests: readonly KubeObject[]): Promise<{
  readonly state: string;
  readonly minutehand: (now: string, ...argv: readonly string[]) => Promise<CliResult>;
  readonly manifest: (value: KubeObject) => Promise<void>;
}> {
  const folder = await temporaryFolder();
  const manifest = (value: KubeObject): Promise<void> =>
    writeFile(join(folder, `${value.kind}.json`), JSON.stringify(value));
  for (const value of manifests) await manifest(value);
  const state = await stateFolder(OTHERS);
  const place = ['-f', folder, '--state', state];
  return { state, minutehand: (now, ...argv) => runMinutehand([...argv, ...place, '--now', now]), manifest };
}

test('a Plan, a driver of another group and a restore', async () => {
  const { state, minutehand } = await scene([PLAN, CLASS]);
  const name = 'books-29932740';
  const order = `backups.cozystack.io/backupjob/elm/${name}.json`;
  const fired = await minutehand('2026-11-29T15:00:10Z', 'reconcile');
  expect(fired).toMatchObject({ code: 0, stdout: expect.stringContaining(name) });

  const untouched = await snapshot(state);
  for (const now of ['2026-11-29T15:01:10Z', '2026-11-29T15:40:10Z', '2026-11-30T14:59:10Z']) {
    expect((await minutehand(now, 'reconcile')).code).toBe(0);
    expect(await snapshot(state)).toEqual(untouched);
  }

  expect(drive(state, '2026-11-29T15:02:00Z')).toBe(0);
  const taken = await snapshot(state);
  expect(taken[order]).toMatchObject({
    spec: { planRef: { name: 'books' } },
    status: {
      phase: 'Succeeded',
      startedAt: '2026-11-29T15:02:00Z',
      completedAt: '2026-11-29T15:02:00Z',
      backupRef: { name },
      conditions: [{ type: 'Ready', status: 'True', reason: 'BackupCompleted' }],
    },
  });
  expect(taken[`backups.cozystack.io/backup/elm/${name}.json`]).toMatchObject({
    spec: {
      applicationRef: { apiGroup: 'apps.cozystack.io', kind: 'Ledger', name: 'main' },
      planRef: { name: 'books' },
      strategyRef: STRATEGY_REF,
      takenAt: '2026-11-29T15:02:00Z',
    },
    status: { phase: 'Ready' },
  });
  const listed = await minutehand('2026-11-29T15:04:00Z', 'get', 'backups', '--plan', 'books', '-o', 'json');
  expect(JSON.parse(listed.stdout).backups).toMatchObject([{ name, phase: 'Ready', plan: 'books' }]);

  await writeFile(join(state, LEDGER), JSON.stringify({ ...OTHERS[LEDGER], spec: { rows: [] } }));
  const asked = await minutehand('2026-11-29T15:05:00Z', 'run', 'restorejob', '--backup', name);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  const restoring = await snapshot(state);
  await minutehand('2026-11-29T15:05:10Z', 'reconcile');
  await minutehand('2026-11-29T15:45:10Z', 'reconcile');
  expect(await snapshot(state)).toEqual(restoring);

  expect(drive(state, '2026-11-29T15:46:00Z')).toBe(0);
  const done = await snapshot(state);
  expect(done[LEDGER]).toEqual(OTHERS[LEDGER]);
  expect(Object.values(done).filter((value) => isObject(value) && value.kind === 'RestoreJob')).toMatchObject(
    [{ status: { phase: 'Succeeded', conditions: [{ status: 'True', reason: 'RestoreCompleted' }] } }],
  );
  expect(drive(state, '2026-11-29T15:47:00Z')).toBe(0);
  await minutehand('2026-11-29T15:48:00Z', 'reconcile');
  expect(await snapshot(state)).toEqual(done);
});

test('an order that waited for its class under Minutehand becomes the driver’s', async () => {
  const { state, minutehand, manifest } = await scene([BACKUP_JOB]);
  await minutehand('2026-11-29T15:01:00Z', 'reconcile');
  const pending = [{ reason: 'BackupClassNotFound', lastTransitionTime: '2026-11-29T15:01:00Z' }];
  expect((await snapshot(state))[ORDER]).toMatchObject({ status: { phase: 'Pending', conditions: pending } });
  expect(drive(state, '2026-11-29T15:01:30Z')).toBe(0);
  await manifest(CLASS);
  await minutehand(NOW, 'reconcile');
  expect((await snapshot(state))[ORDER]).toMatchObject({ status: { phase: 'Pending', conditions: pending } });
  expect(drive(state, NOW)).toBe(0);
  expect((await snapshot(state))[ORDER]).toMatchObject({ status: { phase: 'Succeeded', startedAt: NOW } });
});

test('one backup, wherever the driver dies', async () => {
  const whole = await afterPass(INPUTS);
  expect(whole[ORDER]).toMatchObject({ status: { phase: 'Succeeded' } });
  expect(whole[BACKUP]).toMatchObject({
    metadata: { annotations: { [`${GROUP}/backupjob-uid`]: 'uid-by-hand' } },
  });
  expect(whole[BACKUP]).not.toHaveProperty('metadata.ownerReferences');
  for (const when of ['before', 'after']) {
    let crashes = 0;
    for (let nth = 1; crashes === nth - 1; nth += 1) {
      const state = await stateFolder(INPUTS);
      if (drive(state, NOW, `${nth} ${when}`) === 9) crashes += 1;
      expect(drive(state, NOW)).toBe(0);
      expect(await snapshot(state), `${when} ${nth}`).toEqual(whole);
    }
    // Started, the record, the end: each to another name, then renamed.
    expect(crashes).toBe(6);
  }
});

test.each<[what: string, objects: Objects]>([
  [
    'another group',
    { ...INPUTS, [CLASS_PATH]: classOf({ ...STRATEGY_REF, apiGroup: 'jobdriver.backups.cozystack.io' }) },
  ],
  ['no group', { ...INPUTS, [CLASS_PATH]: classOf({ kind: 'CopyStrategy', name: 'whole' }) }],
  ['no class', { ...OTHERS, [ORDER]: BACKUP_JOB }],
  ['one that is over', { ...INPUTS, [ORDER]: { ...BACKUP_JOB, status: { phase: 'Failed' } } }],
  ['a phase of somebody else', { ...INPUTS, [ORDER]: { ...BACKUP_JOB, status: { phase: 'Paused' } } }],
  ['one that is being deleted', { ...INPUTS, [ORDER]: leaving(BACKUP_JOB) }],
  ['a Backup of its name that is being deleted', { ...INPUTS, [BACKUP]: leaving(OWN_BACKUP) }],
  ['a restore without its Backup', { ...OTHERS, [RESTORE]: RESTORE_JOB }],
])('%s is left alone', async (_what, objects) => {
  expect(await afterPass(objects)).toEqual(objects);
});

test.each<[what: string, objects: Objects, path: string, message: string]>([
  [
    'a kind of strategy that nobody knows',
    { ...INPUTS, [CLASS_PATH]: classOf({ ...STRATEGY_REF, kind: 'Other' }) },
    ORDER,
    'CopyStrategy',
  ],
  ['a Backup that another order made', { ...INPUTS, [BACKUP]: OWN_BACKUP }, ORDER, 'NameConflict'],
  [
    'a restore of a Backup that failed',
    { ...OTHERS, [BACKUP]: { ...OWN_BACKUP, status: { phase: 'Failed' } }, [RESTORE]: RESTORE_JOB },
    RESTORE,
    'failed',
  ],
])('%s fails the order, and nothing else is written', async (_what, objects, path, message) => {
  const after = await afterPass(objects);
  expect(after).toEqual({ ...objects, [path]: after[path] });
  const reason = path === ORDER ? 'BackupFailed' : 'RestoreFailed';
  expect(after[path]).toMatchObject({
    status: {
      phase: 'Failed',
      completedAt: NOW,
      message: expect.stringContaining(message),
      conditions: [{ type: 'Ready', status: 'False', reason, lastTransitionTime: NOW }],
    },
  });
});

test.each<[lack: string, objects: Objects, path: string, phase: string]>([
  ['StrategyNotReady', without(STRATEGY), ORDER, 'Running'],
  ['ApplicationNotReady', without(LEDGER), ORDER, 'Running'],
  [
    'BackupNotReady',
    { ...OTHERS, [BACKUP]: { ...OWN_BACKUP, status: {} }, [RESTORE]: RESTORE_JOB },
    RESTORE,
    'Pending',
  ],
])('%s is waited for, for half an hour', async (lack, objects, path, phase) => {
  const state = await stateFolder(objects);
  const since = path === ORDER ? NOW : (RESTORE_JOB.metadata.creationTimestamp ?? '');
  const at = (seconds: number): string => new Date(Date.parse(since) + seconds * 1000).toISOString();
  expect(drive(state, at(0))).toBe(0);
  const waiting = await snapshot(state);
  expect(waiting[path]).toMatchObject({ status: { phase, conditions: [{ status: 'False', reason: lack }] } });
  expect(drive(state, at(1800))).toBe(0);
  expect(await snapshot(state)).toEqual(waiting);
  expect(drive(state, at(1801))).toBe(0);
  const message = expect.stringContaining(lack);
  expect((await snapshot(state))[path]).toMatchObject({ status: { phase: 'Failed', message } });
});

test('what is odd in the entries of others is not looked at', async () => {
  const odd = [null, 'x', { application: null }, { application: { kind: 5 } }];
  const after = await afterPass({ ...INPUTS, [CLASS_PATH]: classOf(STRATEGY_REF, odd) });
  expect(after[ORDER]).toMatchObject({ status: { phase: 'Succeeded' } });
});

test('nothing is done while a tick is at work', async () => {
  const state = await stateFolder(INPUTS);
  await writeFile(join(state, 'lock'), '{}');
  expect(drive(state, NOW)).toBe(0);
  expect(await snapshot(state)).toEqual(INPUTS);
});

test('a restore into another application, of the group of the first', async () => {
  const other = 'apps.cozystack.io/ledger/elm/other.json';
  const target = { apiGroup: '', kind: 'Ledger', name: 'other' };
  const after = await afterPass({
    ...OTHERS,
    [other]: within('elm', object('apps.cozystack.io/v1', 'Ledger', 'other', { spec: {} })),
    [BACKUP]: OWN_BACKUP,
    [RESTORE]: { ...RESTORE_JOB, spec: { backupRef: { name: 'by-hand' }, targetApplicationRef: target } },
  });
  expect(after[RESTORE]).toMatchObject({ status: { phase: 'Succeeded' } });
  expect(after[RESTORE]).not.toHaveProperty('status.backupRef');
  expect([after[other], after[LEDGER]]).toMatchObject([
    { spec: { rows: ['old'] } },
    { spec: { rows: ROWS } },
  ]);
});
