import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { stampOf } from './failures/stamp.ts';
import type { AuditEntry } from './support/audit-log.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, must, patchStatus, read } from './world/api.ts';
import { runHere, runProcess, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';

const NAMESPACE = 'harbor';
const MINUTE = 60;
/** Of two processes that are started at once. */
const ROUNDS = 200;
/** Writes of one tick of a round, about; the second tick starts before any one of them. */
const WRITES = 16;
/** Rounds in which the second tick starts in the middle of the first. */
const STAGGERED = 3 * WRITES;
/** Milliseconds, on a machine with much else to do. */
const PATIENCE = 900_000;
/** Events of older rounds are of no use to a later one. */
const ROUNDS_OF_EVENTS = 20;

const RUNS = ['etcddefrags', 'jobs', 'snapshots'];
const BACKUP = { backup: 'yes' };

interface World {
  readonly folder: string;
  readonly bundle: string;
  readonly config: string;
  readonly sent: SentRequests;
  /** A minute in the future: every schedule exists by then. */
  readonly start: Instant;
}

let world: World;

/** Three schedules that fire in every minute: a limited history, a replacement and a replacement for two targets. */
async function plant(): Promise<World> {
  const server = await sharedServer();
  await install(server, await readDefinitions(OUR_DEFINITIONS));
  await createNamespace(server, NAMESPACE);
  // No run that is still active keeps the second tick from starting another one.
  const spec = { historyLimit: 2, concurrencyPolicy: 'Allow' };
  await create(server, POLICY, defragPolicy('harbor/defrag', { spec }));
  await create(server, CRON_JOB, cronJob('harbor/rotate', { spec: { concurrencyPolicy: 'Replace' } }));
  for (const name of ['harbor/kv', 'harbor/pg']) {
    await create(server, SNAPSHOT_POLICY, snapshotPolicy(name, { metadata: { labels: BACKUP } }));
  }
  const aim = { spec: { policySelector: { matchLabels: BACKUP } } };
  const nightly = snapshotSchedule('harbor/nightly', { concurrencyPolicy: 'Replace' }, aim);
  await create(server, SCHEDULE, nightly);
  const folder = await mkdtemp(join(tmpdir(), 'minutehand-test-'));
  const config = join(folder, 'config.yaml');
  await writeFile(config, 'cronJob: manage\n');
  const start = instant((Math.floor(Date.now() / 1000 / MINUTE) + 2) * MINUTE);
  return { folder, bundle: buildBundle(folder), config, sent: sentTo(server), start };
}

async function flagsAt(now: Instant): Promise<readonly string[]> {
  const { kubeconfig } = await sharedServer();
  return tickAt(kubeconfig, now, '--config', world.config, '-o', 'json');
}

/** The second tick starts before the write of this number of the first, or at once. */
async function pairHere(argv: readonly string[], startBefore: number): Promise<readonly CliResult[]> {
  let count = 0;
  let start: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const first = runHere(argv, () => {
    if (count === startBefore) start();
    count += 1;
  }).finally(start);
  if (startBefore === 0) start();
  const second = started.then(() => runHere(argv));
  return Promise.all([first, second]);
}

/** Every defragmentation is complete before the next round. */
async function finishRuns(slot: Instant): Promise<void> {
  const server = await sharedServer();
  for (const { metadata, status } of await listAll(server, DEFRAG, NAMESPACE)) {
    if (isObject(status) && status['phase'] !== undefined) continue;
    const where = { type: DEFRAG, namespace: NAMESPACE, name: metadata?.name ?? '' };
    await patchStatus(server, where, { phase: 'Complete', completedAt: formatInstant(instant(slot + 30)) });
  }
}

/** What a round starts, once each. */
function runsOf(slot: Instant): readonly string[] {
  return [
    `create etcddefrags harbor/defrag-${slot}`,
    `create jobs harbor/rotate-${slot / MINUTE}`,
    `create snapshots harbor/nightly-kv-${stampOf(slot)}`,
    `create snapshots harbor/nightly-pg-${stampOf(slot)}`,
  ];
}

/** The slot that each schedule's status tells. */
async function recorded(): Promise<readonly unknown[]> {
  const server = await sharedServer();
  const schedules = [
    [POLICY, 'defrag'],
    [CRON_JOB, 'rotate'],
    [SCHEDULE, 'nightly'],
  ] as const;
  return Promise.all(
    schedules.map(async ([type, name]) => {
      const { status } = await read(server, { type, namespace: NAMESPACE, name });
      const { lastScheduleTime, lastSchedule } = status as JsonObject;
      return lastScheduleTime ?? (isObject(lastSchedule) ? lastSchedule.at : undefined);
    }),
  );
}

/** Codes of what went wrong in a tick; what was left for the next tick without a fault has none. */
function problemsOf({ code, stdout, stderr }: CliResult): readonly string[] {
  if (code !== 0 && code !== 3) throw new Error(`exit code ${code}: ${stderr}`);
  const { applied } = JSON.parse(stdout);
  expect(code === 3, stderr).toBe(applied.partial);
  return applied.diagnostics.map((diagnostic: { readonly code: string }) => diagnostic.code);
}

function isStarted({ verb, objectRef, responseStatus }: AuditEntry): boolean {
  return verb === 'create' && RUNS.includes(objectRef?.resource ?? '') && responseStatus?.code === 201;
}

describeOnServer('two writers at once', () => {
  beforeAll(async () => {
    world = await plant();
    // Pins the first slot of the SnapshotSchedule.
    const pinning = await runHere(await flagsAt(instant(world.start - 5)));
    expect(pinning.code, pinning.stderr).toBe(0);
    await finishRuns(instant(0));
    await world.sent.next();
  }, 60_000);
  afterAll(async () => {
    if (world !== undefined) await rm(world.folder, { recursive: true, force: true });
  });

  test('no slot twice and none lost, in every round', { timeout: PATIENCE }, async () => {
    const server = await sharedServer();
    const problems: string[] = [];
    const expected: string[] = [];
    let last = world.start;
    for (let round = 0; round < ROUNDS + STAGGERED; round += 1) {
      const slot = instant(world.start + round * MINUTE);
      last = instant(slot + 5);
      const argv = await flagsAt(last);
      const ended =
        round < ROUNDS
          ? await Promise.all([runProcess(argv, world.bundle), runProcess(argv, world.bundle)])
          : await pairHere(argv, round % WRITES);
      problems.push(...ended.flatMap(problemsOf));
      expected.push(...runsOf(slot));
      expect(await recorded(), `round ${round}`).toEqual(Array(3).fill(formatInstant(slot)));
      await finishRuns(slot);
      if (round % ROUNDS_OF_EVENTS === 0) {
        await must(server, 'DELETE', `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`);
      }
    }
    expect(problems.filter((code) => code !== 'ChangedMeanwhile')).toEqual([]);
    const sent = await world.sent.next();
    expect(sent.filter(isStarted).map(lineOf).sort()).toEqual(expected.sort());

    const argv = await flagsAt(last);
    expect((await runHere(argv)).code).toBe(0);
    await world.sent.next();
    expect((await runHere(argv)).code).toBe(0);
    expect((await world.sent.next()).filter(isWrite).map(lineOf)).toEqual([]);

    const refused = sent.filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400);
    const taken = refused.filter(({ verb, objectRef }) => {
      return verb === 'create' && RUNS.includes(objectRef?.resource ?? '');
    });
    expect(taken.length).toBeGreaterThan(0);
    console.log(
      `two writers: ${ROUNDS} rounds of two processes, ${STAGGERED} staggered ones, ${expected.length} runs, none twice, none lost; ` +
        `${taken.length} creates found the run there, ${refused.length - taken.length} other writes were too late, ` +
        `${problems.length} statuses were left for the next tick`,
    );
  });
});
