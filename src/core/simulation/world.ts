import type { Change, CreateChange } from '#core/change/change.ts';
import type { ReconcileInput } from '#core/draft.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { Json, KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { gapIn, type Listing, listingOf, type Observed, typeId } from '#core/observed.ts';
import { type Referents, referentsOf } from '#core/referents.ts';
import type { RunEnd } from '#core/run/lifecycle.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { type LiveRuns, liveRuns } from './live-runs.ts';

/** A run before or behind a change of it. */
export interface RunChange {
  /** `typeId` of the run. */
  readonly type: string;
  readonly keys: readonly string[];
}

/** What a cluster would hold of schedules and runs. Every write goes through, and a delete takes effect at once. */
export interface World {
  /** What a tick over these schedules reads; all of them if it is left out. */
  readonly read: (
    ids?: ReadonlySet<string>,
  ) => Pick<ReconcileInput, 'observed' | 'kinds' | 'indexes' | 'referents'>;
  readonly run: (type: string, id: string) => KubeObject | undefined;
  readonly runs: (type: string) => Iterable<KubeObject>;
  /** The run as the API hands it back, before anybody has taken it up. */
  readonly create: (change: CreateChange, at: Instant) => KubeObject;
  /** Any change but a create; what it did to runs. */
  readonly apply: (change: Exclude<Change, CreateChange>) => readonly RunChange[];
  readonly begin: (run: KubeObject, type: string, at: Instant) => readonly RunChange[];
  /** Writes the run anew; without an `after` it is gone. */
  readonly replace: (type: string, before: KubeObject, after: KubeObject | undefined) => readonly RunChange[];
  readonly end: (run: KubeObject, type: string, at: Instant, end: RunEnd) => readonly RunChange[];
  /** Takes a run away that nothing looks at any more. */
  readonly forget: (run: KubeObject, type: string) => void;
}

interface KeptSchedule {
  readonly kind: ScheduleKind;
  source: SourcedObject;
}

/** Nobody else writes the status of a simulated schedule, and its uid is as good as any. */
function simulated({ provisional: _provisional, ...source }: SourcedObject): SourcedObject {
  const { managedFields: _managedFields, ...metadata } = source.object.metadata;
  return { ...source, object: { ...source.object, metadata } };
}

function keptSchedules(
  observed: Observed,
  kinds: readonly ScheduleKind[],
): ReadonlyMap<string, KeptSchedule> {
  const schedules = new Map<string, KeptSchedule>();
  for (const kind of kinds) {
    const listing = listingOf(observed, kind.resource);
    if (listing.state !== 'read') continue;
    for (const source of listing.objects) {
      schedules.set(keyId(keyOf(source.object)), { kind, source: simulated(source) });
    }
  }
  return schedules;
}

/** By `typeId` of the run, as `indexAll` of a tick does it: of several kinds the first says how its runs are found. */
export function kindsByRun(kinds: readonly ScheduleKind[]): ReadonlyMap<string, ScheduleKind> {
  return new Map(kinds.toReversed().map((kind) => [typeId(kind.run), kind]));
}

/** No schedule looks for them. */
function noKeys(): readonly string[] {
  return [];
}

function liveTypes(
  observed: Observed,
  kinds: ReadonlyMap<string, ScheduleKind>,
  others: readonly ResourceType[],
): ReadonlyMap<string, LiveRuns> {
  const types = new Map<string, LiveRuns>();
  for (const resource of [...[...kinds.values()].map(({ run }) => run), ...others]) {
    const type = typeId(resource);
    const listing = listingOf(observed, resource);
    if (listing.state !== 'read' || types.has(type)) continue;
    const runs = liveRuns(kinds.get(type)?.runKeys ?? noKeys, (namespace) => gapIn(listing, namespace));
    for (const { object } of listing.objects) runs.put(object);
    types.set(type, runs);
  }
  return types;
}

const EMPTY: readonly never[] = [];

/** The index answers for the runs. */
function withoutObjects(listing: Listing): Listing {
  return listing.state === 'read' ? { ...listing, objects: EMPTY, unreadable: EMPTY } : listing;
}

