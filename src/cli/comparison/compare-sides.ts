import type { DiffFlags } from '#cli/command/diff.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { NO_INPUT } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import { withObsoleteAsErrors } from '#cli/obsolete-version.ts';
import type { OpenedCapture } from '#cli/read-capture.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { selectionOf } from '#cli/select.ts';
import { readSettings } from '#cli/settings.ts';
import { noteUnusedState } from '#cli/state-folder.ts';
import { nowOf, type Tick } from '#cli/tick.ts';
import { usageError } from '#cli/usage-error.ts';
import { type Assumed, assumeSettled } from '#core/comparison/assume-settled.ts';
import { compare } from '#core/comparison/compare.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { instant } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { escapeText } from '#render/escape-text.ts';
import { withAbsentPaths } from './absent-paths.ts';
import { comparedSide } from './compared-side.ts';
import { type DiffRequest, decide, observeStore, readLive } from './decide-side.ts';
import { withFaults } from './faults.ts';
import { noteNothing } from './note-nothing.ts';
import { withRulesBroken } from './rules-broken.ts';
import { sameMeaning } from './same-meaning.ts';
import { nameOf, readSide, readSources, revisionOf, type SideSource } from './side.ts';
import type { SideInput } from './side-input.ts';
import { basisOf, originOf, type Statuses, statusesOf } from './statuses.ts';
import { touchedBy } from './touched.ts';
import { missingState, tellUnread } from './unread-store.ts';
import { idOf, keysOf, liveObjects, placed, withAssumed, worldOf } from './world.ts';

export type ComparedSides =
  | { readonly ok: false; readonly code: ExitCode }
  | {
      readonly ok: true;
      readonly comparison: Comparison;
      /** Faults of reading, which belong to no object. */
      readonly diagnostics: readonly Diagnostic[];
      readonly failedReads: boolean;
      readonly stdin: Uint8Array | undefined;
      /** Of the head. */
      readonly objects: readonly SourcedObject[];
      readonly baseObjects: readonly SourcedObject[];
      /** The head was built: no line of it stands in a file. */
      readonly isBuilt: boolean;
      readonly headRevision: string | undefined;
      readonly baseRevision: string | undefined;
    };

type Compared = Extract<ComparedSides, { readonly ok: true }>;

/** Of files that stand in it as they were read; what was built stands in none. */
function fileRevisionOf(source: SideSource): string | undefined {
  return source.kind === 'revision' ? source.revision : undefined;
}

const WEEK = 7 * 86_400;

function usage(io: Io, message: string): ComparedSides {
  return { ok: false, code: usageError(io, escapeText(message)) };
}

type DecidedSides = readonly [ComparedSide, ComparedSide, readonly [Tick, Tick]];

/** Both sides as their manifests and the state folder, if there is one, say. */
async function overManifests(
  base: SideInput,
  head: SideInput,
  request: DiffRequest,
  assumed: ReadonlyMap<string, Assumed> = new Map(),
): Promise<DecidedSides> {
  const sideOf = async (side: SideInput): Promise<[ComparedSide, Tick]> => {
    const { input } = side;
    const decided = await decide(withAssumed(input.objects, assumed), input, undefined, request);
    const sides = { side, other: side === base ? head : base };
    return [comparedSide(sides, decided, input.objects, request), decided];
  };
  const [old, before] = await sideOf(base);
  const [fresh, after] = await sideOf(head);
  return [old, fresh, [before, after]];
}

/** Without any status: what both sides hold is taken to have run. */
async function withoutStatuses(
  base: SideInput,
  head: SideInput,
  request: DiffRequest,
): Promise<DecidedSides> {
  const tick = await decide(base.input.objects, base.input, undefined, request);
  return overManifests(base, head, request, assumeSettled(tick.reconciliation));
}

