import type { ChangeSet } from '#core/change/change-set.ts';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { referentsOf } from '#core/referents.ts';
import type { Driver } from '#core/run/driver.ts';
import { isOfShard, type Shard, servesOrder } from '#core/shard.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { escapeText } from '#render/escape-text.ts';
import type { Config } from './config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { loadExtension } from './extension.ts';
import type { Input } from './input.ts';
import type { Io, OpenedCluster, OpenedStore, StoreRequest } from './io.ts';
import { observeEvents, observeFirst, observeNeeded, observeTypes } from './observe-needed.ts';
import type { Place } from './place.ts';
import { readForDrivers } from './read-for-drivers.ts';
import {
  type ClusterReach,
  isSelected,
  isSelective,
  type Selection,
  selectSchedules,
  unselected,
} from './select.ts';
import type { Stopwatch } from './telemetry/stopwatch.ts';
import { tellUnanswered } from './unreachable.ts';
import { usageError } from './usage-error.ts';
import { withReasons } from './why-invalid.ts';

/** One decision and what it was made from. */
export interface Tick {
  readonly observed: Observed;
  /** What drivers asked for by labels. */
  readonly besides: readonly KubeObject[];
  readonly settings: Settings;
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
  readonly reconciliation: Reconciliation;
  readonly isSelected: (object: KubeObject) => boolean;
  /** What reading the store gave reason to say. */
  readonly diagnostics: readonly Diagnostic[];
  /** Some list, or some object of the store, could not be read. */
  readonly failedReads: boolean;
  /** Not one list could be read: nothing is known. */
  readonly unreachable: boolean;
  /** Schedules that were read, and not selected. */
  readonly leftOut: readonly ObjectKey[];
}

export function nowOf(flags: { readonly now?: Instant }, io: Io): Instant {
  return flags.now ?? instant(io.clock() / 1000);
}

export interface StoreFlags extends Pick<StoreRequest, 'state' | 'now' | 'prune'> {
  readonly place: Place;
  readonly config: Config;
  readonly reach: ClusterReach;
  readonly dryRun?: boolean;
}

async function open(input: Input, flags: StoreFlags, io: Io): Promise<OpenedCluster> {
  const { place, config, reach, dryRun = false, ...folder } = flags;
  if (place.kind === 'cluster') {
    const { requestTimeoutMs, retryBudgetMs } = config;
    return io.openCluster({
      ...place.flags,
      ...reach,
      timeoutMs: requestTimeoutMs,
      retryBudgetMs,
      dryRun,
      onUnanswered: (server, reason) => tellUnanswered(server, reason, io),
    });
  }
  const { objects: manifests, paths: sources, complete, unusable } = input;
  return { ok: true, store: await io.openStore({ manifests, sources, complete, unusable, ...folder }) };
}

/** Told to end before anything was read or written. */
export function stoppedEarly(io: Io): ExitCode {
  io.stderr.write('Stopped before anything was written.\n');
  return EXIT.failed;
}

/** Opens the store of a tick and closes it whatever happens; a cluster that nothing leads to is told. */
export async function withStore<T>(
  input: Input,
  flags: StoreFlags,
  io: Io,
  use: (store: OpenedStore) => Promise<T>,
): Promise<T | ExitCode> {
  const opened = await open(input, flags, io);
  if (!opened.ok) return opened.stopped ? stoppedEarly(io) : usageError(io, escapeText(opened.message));
  const { store } = opened;
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** `needed`: runs and events are read only where they may matter in this tick (`observeNeeded`). */
export type Reading = 'whole' | 'needed';

export interface TickRequest {
  readonly settings: Settings;
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
  readonly selection: Selection;
  readonly now: Instant;
  readonly reading?: Reading;
  /** Which part of them is acted on; all of it if it is left out. */
  readonly shard?: Shard | undefined;
  readonly watch?: Stopwatch;
  /** What is read besides, for what schedules point to; nothing is decided about it. */
  readonly besides?: readonly ResourceType[];
}

/** What is read before anything is decided; what drivers want comes right behind, and then nothing is read. */
function observe(store: OpenedStore, request: TickRequest): Promise<Observed> {
  const { kinds, drivers, settings, besides = [], reading } = request;
  if (reading === 'needed') return observeFirst(store, { kinds, drivers }, settings, besides);
  const events = settings.events === 'off' ? [] : [EVENT];
  return observeTypes(store, [...typesOf(kinds, drivers), ...besides, ...events]);
}

/** Reads the store and decides. */
export async function decideTick(store: OpenedStore, request: TickRequest): Promise<Tick> {
  const { settings, kinds, drivers, selection, now, reading, shard, watch } = request;
  const all = await observe(store, request);
  const first = selectSchedules(all, kinds, selection);
  const schedules = kinds.flatMap(({ resource }) => {
    const listing = listingOf(first, resource);
    return listing.state === 'read' ? listing.objects : [];
  });
  const extend = await loadExtension(schedules);
  const base = {
    settings,
    now,
    drivers,
    kinds,
    isSelected: (object: KubeObject) => isSelected(object, selection) && servesOrder(object, shard),
    isPartial: isSelective(selection),
    ...(extend === undefined ? {} : { extend }),
    ...(shard === undefined ? {} : { isOwn: (object: KubeObject) => isOfShard(object, shard) }),
  };
  const needed =
    reading === 'needed' ? await observeNeeded(store, { ...base, observed: first }) : { observed: first };
  const seen = { ...base, ...needed, referents: referentsOf(needed.observed) };
  const { besides: found = [], ...forDrivers } = await readForDrivers(store, seen);
  const input = { ...seen, ...forDrivers };
  watch?.lap('read');
  const decided = reconcile(input);
  watch?.lap('decide');
  const told = reading === 'needed' ? await observeEvents(store, input.observed, decided) : undefined;
  watch?.lap('read');
  const observed = told ?? input.observed;
  const reconciliation = told === undefined ? decided : reconcile({ ...input, observed });
  watch?.lap('decide');
  const diagnostics = store.diagnostics();
  const { changeSet } = reconciliation;
  const unreadable =
    changeSet.diagnostics.some(({ code }) => code === 'ListUnreadable') ||
    changeSet.schedules.some(({ verdict }) => verdict.code === 'unreadable') ||
    changeSet.works.some(({ state }) => state === 'unreadable');
  const failedReads = unreadable || diagnostics.some(({ severity }) => severity === 'error');
  const unreachable = [...observed.values()].every(({ state }) => state === 'unreadable');
  return {
    observed,
    besides: found,
    settings,
    kinds,
    drivers,
    reconciliation,
    isSelected: base.isSelected,
    diagnostics,
    failedReads,
    unreachable,
    leftOut: unselected(all, kinds, selection),
  };
}

/** The change set with everything else that was found on the way, in an order that no order of files changes. */
export function wholeChangeSet({ reconciliation, diagnostics }: Tick, input: Input): ChangeSet {
  const { changeSet } = reconciliation;
  const all = [...input.diagnostics, ...diagnostics, ...changeSet.diagnostics];
  return withReasons({ ...changeSet, diagnostics: all.sort(compareDiagnostics) });
}

/** What there is to say where not one list could be read. */
export function unreachableDiagnostics({ reconciliation, diagnostics }: Tick): readonly Diagnostic[] {
  return [...diagnostics, ...reconciliation.changeSet.diagnostics];
}
