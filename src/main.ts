#!/usr/bin/env node
import { statSync } from 'node:fs';
import nodeModule from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { EXIT } from '#cli/exit-code.ts';
import type { ClusterRequest, Io, OpenedCluster, OpenedStore, Output, StoreRequest } from '#cli/io.ts';
import { nodeProblem } from '#cli/node-version.ts';
import type { PushReply, PushRequest } from '#core/push.ts';
import { readBytes } from '#source/files/read-bytes.ts';

/** The exit code when the output could not be written: a tick was done all the same, only untold. */
const UNTOLD = process.argv[2] === 'reconcile' ? 3 : 1;

/** Told by the first signal; a second one ends the process at once. */
const stop = new AbortController();
let listening = false;
let outputFailed = false;
/** A name that is being looked up cannot be let go: it would hold the process long beyond the limit of a request. */
let isHeldUp = false;

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

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough, such as head, is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    outputFailed = true;
    process.exitCode = UNTOLD;
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    ...(stream.isTTY === true ? { columns: stream.columns } : {}),
  };
}

/** Once everything that was written before is on its way. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

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

/** The one store of this build, loaded when a verb asks for it. */
async function openStore({ state, ...request }: StoreRequest): Promise<OpenedStore> {
  const { openDirectoryStore } = await import('#store/directory/open-directory-store.ts');
  const { lockHolder } = await import('#store/directory/holder.ts');
  // Without a state folder nothing is ever locked.
  const holder = state === undefined ? '' : lockHolder();
  return openDirectoryStore({ ...request, state, holder, clock: Date.now });
}

/** Loaded when a verb reads a cluster. */
async function openCluster(request: ClusterRequest): Promise<OpenedCluster> {
  const cluster = await import('#store/cluster/open-cluster.ts');
  return cluster.openCluster(request, { env: process.env, clock: Date.now, stop: stop.signal });
}

/** Loaded when somebody is to be told how a tick went. */
async function push(request: PushRequest): Promise<PushReply> {
  const { sendPush } = await import('#push/send.ts');
  const reply = await sendPush(request, stop.signal);
  isHeldUp ||= reply.state === 'late';
  return reply;
}

function processIo(): Io {
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    runtime: {
      node: process.versions.node,
      timeZoneData: process.versions['tz'] ?? 'unknown',
      platform: `${process.platform}/${process.arch}`,
    },
    clock: Date.now,
    isStopped,
    readStdin,
    readText,
    writeText,
    isFolder,
    openStore,
    openCluster,
    push,
  };
}

async function main(): Promise<number> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`error: ${problem}\n`);
    return EXIT.usage;
  }
  try {
    // Of use where the modules are files of their own; it never throws, on a read-only disk neither.
    nodeModule.enableCompileCache?.();
    const { runCli } = await import('#cli/run.ts');
    return await runCli(process.argv.slice(2), processIo());
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`minutehand: this is a fault of the program, please report it\n${detail}\n`);
    return 1;
  }
}

const code = await main();
process.exitCode = outputFailed && code === 0 ? UNTOLD : code;
if (isHeldUp) {
  await Promise.all([process.stdout, process.stderr].map(drained));
  process.exit();
}
