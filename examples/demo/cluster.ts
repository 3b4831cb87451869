import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ending } from './night.ts';

type Status = Readonly<Record<string, unknown>>;

/** How the runs of one kind stand in the state folder, and what their status says. */
interface RunKind {
  readonly folder: string;
  readonly suffix: (epochSeconds: number) => number;
  readonly running: (since: string) => Status;
  readonly ended: (since: unknown, at: string) => Status;
}

const JOBS: RunKind = {
  folder: 'batch/job/shop',
  suffix: (seconds) => seconds / 60,
  running: (since) => ({ active: 1, startTime: since }),
  ended: (since, at) => ({
    succeeded: 1,
    startTime: since,
    completionTime: at,
    conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: at }],
  }),
};

const DEFRAGS: RunKind = {
  folder: 'etcd-operator.cozystack.io/etcddefrag/vault',
  suffix: (seconds) => seconds,
  running: (since) => ({ phase: 'Running', startedAt: since }),
  ended: (since, at) => ({ phase: 'Complete', startedAt: since, completedAt: at, defragmented: 3 }),
};

interface RunFile {
  readonly metadata: { readonly creationTimestamp: string };
  readonly status?: Status;
}

async function setStatus(path: string, next: (run: RunFile) => Status | undefined): Promise<void> {
  const run: RunFile = JSON.parse(await readFile(path, 'utf8'));
  const status = next(run);
  if (status !== undefined) await writeFile(path, `${JSON.stringify({ ...run, status }, undefined, 2)}\n`);
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
  for (const kind of [JOBS, DEFRAGS]) {
    const folder = join(state, kind.folder);
    for (const name of await filesIn(folder)) {
      await setStatus(join(folder, name), ({ metadata, status }) =>
        status === undefined ? kind.running(metadata.creationTimestamp) : undefined,
      );
    }
  }
}

/** A run succeeds: its phase is written into the state folder, since that is the API of this demo's cluster. */
export async function endRun(state: string, { schedule, slot, at }: Ending): Promise<void> {
  const kind = schedule === 'kv' || schedule === 'archive' ? DEFRAGS : JOBS;
  const name = `${schedule}-${kind.suffix(Date.parse(slot) / 1000)}.json`;
  await setStatus(join(state, kind.folder, name), ({ metadata }) =>
    kind.ended(metadata.creationTimestamp, at),
  );
}
