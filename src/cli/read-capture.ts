import type { Diagnostic } from '#core/diagnostic.ts';
import { unreadable } from '#source/files/file-fault.ts';
import { defaultLimits } from '#source/limits.ts';
import type { Io } from './io.ts';
import { parseCapture, type ReadCapture } from './parse-capture.ts';

export type FoundCapture = ReadCapture & {
  /** Standard input as it was read, for places that point into it. */
  readonly stdin?: Uint8Array;
};

function failed(file: string, error: unknown): FoundCapture {
  const { why: _why, fix, ...diagnostic } = unreadable(file, error);
  const told: Diagnostic = error instanceof Error && fix !== undefined ? { ...diagnostic, fix } : diagnostic;
  return { ok: false, diagnostics: [told] };
}

/** Reads the file that `capture` wrote; `-` is standard input. */
export async function readCapture(file: string, io: Io): Promise<FoundCapture> {
  if (file === '-') {
    const stdin = await io.readStdin();
    // Undecoded as much as the limit allows: the rest is refused by it.
    const text = new TextDecoder().decode(stdin.subarray(0, defaultLimits.fileBytes + 1));
    return { ...parseCapture(file, text), stdin };
  }
  let text: string;
  try {
    text = await io.readText(file);
  } catch (error) {
    return failed(file, error);
  }
  return parseCapture(file, text.replace(/^\uFEFF/, ''));
}
