import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { JOB, POD } from '#api/resources.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { type Fate, type Fates, movePods } from './managed-jobs/kubelet.ts';
import { statusLikeness } from './managed-jobs/likeness.ts';
import { jobBody, SPECS } from './managed-jobs/manifests.ts';
import { type ApiServer, startApiServer } from './support/api-server.ts';
import type { ApiBody } from './support/request.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, MERGE, must, pathOf, read, remove } from './world/api.ts';
import { runHere } from './world/command-line.ts';
import { isWrite } from './world/sent.ts';

const OURS = 'ours';
const THEIRS = 'theirs';
const KILLED = 'killed';
const MANAGED_BY = 'minutehand.dev/job';
const NAMES = Object.keys(SPECS);
/** Twins of one that is killed after every write. */
const MIXED = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 0 };

let config: string;

function isFinished({ status }: ApiBody): boolean {
  const { conditions = [] } = (status ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status: is }) => ['Complete', 'Failed'].includes(type) && is === 'True');
}

const SUCCEEDS: Fate = { exitCode: 0 };

const fates: Fates = (job, index) => {
  if (job === 'fail') return { exitCode: 1 };
  if (job === 'datacheck') return { exitCode: 42 };
  if (job === 'leader') return index === 0 ? SUCCEEDS : 'runs';
  if (job === 'mixed') return index === 1 ? { exitCode: 1 } : SUCCEEDS;
  return SUCCEEDS;
};

async function tick(server: ApiServer, ...more: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runHere([
    'reconcile',
    '--kubeconfig',
    server.kubeconfig,
    '--config',
    config,
    ...more,
  ]);
  if (code !== 0) throw new Error(`the tick ended with ${code}:\n${stdout}${stderr}`);
}

/** A tick of which the process ends before its second write. */
async function tickOfOneWrite(server: ApiServer): Promise<void> {
  let written = 0;
  await runHere(['reconcile', '--kubeconfig', server.kubeconfig, '--config', config, '-n', KILLED], () => {
    written += 1;
    if (written > 1) throw new Error('killed');
  }).catch(() => undefined);
}

function jobIn(server: ApiServer, namespace: string, name: string): Promise<ApiBody> {
  return read(server, { type: JOB, namespace, name });
}

async function setSuspended(server: ApiServer, namespace: string, suspend: boolean): Promise<void> {
  const path = pathOf({ type: JOB, namespace, name: 'paused' });
  await must(server, 'PATCH', path, { spec: { suspend } }, MERGE);
}

async function untilFinished(server: ApiServer, namespaces: readonly string[]): Promise<void> {
  await until(
    'all Jobs are finished',
    async () => {
      for (const namespace of namespaces) await movePods(server, namespace, fates);
      await tick(server, '-n', OURS);
      await tickOfOneWrite(server);
      const jobs = await Promise.all(namespaces.map((namespace) => listAll(server, JOB, namespace)));
      if (jobs.flat().every(isFinished)) return true;
      await sleep(100);
      return undefined;
    },
    110_000,
  );
}

/** Suspended before it ran, resumed, suspended while pods run, and resumed for good. */
async function pauseAndResume(server: ApiServer): Promise<void> {
  const runsOn: Fates = () => 'runs';
  const both = [OURS, THEIRS];
  const areAll = (want: (status: JobStatus) => boolean) => async () => {
    for (const namespace of both) await movePods(server, namespace, runsOn);
    await tick(server, '-n', OURS);
    const jobs = await Promise.all(both.map((namespace) => jobIn(server, namespace, 'paused')));
    return jobs.every(({ status }) => want((status ?? {}) as JobStatus)) ? true : undefined;
  };
  await until('both are suspended', areAll(isSuspended));
  for (const namespace of both) await setSuspended(server, namespace, false);
  await until(
    'both run',
    areAll(({ active, ready }) => active === 2 && ready === 2),
  );
  for (const namespace of both) await setSuspended(server, namespace, true);
  await until(
    'both are suspended again',
    areAll((status) => isSuspended(status) && (status.terminating ?? 0) === 0 && (status.active ?? 0) === 0),
  );
  const suspended = await Promise.all(both.map((namespace) => jobIn(server, namespace, 'paused')));
  expect(statusLikeness(suspended[0]?.status)).toEqual(statusLikeness(suspended[1]?.status));
  for (const namespace of both) await setSuspended(server, namespace, false);
}

interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

function isSuspended({ conditions = [] }: JobStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
}

