import type { FailureKind, WriteFailure, WriteResult } from '#store/port.ts';
import { codeOf, explainFileError, isForbidden } from './file-error.ts';

function asSentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return whole.endsWith('.') ? whole : `${whole}.`;
}

/** A failure that the port can say, on its way out of the depth. */
export class StoreFailure extends Error {
  readonly failure: WriteFailure;
  /** The message without what to do. */
  readonly what: string;
  /** What to do about it, where that is known; part of the message, too. */
  readonly fix: string | undefined;
  /** The bare cause of an error of the file system. */
  readonly reason: string;

  constructor(kind: FailureKind, what: string, fix?: string, reason = what) {
    super(fix === undefined ? what : `${what} ${asSentence(fix)}`);
    this.failure = { kind, message: this.message };
    this.what = what;
    this.fix = fix;
    this.reason = reason;
  }
}

type FileVerb = 'read' | 'write' | 'remove';

/** The failure that an error of the file system is for the port: what, why, and what to do. */
export function fileFailure(path: string, verb: FileVerb, code: string): StoreFailure {
  const { cause, fix } = explainFileError(code);
  return new StoreFailure(
    isForbidden(code) ? 'forbidden' : 'transient',
    `Cannot ${verb} ${path}: ${cause}.`,
    fix,
    cause,
  );
}

/** Runs an operation on a file; an error of the file system becomes a failure that names the file, others pass. */
export async function onFile<T>(path: string, verb: FileVerb, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw fileFailure(path, verb, code);
  }
}

/** The result of a write whose failures are data; an error that is none of ours is a bug and passes. */
export async function asResult(run: () => Promise<WriteResult>): Promise<WriteResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StoreFailure) return { ok: false, failure: error.failure };
    throw error;
  }
}