/** @param others types beside the runs of schedules whose objects come and go, too */
export function openWorld(
  observed: Observed,
  kinds: readonly ScheduleKind[],
  others: readonly ResourceType[] = [],
): World {
  const schedules = keptSchedules(observed, kinds);
  const runKinds = kindsByRun(kinds);
  const runTypes = liveTypes(observed, runKinds, others);
  const indexes = new Map([...runTypes].map(([type, { index }]) => [type, index]));
  const referents: Referents = referentsOf(observed);
  let version = 0;
  let born = 0;

  function versioned(object: KubeObject): KubeObject {
    version += 1;
    const resourceVersion = `simulated-${version}`;
    return { ...object, metadata: { ...object.metadata, resourceVersion } };
  }

  function runChange(type: string, run: KubeObject): RunChange {
    return { type, keys: runKinds.get(type)?.runKeys(run) ?? [] };
  }

  function replace(type: string, before: KubeObject, after: KubeObject | undefined): readonly RunChange[] {
    const runs = runTypes.get(type);
    if (after === undefined) {
      runs?.remove(before);
      return [runChange(type, before)];
    }
    const written = versioned(after);
    runs?.put(written);
    return [runChange(type, before), runChange(type, written)];
  }

  function read(ids?: ReadonlySet<string>): ReturnType<World['read']> {
    const wanted = ids === undefined ? [...schedules] : [...ids].flatMap((id) => entryOf(id));
    const byKind = new Map<ScheduleKind, SourcedObject[]>();
    for (const [, { kind, source }] of wanted) {
      const siblings = byKind.get(kind);
      if (siblings === undefined) byKind.set(kind, [source]);
      else siblings.push(source);
    }
    const seen = new Map<string, Listing>();
    for (const [kind, objects] of byKind) {
      const listing = listingOf(observed, kind.resource);
      const unreadable = ids === undefined && listing.state === 'read' ? (listing.unreadable ?? []) : EMPTY;
      seen.set(typeId(kind.run), withoutObjects(listingOf(observed, kind.run)));
      seen.set(typeId(kind.resource), { state: 'read', objects, unreadable });
    }
    return { observed: seen, kinds: kinds.filter((kind) => byKind.has(kind)), indexes, referents };
  }

  function entryOf(id: string): readonly [string, KeptSchedule][] {
    const kept = schedules.get(id);
    return kept === undefined ? [] : [[id, kept]];
  }

  function applyStatus(id: string, fields: Json, owned: readonly string[]): void {
    const schedule = schedules.get(id);
    if (schedule === undefined || !isObject(fields)) return;
    const { status } = schedule.source.object;
    const kept = Object.entries(isObject(status) ? status : {}).filter(([field]) => !owned.includes(field));
    const object = { ...schedule.source.object, status: { ...Object.fromEntries(kept), ...fields } };
    schedule.source = { ...schedule.source, object: versioned(object) };
  }

  function annotated(run: KubeObject, changes: Readonly<Record<string, string | null>>): KubeObject {
    const annotations = { ...run.metadata.annotations, ...changes };
    const kept = Object.entries(annotations).filter((entry): entry is [string, string] => entry[1] !== null);
    return { ...run, metadata: { ...run.metadata, annotations: Object.fromEntries(kept) } };
  }

  return {
    read,
    run: (type, id) => runTypes.get(type)?.find(id),
    runs: (type) => runTypes.get(type)?.all() ?? [],
    create({ object, type }, at) {
      born += 1;
      const metadata = {
        ...object.metadata,
        uid: `simulated-run-${born}`,
        creationTimestamp: formatInstant(at),
        generation: 1,
      };
      const created = versioned({ ...object, metadata });
      runTypes.get(typeId(type))?.put(created);
      return created;
    },
    apply(change) {
      const id = keyId(change.key);
      switch (change.verb) {
        case 'apply':
          applyStatus(id, change.fields, schedules.get(id)?.kind.rules.statusFields ?? []);
          return [];
        case 'event':
          return [];
        case 'annotate':
        case 'delete': {
          const type = typeId(change.type);
          const run = runTypes.get(type)?.find(id);
          if (run === undefined || run.metadata.uid !== change.precondition.uid) return [];
          return replace(
            type,
            run,
            change.verb === 'delete' ? undefined : annotated(run, change.annotations),
          );
        }
      }
    },
    begin: (run, type, at) => replace(type, run, runKinds.get(type)?.lifecycle.begun(run, at) ?? run),
    replace,
    end: (run, type, at, end) => {
      // One that is being deleted is gone once it has stopped.
      if (run.metadata.deletionTimestamp !== undefined) return replace(type, run, undefined);
      return replace(type, run, runKinds.get(type)?.lifecycle.ended(run, at, end) ?? run);
    },
    forget: (run, type) => runTypes.get(type)?.remove(run),
  };
}