async function makeTwins(server: ApiServer): Promise<void> {
  for (const namespace of [OURS, THEIRS, KILLED]) await createNamespace(server, namespace);
  for (const name of NAMES) {
    const spec = SPECS[name] ?? {};
    await create(server, JOB, jobBody(OURS, name, spec, MANAGED_BY));
    await create(server, JOB, jobBody(THEIRS, name, spec));
  }
  await create(server, JOB, jobBody(KILLED, 'mixed', MIXED, MANAGED_BY));
  await create(server, JOB, jobBody(THEIRS, 'mixed', MIXED));
}

describeOnServer(
  'Jobs that we manage, beside the built-in controller',
  () => {
    let server: ApiServer;

    beforeAll(async () => {
      server = await sharedServer();
      config = join(server.folder, 'managed-jobs.yaml');
      await writeFile(config, 'managedJobs: manage\n');
      await server.controllerManager(['job-controller', 'garbage-collector-controller']);
      await makeTwins(server);
      await pauseAndResume(server);
      await untilFinished(server, [OURS, THEIRS, KILLED]);
    }, 180_000);

    test.each(NAMES)('end as their twins do: %s', async (name) => {
      const ours = await jobIn(server, OURS, name);
      const theirs = await jobIn(server, THEIRS, name);
      expect(statusLikeness(ours.status)).toEqual(statusLikeness(theirs.status));
      const pods = await Promise.all([OURS, THEIRS].map((namespace) => listAll(server, POD, namespace)));
      const [mine, others] = pods.map(
        (all) =>
          all.filter(({ metadata }) => metadata?.labels?.['batch.kubernetes.io/job-name'] === name).length,
      );
      expect(mine).toBe(others);
    });

    test('count every pod once where each process ends after one write', async () => {
      const ours = await jobIn(server, KILLED, 'mixed');
      const theirs = await jobIn(server, THEIRS, 'mixed');
      expect(statusLikeness(ours.status)).toEqual(statusLikeness(theirs.status));
    });

    test('are never written by the built-in controller', async () => {
      const entries = await server.auditLog();
      const others = entries.filter(
        (entry) =>
          isWrite(entry) &&
          [OURS, KILLED].includes(entry.objectRef?.namespace ?? '') &&
          (entry.userAgent ?? '').includes('kube-controller-manager'),
      );
      expect(others).toEqual([]);
      const served = entries.filter(
        (entry) => isWrite(entry) && (entry.userAgent ?? '').includes('kube-controller-manager'),
      );
      expect(served.length).toBeGreaterThan(20);
    });

    test('write nothing once all is done', async () => {
      const before = (await server.auditLog()).length;
      await tick(server, '-n', OURS);
      const written = (await server.auditLog()).slice(before).filter(isWrite);
      expect(written).toEqual([]);
    });
  },
  { also: ['kube-controller-manager'] },
);

const FINALIZER = 'batch.kubernetes.io/job-tracking';

interface Tracked {
  readonly name: string;
  readonly isTracked: boolean;
}

async function trackedPods(server: ApiServer): Promise<readonly Tracked[]> {
  const pods = await listAll(server, POD, GONE);
  return pods.map(({ metadata }) => {
    const { name = '', finalizers = [] } = metadata as { name?: string; finalizers?: readonly string[] };
    return { name, isTracked: finalizers.includes(FINALIZER) };
  });
}

const GONE = 'gone';

/** Two pods of a Job that run when it is deleted. */
async function leavePods(server: ApiServer): Promise<void> {
  await createNamespace(server, GONE);
  await create(server, JOB, jobBody(GONE, 'two', { completions: 2, parallelism: 2 }, MANAGED_BY));
  await tick(server, '-n', GONE);
  expect((await trackedPods(server)).map(({ isTracked }) => isTracked)).toEqual([true, true]);
  await remove(server, { type: JOB, namespace: GONE, name: 'two' });
}

describeOnServer(
  'pods of a Job that is gone lose their finalizer',
  () => {
    test('by the built-in controller, where it runs', async () => {
      const server = await sharedServer();
      await leavePods(server);
      await until('no pod is left', async () => {
        await movePods(server, GONE, () => 'runs');
        return (await trackedPods(server)).length === 0 ? true : undefined;
      });
    });

    test('by the tick, where nobody else does it', async () => {
      const server = await startApiServer();
      try {
        await leavePods(server);
        await tick(server, '-n', GONE);
        const young = (await trackedPods(server)).map(({ isTracked }) => isTracked);
        const later = formatInstant(instant(Date.now() / 1000 + 120));
        await tick(server, '-n', GONE, '--now', later);
        const old = (await trackedPods(server)).map(({ isTracked }) => isTracked);
        expect({ young, old }).toEqual({ young: [true, true], old: [false, false] });
      } finally {
        await server.stop();
      }
    }, 60_000);
  },
  { also: ['kube-controller-manager'] },
);
