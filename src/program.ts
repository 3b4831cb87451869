import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type { ClusterRequest, Io, OpenedCluster, OpenedStore, StoreRequest } from '#cli/io.ts';
import { runCli } from '#cli/run.ts';
import type { PushReply, PushRequest } from '#core/push.ts';
import { readBytes } from '#source/files/read-bytes.ts';
import { processOutput } from './process-output.ts';
import { runtime } from './runtime.ts';

/** The exit code when the output could not be written: a tick was done all the same, only untold. */
const UNTOLD = process.argv[2] === 'reconcile' ? 3 : 1;

/** Told by the first signal; a second one ends the process at once. */
const stop = new AbortController();
let listening = false;
let outputFailed = false;

/** Asked for the first time when a tick is about to write: until then a signal may simply end the process. */
function isStopped(): boolean {
  if (!listening) {
    listening = true;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        stop.abort();
      });
    }
  }
  return stop.signal.aborted;
}

function onUnwritten(): void {
  outputFailed = true;
  process.exitCode = UNTOLD;
}

const stdout = processOutput(1, onUnwritten);
const stderr = processOutput(2, onUnwritten);

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const MOST_TEXT = 16 * 1024 * 1024;

/** A named pipe nobody writes to, or a device without end, must not hold the process up. */
async function readText(path: string): Promise<string> {
  const read = readBytes(resolve(path), MOST_TEXT);
  if ('fault' in read) {
    const code = read.fault.code === 'LimitExceeded' ? 'EFBIG' : 'EFTYPE';
    throw Object.assign(new Error(read.fault.what), { code });
  }
  return new TextDecoder().decode(read.bytes);
}

/** Loaded when a file is written beside what is printed. */
async function writeText(path: string, text: string): Promise<void> {
  const { writeWholeFile } = await import('#store/directory/write-whole-file.ts');
  await writeWholeFile(resolve(path), text);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Loaded when ticks keep each other apart. */
async function newHolder(): Promise<string> {
  const { lockHolder } = await import('#store/directory/holder.ts');
  return lockHolder();
}

/** The one store of this build, loaded when a verb asks for it. */
async function openStore({ state, ...request }: StoreRequest): Promise<OpenedStore> {
  const { openDirectoryStore } = await import('#store/directory/open-directory-store.ts');
  // Without a state folder nothing is ever locked.
  const holder = state === undefined ? '' : await newHolder();
  return openDirectoryStore({ ...request, state, holder, clock: Date.now });
}

/** Loaded when a verb reads a cluster. */
async function openCluster(request: ClusterRequest, onLargeList: () => void): Promise<OpenedCluster> {
  const cluster = await import('#store/cluster/open-cluster.ts');
  const { env } = process;
  return cluster.openCluster(request, { env, clock: Date.now, stop: stop.signal, onLargeList });
}

/** Loaded when somebody is to be told how a tick went. */
async function push(request: PushRequest): Promise<PushReply> {
  const { sendPush } = await import('#push/send.ts');
  return sendPush(request, stop.signal);
}

function processIo(onLargeList: () => void): Io {
  return {
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    runtime: runtime(),
    clock: Date.now,
    isStopped,
    readStdin,
    readText,
    writeText,
    isFolder,
    holder: newHolder,
    openStore,
    openCluster: (request) => openCluster(request, onLargeList),
    push,
  };
}

/**
 * The whole command line but for the start of the process; ends the process.
 * @param onLargeList is told when a cluster turns out to hold much
 */
export async function runProgram(argv: readonly string[], onLargeList: () => void): Promise<never> {
  const done = await runCli(argv, processIo(onLargeList));
  await Promise.all([stdout.drained(), stderr.drained()]);
  // Node would still take its heap apart, and wait for connections that are kept open and names that are looked up.
  process.exit(outputFailed && done === 0 ? UNTOLD : done);
}
