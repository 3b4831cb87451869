import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Io } from '#cli/io.ts';
import { runCli } from '#cli/run.ts';
import { sendPush } from '#push/send.ts';
import { openCluster } from '#store/cluster/open-cluster.ts';
import { lockHolder } from '#store/directory/holder.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import { writeWholeFile } from '#store/directory/write-whole-file.ts';

/** What came of one command line. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type CliWorld = Partial<Omit<Io, 'stdout' | 'stderr'>> & {
  readonly stdin?: string;
  readonly terminal?: { readonly stdout?: boolean; readonly stderr?: boolean; readonly columns?: number };
};

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Runs a command line in this process, on real files and a real state folder, from the root of the repository. */
export async function runMinutehand(argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const { stdin, terminal = {}, ...given } = world;
  const text = { stdout: '', stderr: '' };
  const cwd = given.cwd ?? ROOT;
  const output = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
    write: (piece) => {
      text[name] += piece;
    },
    isTerminal: terminal[name] === true,
    ...(terminal.columns === undefined ? {} : { columns: terminal.columns }),
  });
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    cwd,
    runtime: {
      node: process.versions.node,
      timeZoneData: process.versions['tz'] ?? '',
      platform: 'test/none',
    },
    clock: Date.now,
    isStopped: () => false,
    readStdin: async () => new TextEncoder().encode(stdin ?? ''),
    readText: (path) => readFile(resolve(cwd, path), 'utf8'),
    writeText: (path, text) => writeWholeFile(resolve(cwd, path), text),
    isFolder: async (path) => statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true,
    openCluster: (request) => openCluster(request, { env: given.env ?? {}, clock: Date.now }),
    openStore: (request) => openDirectoryStore({ ...request, cwd, holder: lockHolder(), clock: Date.now }),
    push: (request) => sendPush(request, new AbortController().signal),
    ...given,
  };
  const code = await runCli(argv, io);
  return { code, ...text };
}
