import { observeEvents, observeFirst, observeNeeded } from '#cli/observe-needed.ts';
import type { Reading } from '#cli/tick.ts';
import type { ApplyReport } from '#core/change/applied.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { isOfShard, type Shard } from '#core/shard.ts';
import type { Instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { Store } from '#store/port.ts';
import { CLUSTER_DRIVERS } from '#test/support/cluster-drivers.ts';
import { ALL_TYPES } from '#test/support/cluster-lists.ts';

/** Grace as in the cluster; CronJobs are acted on, as on a control plane without their own controller. */
export const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
};

export interface Tick {
  readonly reconciliation: Reconciliation;
  readonly changeSet: ChangeSet;
  readonly report: ApplyReport;
}

async function observe(store: Store): Promise<ReadonlyMap<string, Listing>> {
  const lists = await Promise.all(
    [...ALL_TYPES, EVENT].map(
      async (type): Promise<[string, Listing]> => [typeId(type), await store.list(type)],
    ),
  );
  return new Map(lists);
}

export interface Read {
  readonly observed: Observed;
  readonly reconciliation: Reconciliation;
}

/** What is decided from what was read, in one of the two ways of reading. */
export async function read(
  store: Store,
  now: Instant,
  settings: Settings,
  reading: Reading,
  shard?: Shard,
): Promise<Read> {
  const isOwn = (object: KubeObject): boolean => isOfShard(object, shard);
  const part = shard === undefined ? {} : { isOwn, isSelected: isOwn };
  const base = { kinds: KINDS, drivers: CLUSTER_DRIVERS, settings, now, ...part };
  if (reading === 'whole') {
    const observed = await observe(store);
    return { observed, reconciliation: reconcile({ ...base, observed }) };
  }
  const first = await observeFirst(store, base, settings);
  const input = { ...base, ...(await observeNeeded(store, { ...base, observed: first })) };
  const decided = reconcile(input);
  const observed = await observeEvents(store, input.observed, decided);
  if (observed === undefined) return { observed: input.observed, reconciliation: decided };
  return { observed, reconciliation: reconcile({ ...input, observed }) };
}

/** The decision alone; a change set that fails its own check is thrown. */
export async function foresee(
  store: Store,
  now: Instant,
  settings = SETTINGS,
  reading: Reading = 'whole',
  shard?: Shard,
): Promise<Reconciliation> {
  const { observed, reconciliation } = await read(store, now, settings, reading, shard);
  const problems = checkChangeSet(reconciliation.changeSet, {
    observed,
    kinds: KINDS,
    drivers: CLUSTER_DRIVERS,
    settings,
  });
  if (problems.length > 0) throw new Error(problems.map(({ what }) => what).join('; '));
  return reconciliation;
}

/** One whole tick, as the process does it: take the store, read, decide, check, write, leave. */
export async function runTick(
  store: Store,
  now: Instant,
  settings = SETTINGS,
  reading: Reading = 'whole',
  shard?: Shard,
): Promise<Tick> {
  const prepared = await store.prepare();
  if (!prepared.ok) throw new Error(prepared.diagnostic.what);
  const reconciliation = await foresee(store, now, settings, reading, shard);
  const report = await applyChangeSet(store, reconciliation);
  await store.close();
  return { reconciliation, changeSet: reconciliation.changeSet, report };
}
