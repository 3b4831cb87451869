import { readForDrivers } from '#cli/read-for-drivers.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { referentsOf } from '#core/referents.ts';
import { isOfShard, servesOrder } from '#core/shard.ts';
import type { Instant } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { KINDS } from '#kinds/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import { SETTINGS } from './both-ways.ts';

export const MANAGING: Settings = {
  ...SETTINGS,
  writers: { 'cron-job': 'manage', 'managed-jobs': 'manage' },
};

const DRIVERS = [MANAGED_JOBS];
const TYPES = typesOf(KINDS, DRIVERS).filter(({ kind }) => kind !== EVENT.kind);

/** What is done for Jobs that their schedules delete in the same tick. */
function servedInVain({ changeSet }: Reconciliation): readonly string[] {
  const deletes = changeSet.schedules.flatMap(({ changes }) =>
    changes.filter(({ verb }) => verb === 'delete'),
  );
  const deleted = new Set(deletes.flatMap((change) => ('key' in change ? [keyId(change.key)] : [])));
  return changeSet.works.filter(({ key }) => deleted.has(keyId(key))).map(({ key }) => keyId(key));
}

/**
 * One tick over schedules and Jobs, all of which goes through: anything else is an error.
 * @param shards so many processes decide from the same lists, and then write
 */
export async function tickAll(store: MemoryStore, now: Instant, shards = 1): Promise<void> {
  const observed = new Map(
    await Promise.all(TYPES.map(async (type) => [typeId(type), await store.list(type)] as const)),
  );
  const base = { observed, referents: referentsOf(observed), settings: MANAGING, now, drivers: DRIVERS };
  const faults: string[] = [];
  const decided: Reconciliation[] = [];
  for (let index = 0; index < shards; index++) {
    const shard = { index, count: shards };
    const isSelected = (object: KubeObject): boolean => servesOrder(object, shard);
    const isOwn = (object: KubeObject): boolean => isOfShard(object, shard);
    const seen = { ...base, isSelected, isOwn };
    const { besides = [], ...live } = await readForDrivers(store, seen);
    const reconciliation = reconcile({ ...seen, ...live, kinds: KINDS });
    const input = { observed, besides, kinds: KINDS, settings: MANAGING, drivers: DRIVERS };
    faults.push(...checkChangeSet(reconciliation.changeSet, input).map(({ what }) => what));
    decided.push(reconciliation);
  }
  for (const reconciliation of decided) {
    const { diagnostics } = await applyChangeSet(store, reconciliation);
    faults.push(...servedInVain(reconciliation), ...diagnostics.map(({ what }) => what));
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
}
