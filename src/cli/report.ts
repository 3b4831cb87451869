import type { Diagnostic } from '#core/diagnostic.ts';
import { diagnosticsText } from '#render/diagnostic-text.ts';
import type { Io } from './io.ts';
import { sourceLines } from './source-lines.ts';
import { textOptions } from './style.ts';

export interface ReportTarget {
  readonly io: Io;
  readonly flags: { readonly 'no-color': boolean };
  readonly stdin: Uint8Array | undefined;
  /** A folder that was written to since its places were found. */
  readonly rewritten?: string;
  /** The files that places point to are not here. */
  readonly elsewhere?: boolean;
}

/** Tells diagnostics on stderr, with the lines that they point to, or as data to whoever takes them. */
export async function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  target: ReportTarget,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { io, flags, stdin, rewritten, elsewhere } = target;
  if (io.onDiagnostics !== undefined) return io.onDiagnostics(diagnostics);
  const lineOf = elsewhere === true ? () => undefined : await sourceLines(diagnostics, io, stdin, rewritten);
  io.stderr.write(diagnosticsText(diagnostics, { ...textOptions(io.stderr, io, flags), lineOf }));
}