/** Both sides over what lives. What neither declares stays as it is on both. */
async function overLive(
  base: SideInput,
  head: SideInput,
  observed: Observed,
  request: DiffRequest,
): Promise<DecidedSides> {
  const live = liveObjects(observed);
  const { kinds } = request.read;
  const schedules = new Set(kinds.map(({ resource }) => typeId(resource)));
  const isSchedule = ({ object }: SourcedObject): boolean => schedules.has(typeId(keyOf(object)));
  const [inBase, inHead] = [keysOf(base.input.objects), keysOf(head.input.objects)];
  const isCluster = base.source.kind === 'cluster';
  const meeting = isCluster ? 'applied' : 'declared';
  const isGone = (source: SourcedObject): boolean =>
    isCluster ? request.flags.prune && isSchedule(source) : inBase.has(idOf(source));
  const worlds = {
    base: isCluster
      ? [...live.values()]
      : worldOf({
          declared: base.input.objects,
          live,
          meeting,
          isKept: (source) => !inHead.has(idOf(source)),
        }),
    head: worldOf({ declared: head.input.objects, live, meeting, isKept: (source) => !isGone(source) }),
  };
  const before = await decide(worlds.base, base.input, observed, request);
  const after = await decide(worlds.head, head.input, observed, request);
  const isCompared = (source: SourcedObject): boolean => inHead.has(idOf(source)) || isGone(source);
  const old = isCluster ? worlds.base.filter(isCompared) : base.input.objects;
  const fresh = isCluster ? worlds.head.filter(isCompared) : head.input.objects;
  return [
    comparedSide({ side: base, other: head }, before, old, request),
    comparedSide({ side: head, other: base }, after, fresh, request),
    [before, after],
  ];
}

function undecided(code: ExitCode, { base }: DiffFlags, io: Io): ComparedSides {
  if (base === undefined)
    io.stderr.write('note: the base is the cluster unless --base names git:REVISION or PATH\n');
  return { ok: false, code };
}

/** Reads both sides, decides them, and holds them against one another. */
export async function compareSides(flags: DiffFlags, io: Io): Promise<ComparedSides> {
  const sources = readSources(flags);
  if (!sources.ok) return usage(io, sources.message);
  const statuses = statusesOf(flags, sources.base);
  if ('problem' in statuses) return usage(io, statuses.problem);
  const missing = await missingState(flags.state, io);
  if (missing !== undefined) return usage(io, missing);
  if (statuses.from === 'none') await noteUnusedState(undefined, io);
  const captured =
    statuses.from === 'capture'
      ? await (await import('#cli/read-capture.ts')).openCapture(statuses.file, flags, io)
      : undefined;
  if (typeof captured === 'number') return { ok: false, code: captured };
  const origin = captured?.capture.origin ?? originOf(statuses);
  const read = await readSettings(flags, origin, io);
  if (read === undefined) return { ok: false, code: EXIT.usage };
  // What ran since a capture was made is not in it, and would look missed.
  const now = flags.now ?? captured?.capture.now ?? nowOf(flags, io);
  const request: DiffRequest = { flags, io, read, now };
  const types = typesOf(read.kinds, read.drivers);
  const inputOf = async (source: SideSource, mayBeAbsent: boolean): Promise<SideInput> => {
    const asked = { io, users: read, state: flags.state, mayBeAbsent };
    const input = source.kind === 'cluster' ? NO_INPUT : await readSide(source, asked);
    const diagnostics = withObsoleteAsErrors(input.diagnostics);
    return { source, input: placed({ ...input, diagnostics }, types) };
  };
  const readBase = await inputOf(sources.base, false);
  const areSamePaths = flags.head === undefined && revisionOf(sources.base) !== undefined;
  const readHead = await inputOf(sources.head, areSamePaths);
  const [base, head] = withAbsentPaths(readBase, readHead);
  const unread = [base, head].filter((side) => isUnread(side));
  if (unread.length > 0) return failed(unread, flags, io);
  const found = await decideReadSides(base, head, { statuses, captured }, request);
  if (typeof found === 'number') return undecided(found, flags, io);
  const [decidedBase, decidedHead, decided] = found;
  const selection = selectionOf(flags, read.config);
  noteNothing(selection, decided, io);
  const touched = touchedBy(decidedBase, decidedHead, selection);
  const checked = await withFaults([decidedBase, decidedHead], decided, touched, request);
  const [before, after, policyFaults] = await withRulesBroken(...checked, touched, {
    policies: flags.policies ?? [],
    types,
    io,
  });
  const window = { now, until: instant(now + (flags.window ?? WEEK)) };
  const basis =
    statuses.from === 'none'
      ? basisOf([...base.input.objects, ...head.input.objects], decided, read.kinds)
      : 'recorded';
  const comparison = compare({
    base: before,
    head: after,
    kinds: read.kinds,
    types: types.filter((type) => type.group !== EVENT.group),
    window,
    basis,
    sameMeaning,
  });
  return {
    ...concluded(comparison, [base, head], decided, policyFaults),
    objects: head.input.objects,
    baseObjects: base.input.objects,
    isBuilt: head.source.kind === 'kustomization',
    headRevision: fileRevisionOf(head.source),
    baseRevision: fileRevisionOf(base.source),
  };
}

