import { fstatSync, statSync, writeSync } from 'node:fs';
import process from 'node:process';
import type { Output } from '#cli/io.ts';

interface ProcessOutput extends Output {
  /** Nothing is left to be written. */
  readonly isWritten: () => boolean;
}

type Descriptor = 1 | 2;

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What could not be written yet, because a reader of a pipe that does not block is behind. */
function writeNow(descriptor: Descriptor, bytes: Uint8Array): Uint8Array {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
  }
  return rest;
}

/** A stream of Node, whose modules cost more than what most starts print: for a terminal or a reader that is behind. */
function streamOf(descriptor: Descriptor): NodeJS.WriteStream {
  return descriptor === 1 ? process.stdout : process.stderr;
}

function isTerminal(descriptor: Descriptor): boolean {
  const stats = fstatSync(descriptor);
  if (!stats.isCharacterDevice()) return false;
  const isNowhere = stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
  return !isNowhere && streamOf(descriptor).isTTY === true;
}

/**
 * Standard output or standard error of this process.
 * @param failed told when something could not be written
 */
export function processOutput(descriptor: Descriptor, failed: () => void): ProcessOutput {
  let behind: NodeJS.WriteStream | undefined;
  // A reader that has seen enough, such as head, is no failure.
  const onError = (error: unknown): void => {
    if (codeOf(error) !== 'EPIPE') failed();
  };
  const write = (text: string): void => {
    const rest = behind === undefined ? writeNow(descriptor, Buffer.from(text)) : text;
    if (rest.length === 0) return;
    behind ??= streamOf(descriptor).on('error', onError);
    behind.write(rest);
  };
  const terminal = isTerminal(descriptor);
  return {
    write: (text) => {
      try {
        write(text);
      } catch (error) {
        onError(error);
      }
    },
    isWritten: () => behind === undefined,
    isTerminal: terminal,
    ...(terminal ? { columns: streamOf(descriptor).columns } : {}),
  };
}
