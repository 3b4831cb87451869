import type { Diagnostic } from '#core/diagnostic.ts';
import { PIPED_IN } from '#core/object/piped-in.ts';
import { type Manifests, readManifests } from '#source/manifests.ts';
import type { Io } from './io.ts';

/** Only manifests are read from standard input. */
const IN_A_FILE = '> policies.yaml`, and name that file by --policies';

function inAFile(diagnostic: Diagnostic): Diagnostic {
  const { fix } = diagnostic;
  return fix === undefined ? diagnostic : { ...diagnostic, fix: fix.replace(`${PIPED_IN}\``, IN_A_FILE) };
}

/** Policies, bindings and definitions of the user's own, with all that lies beside them. */
export async function readPolicies(paths: readonly string[], io: Io): Promise<Manifests> {
  const read = await readManifests({ paths, recursive: true, cwd: io.cwd });
  return { ...read, diagnostics: read.diagnostics.map(inAFile) };
}
