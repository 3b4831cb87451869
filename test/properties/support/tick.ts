import { type Tick as DecidedTick, decideTick, type Reading } from '#cli/tick.ts';
import type { ApplyReport } from '#core/change/applied.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Shard } from '#core/shard.ts';
import type { Instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { Store } from '#store/port.ts';
import { CLUSTER_DRIVERS } from '#test/support/cluster-drivers.ts';

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

/** What is decided from what was read, in one of the two ways of reading. */
export async function read(
  store: Store,
  now: Instant,
  settings: Settings,
  reading: Reading,
  shard?: Shard,
): Promise<DecidedTick> {
  const opened = { ...store, diagnostics: () => [] };
  const request = { settings, kinds: KINDS, drivers: CLUSTER_DRIVERS, selection: {}, now, reading };
  return decideTick(opened, { ...request, shard });
}

/** The decision alone; a change set that fails its own check is thrown. */
export async function foresee(
  store: Store,
  now: Instant,
  settings = SETTINGS,
  reading: Reading = 'whole',
  shard?: Shard,
): Promise<Reconciliation> {
  const tick = await read(store, now, settings, reading, shard);
  const { changeSet } = tick.reconciliation;
  const problems = checkChangeSet(changeSet, tick);
  if (problems.length > 0) throw new Error(problems.map(({ what }) => what).join('; '));
  return tick.reconciliation;
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
