import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByHand, Ending } from './night.ts';

type Status = Readonly<Record<string, unknown>>;

/** How the runs of one kind stand in the state folder, and what their status says. */
interface RunKind {
  readonly folder: string;
  readonly running: (since: string) => Status;
  readonly ended: (since: unknown, at: string) => Status;
}

const KINDS: Readonly<Record<Ending['kind'], RunKind>> = {
  job: {
    folder: 'batch/job/shop',
    running: (since) => ({ active: 1, startTime: since }),
    ended: (since, at) => ({
      succeeded: 1,
      startTime: since,
      completionTime: at,
      conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: at }],
    }),
  },
  defrag: {
    folder: 'etcd-operator.cozystack.io/etcddefrag/vault',
    running: (since) => ({ phase: 'Running', startedAt: since }),
    ended: (since, at) => ({ phase: 'Complete', startedAt: since, completedAt: at, defragmented: 3 }),
  },
  snapshot: {
    folder: 'kopiur.home-operations.com/snapshot/shop',
    running: (since) => ({ phase: 'Running', timing: { startTime: since } }),
    ended: (since, at) => ({ phase: 'Succeeded', timing: { startTime: since, endTime: at } }),
  },
};

interface RunFile {
  readonly metadata: { readonly creationTimestamp: string };
  readonly status?: Status;
}

async function writeRun(path: string, run: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(run, undefined, 2)}\n`);
}

async function setStatus(path: string, next: (run: RunFile) => Status | undefined): Promise<void> {
  const run: RunFile = JSON.parse(await readFile(path, 'utf8'));
  const status = next(run);
  if (status !== undefined) await writeRun(path, { ...run, status });
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    // No run of the kind was made yet.
    return [];
  }
}

/** What a cluster's own controllers would do: they start every new run. */
export async function startNewRuns(state: string): Promise<void> {
  for (const kind of Object.values(KINDS)) {
    const folder = join(state, kind.folder);
    for (const name of await filesIn(folder)) {
      await setStatus(join(folder, name), ({ metadata, status }) =>
        status === undefined ? kind.running(metadata.creationTimestamp) : undefined,
      );
    }
  }
}

/** A run succeeds: its phase is written into the state folder, since that is the API of this demo's cluster. */
export async function endRun(state: string, { kind, run, at }: Ending): Promise<void> {
  const { folder, ended } = KINDS[kind];
  await setStatus(join(state, folder, `${run}.json`), ({ metadata }) =>
    ended(metadata.creationTimestamp, at),
  );
}

/** Somebody takes a Snapshot by hand, and it is at work at once. */
export async function takeSnapshot(state: string, { name, policy, at }: ByHand): Promise<void> {
  const { folder, running } = KINDS.snapshot;
  await mkdir(join(state, folder), { recursive: true });
  await writeRun(join(state, folder, `${name}.json`), {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'Snapshot',
    metadata: {
      name,
      namespace: 'shop',
      uid: '0d5b1c7e-6a43-4f0e-9d28-7b1f3c5e9a02',
      resourceVersion: '1',
      creationTimestamp: at,
      labels: { 'kopiur.home-operations.com/origin': 'manual' },
    },
    spec: { policyRef: { name: policy } },
    status: running(at),
  });
}