/** Nothing at all came of it: compared with that, everything would look new, or gone. */
function isUnread({ source, input }: SideInput): boolean {
  return source.kind !== 'cluster' && input.failedReads && input.objects.length === 0;
}

function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.code} ${one.what}`, one])).values()];
}

async function failed(sides: readonly SideInput[], flags: DiffFlags, io: Io): Promise<ComparedSides> {
  const diagnostics = distinct(sides.flatMap(({ input }) => input.diagnostics));
  await reportDiagnostics(diagnostics, { io, flags, stdin: sides[0]?.input.stdin });
  for (const [flag, word] of Object.entries({ base: flags.base, head: flags.head })) {
    const isPath = word?.startsWith('git:') === false && sides.some(({ source }) => nameOf(source) === word);
    if (isPath) io.stderr.write(`note: a Git revision is written --${flag} git:${escapeText(word)}\n`);
  }
  return { ok: false, code: EXIT.failed };
}

async function decideSides(
  base: SideInput,
  head: SideInput,
  { statuses, captured }: { readonly statuses: Statuses; readonly captured: OpenedCapture | undefined },
  request: DiffRequest,
): Promise<DecidedSides | ExitCode> {
  switch (statuses.from) {
    case 'none':
      return withoutStatuses(base, head, request);
    case 'state':
      return overManifests(base, head, request);
    case 'capture':
    case 'cluster': {
      const live =
        captured === undefined ? await readLive(request) : await observeStore(captured.store, request);
      return typeof live === 'number' ? live : overLive(base, head, live, request);
    }
  }
}

async function decideReadSides(...asked: Parameters<typeof decideSides>): ReturnType<typeof decideSides> {
  const found = await decideSides(...asked);
  if (typeof found === 'number') return found;
  return (await tellUnread(found[2], asked[3])) ?? found;
}

/** Faults of reading are told beside the report; one that both sides have, once. */
function concluded(
  comparison: Comparison,
  inputs: readonly SideInput[],
  decided: readonly Tick[],
  policyFaults: readonly Diagnostic[],
): Pick<Compared, 'ok' | 'comparison' | 'diagnostics' | 'failedReads' | 'stdin'> {
  const loose = [
    ...policyFaults,
    ...inputs.flatMap(({ input }) => input.diagnostics),
    ...decided.flatMap(({ diagnostics, reconciliation }) => [
      ...diagnostics,
      ...reconciliation.changeSet.diagnostics,
    ]),
  ].filter(({ object, severity }) => object === undefined && severity !== 'note');
  const failedReads =
    inputs.some(({ input }) => input.failedReads) || decided.some((tick) => tick.failedReads);
  return {
    ok: true,
    comparison,
    diagnostics: distinct(loose).toSorted(compareDiagnostics),
    failedReads,
    stdin: inputs.find(({ input }) => input.stdin !== undefined)?.input.stdin,
  };
}
