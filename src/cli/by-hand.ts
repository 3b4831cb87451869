import type { ExitCode } from './exit-code.ts';
import type { DryRunFlags } from './flags.ts';
import { hasInput } from './input.ts';
import type { Io } from './io.ts';
import type { Shown } from './look.ts';
import { STATE_FOLDER } from './state-folder.ts';
import { failure } from './usage-error.ts';

/** What says where a write by hand goes. */
interface PlaceFlags extends DryRunFlags {
  readonly filename?: readonly string[];
  readonly recursive: boolean;
  readonly state?: string;
}

export type ByHand<F extends PlaceFlags> =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      /** The state folder, where there is one. */
      readonly state: string | undefined;
      readonly request: {
        readonly flags: F & { readonly state?: string; readonly 'all-namespaces': false };
        readonly io: Io;
        readonly dryRun: boolean;
      };
    };

/**
 * Where a verb writes that somebody calls by hand: what is made has to be stored somewhere, as with `reconcile`, and a
 * dry run looks where the real one would.
 */
export function writtenByHand<F extends PlaceFlags>(flags: F, io: Io): ByHand<F> {
  const isLocal = hasInput(flags);
  const dryRun = flags['dry-run'] === 'server';
  if (isLocal && dryRun)
    return {
      ok: false,
      message: '--dry-run=server asks the API server of a cluster, and -f reads manifests',
    };
  const state = isLocal ? (flags.state ?? STATE_FOLDER) : flags.state;
  const told = { ...flags, ...(state === undefined ? {} : { state }), 'all-namespaces': false as const };
  return { ok: true, state, request: { flags: told, io, dryRun } };
}

/** Tells why nothing more is done; the text is already safe to print. */
export function refused(io: Io, message: string, code: ExitCode): Shown {
  return { code: failure(io, message, code), diagnostics: [] };
}
