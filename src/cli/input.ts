import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { groupOf, isOfType, type ResourceType } from '#core/object/resource.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import type { Driver } from '#core/run/driver.ts';
import { typesOf } from '#core/types-of.ts';
import { type Manifests, readManifests } from '#source/manifests.ts';
import type { InputFlags } from './flags.ts';
import type { Io } from './io.ts';
import { obsoleteVersion } from './obsolete-version.ts';
import { typeMeant, unknownKind } from './unknown-kind.ts';

/** What the manifests hold, after objects that no server would take were set aside. */
export interface Input {
  /** The files and folders that were named, without standard input. */
  readonly paths: readonly string[];
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** What is spelled out and cannot be used: it may exist. */
  readonly unusable: readonly UnusableObject[];
  /** Nothing is missing: an object that is not here does not exist. */
  readonly complete: boolean;
  /** Some file, document, schedule or run could not be read; one with an invalid spec is another matter. */
  readonly failedReads: boolean;
  /** Standard input as it was read, for places that point into it. */
  readonly stdin: Uint8Array | undefined;
  /** Paths that were named and lead nowhere, where that is no fault by itself. */
  readonly absent: readonly string[];
}

/** What a cluster holds is not spelled out in manifests. */
export const NO_INPUT: Input = {
  paths: [],
  objects: [],
  diagnostics: [],
  unusable: [],
  complete: true,
  failedReads: false,
  stdin: undefined,
  absent: [],
};

/** Whose objects are looked for. */
export interface InputUsers {
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
}

/** Faults of one object in a document that was read: what is lost by them is told by the object. */
const OBJECT_FAULTS: ReadonlySet<DiagnosticCode> = new Set([
  'InvalidMetadata',
  'DuplicateObject',
  'ImpreciseNumber',
]);

function isKnown(types: readonly ResourceType[], group: string, kind: string): boolean {
  return types.some((type) => type.group === group && type.kind === kind);
}

/** A schedule or run that is spelled out and cannot be used is lacked by a decision as if it could not be read. */
function isFailed({ diagnostics, unusable }: Manifests, types: readonly ResourceType[]): boolean {
  return (
    diagnostics.some(({ severity, code }) => severity === 'error' && !OBJECT_FAULTS.has(code)) ||
    unusable.some(({ key }) => isKnown(types, key.group, key.kind))
  );
}

/** An object that was probably meant to be of a known type: it may be a run, so it is not taken for absent. */
function setAside(source: SourcedObject, types: readonly ResourceType[]): UnusableObject[] {
  const { apiVersion, kind } = source.object;
  const type = typeMeant(kind, groupOf(apiVersion), types);
  if (type === undefined || isOfType(source.object, type)) return [];
  const place = source.placeOf?.(['apiVersion']);
  const key = { ...keyOf(source.object), group: type.group, kind: type.kind };
  return [{ key, namespaceTold: true, ...(place === undefined ? {} : { place }) }];
}

/** A run that was set aside may hold back its schedule for ever: that must not look like success. */
function isRun({ key }: UnusableObject, { kinds, drivers }: InputUsers): boolean {
  const runs = [...kinds.map(({ run }) => run), ...drivers.flatMap(({ creates }) => creates)];
  return runs.some((run) => run.group === key.group && run.kind === key.kind);
}

export function hasInput({ filename }: InputFlags): boolean {
  return filename !== undefined && filename.length > 0;
}

/** A known kind in a version that is not the served one: set aside, since an object is known without its version. */
function isOtherVersion({ object }: SourcedObject, types: readonly ResourceType[]): boolean {
  const { apiVersion, kind } = object;
  return isKnown(types, groupOf(apiVersion), kind) && !types.some((type) => isOfType(object, type));
}

/**
 * @param users kinds and drivers that are not off: of others no slip is told, and nothing is missed
 * @param state the state folder of the tick, if it has one: it may lie in a folder that is read
 */
export async function readInput(
  flags: InputFlags & { readonly mayBeAbsent?: boolean },
  io: Io,
  users: InputUsers,
  state?: string,
): Promise<Input> {
  let stdin: Uint8Array | undefined;
  const paths = flags.filename ?? [];
  const read = await readManifests({
    paths,
    ...(state === undefined ? {} : { state }),
    recursive: flags.recursive,
    mayBeAbsent: flags.mayBeAbsent === true,
    cwd: io.cwd,
    stdin: async () => {
      stdin = await io.readStdin();
      return stdin;
    },
  });
  return { ...inputOf(read, users), paths: paths.filter((path) => path !== '-'), stdin };
}

/** What manifests hold that were read, wherever they stand. */
export function inputOf(read: Manifests, { kinds, drivers }: InputUsers): Input {
  const types = typesOf(kinds, drivers);
  const misnamed = read.objects.flatMap(
    (source) => obsoleteVersion(source, types) ?? unknownKind(source, types) ?? [],
  );
  const aside = read.objects.flatMap((source) => setAside(source, types));
  return {
    paths: [],
    objects: read.objects.filter((source) => !isOtherVersion(source, types)),
    unusable: [...read.unusable, ...aside],
    diagnostics: [...read.diagnostics, ...misnamed],
    // What is only misnamed is no object that Git gave up.
    complete: read.complete && misnamed.length === 0,
    failedReads: isFailed(read, types) || aside.some((one) => isRun(one, { kinds, drivers })),
    stdin: undefined,
    absent: read.absent,
  };
}
