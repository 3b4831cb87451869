import type { Capture } from '#core/capture/capture.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { unreadable } from '#source/files/file-fault.ts';
import { defaultLimits } from '#source/limits.ts';
import { replayStore } from '#store/replay-store.ts';
import type { Config } from './config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { OutputFlags } from './flags.ts';
import type { Io, OpenedStore } from './io.ts';
import { parseCapture, type ReadCapture } from './parse-capture.ts';
import { reportDiagnostics } from './report.ts';

type FoundCapture = ReadCapture & {
  /** Standard input as it was read, for places that point into it. */
  readonly stdin?: Uint8Array;
};

function failed(file: string, error: unknown): FoundCapture {
  const { why: _why, fix, ...diagnostic } = unreadable(file, error);
  const told: Diagnostic = error instanceof Error && fix !== undefined ? { ...diagnostic, fix } : diagnostic;
  return { ok: false, diagnostics: [told] };
}

/** Reads the file that `capture` wrote; `-` is standard input. */
async function readCapture(file: string, io: Io): Promise<FoundCapture> {
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

/** What was captured, and a store that answers as the place did that it comes from. */
export interface OpenedCapture {
  readonly capture: Capture;
  readonly config: Config;
  readonly store: OpenedStore;
}

/** Opens a capture; one that cannot be used is told. */
export async function openCapture(
  file: string,
  flags: Pick<OutputFlags, 'no-color'>,
  io: Io,
): Promise<OpenedCapture | ExitCode> {
  const found = await readCapture(file, io);
  if (found.ok) {
    const { capture, config } = found;
    return { capture, config, store: replayStore(capture, `capture ${file}`) };
  }
  await reportDiagnostics(found.diagnostics, { io, flags, stdin: found.stdin });
  return EXIT.failed;
}
