import type { DiffFlags } from '#cli/command/diff.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { reportDiagnostics } from '#cli/report.ts';
import type { Capture } from '#core/capture/capture.ts';
import type { SideSource } from './side.ts';

/** Where it is known from what ran so far. */
export type Statuses =
  | { readonly from: 'none' | 'state' | 'cluster' }
  | { readonly from: 'capture'; readonly file: string };

export function statusesOf(flags: DiffFlags, base: SideSource): Statuses | { readonly problem: string } {
  const { statuses, state } = flags;
  if (state !== undefined) {
    if (statuses !== undefined)
      return { problem: '--state and --statuses both say what ran so far: give one of them' };
    return base.kind === 'cluster'
      ? { problem: '--state stands for a cluster: give --base another side' }
      : { from: 'state' };
  }
  if (base.kind === 'cluster') {
    if (statuses === undefined || statuses === 'cluster') return { from: 'cluster' };
    return { problem: 'a cluster as base has its own statuses: leave --statuses out' };
  }
  if (statuses === undefined || statuses === 'none') return { from: 'none' };
  return statuses === 'cluster' ? { from: 'cluster' } : { from: 'capture', file: statuses };
}

/** What was captured, and a store that answers as the place did that it comes from. */
export interface Captured {
  readonly capture: Capture;
  readonly store: OpenedStore;
}

/** Reads a capture; undefined, and told, if it cannot be used. */
export async function readCaptured(file: string, flags: DiffFlags, io: Io): Promise<Captured | ExitCode> {
  const { readCapture } = await import('#cli/read-capture.ts');
  const { replayStore } = await import('#store/replay-store.ts');
  const found = await readCapture(file, io);
  if (found.ok) return { capture: found.capture, store: replayStore(found.capture, `capture ${file}`) };
  await reportDiagnostics(found.diagnostics, { io, flags, stdin: found.stdin });
  return EXIT.failed;
}
