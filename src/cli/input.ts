import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { KINDS } from '#kinds/index.ts';
import { readManifests } from '#source/manifests.ts';
import type { InputFlags } from './flags.ts';
import type { Io } from './io.ts';
import { obsoleteVersion } from './obsolete-version.ts';

/** What the manifests hold, after objects that no server would take were set aside. */
export interface Input {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Nothing is missing: an object that is not here does not exist. */
  readonly complete: boolean;
  /** Some file or document could not be read; an object that is merely invalid is another matter. */
  readonly failedReads: boolean;
  /** Standard input as it was read, for places that point into it. */
  readonly stdin: Uint8Array | undefined;
}

/** Faults of one object in a document that was read. */
const OBJECT_FAULTS: ReadonlySet<DiagnosticCode> = new Set([
  'InvalidMetadata',
  'DuplicateObject',
  'ImpreciseNumber',
]);

function isObjectFault({ code }: Diagnostic): boolean {
  return OBJECT_FAULTS.has(code);
}

export function hasInput({ filename }: InputFlags): boolean {
  return filename !== undefined && filename.length > 0;
}

export function knownTypes(): readonly ResourceType[] {
  return KINDS.flatMap(({ resource, run }) => [resource, run]);
}

export async function readInput(flags: InputFlags, io: Io): Promise<Input> {
  let stdin: Uint8Array | undefined;
  const read = await readManifests({
    paths: flags.filename ?? [],
    recursive: flags.recursive,
    cwd: io.cwd,
    stdin: async () => {
      stdin = await io.readStdin();
      return stdin;
    },
  });
  const types = knownTypes();
  const objects: SourcedObject[] = [];
  const obsolete: Diagnostic[] = [];
  for (const source of read.objects) {
    const diagnostic = obsoleteVersion(source, types);
    if (diagnostic === undefined) objects.push(source);
    else obsolete.push(diagnostic);
  }
  return {
    objects,
    diagnostics: [...read.diagnostics, ...obsolete],
    // What was set aside is no object that Git gave up.
    complete: read.complete && obsolete.length === 0,
    failedReads: read.diagnostics.some((one) => one.severity === 'error' && !isObjectFault(one)),
    stdin,
  };
}
