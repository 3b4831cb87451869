import { JOB } from '#api/resources.ts';
import { readForDrivers } from '#cli/read-for-drivers.ts';
import type { ApplyReport } from '#core/change/applied.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { referentsOf } from '#core/referents.ts';
import type { Instant } from '#core/time/instant.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { Store } from '#store/port.ts';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import { Crash } from '#test/fakes/memory-store.ts';
import { type Deed, doDeed, type Fate, movePods } from './scenario.ts';
import { type World, worldOf } from './world.ts';

const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'managed-jobs': 'manage' },
  retention: {},
};
const DRIVERS = [MANAGED_JOBS];

async function decideOn(store: Store, now: Instant) {
  const types = [JOB, EVENT];
  const observed = new Map(
    await Promise.all(types.map(async (type) => [typeId(type), await store.list(type)] as const)),
  );
  const seen = { observed, referents: referentsOf(observed), settings: SETTINGS, now, drivers: DRIVERS };
  const { besides = [], ...live } = await readForDrivers(store, seen);
  const reconciliation = reconcile({ ...seen, ...live, kinds: [] });
  const input = { observed, besides, kinds: [], settings: SETTINGS, drivers: DRIVERS };
  const problems = checkChangeSet(reconciliation.changeSet, input);
  if (problems.length > 0) throw new Error(problems.map(({ what }) => what).join('; '));
  return reconciliation;
}

/** One tick over the Jobs of a store alone: read, decide, check, apply. */
export async function tickJobs(store: Store, now: Instant): Promise<ApplyReport> {
  return applyChangeSet(store, await decideOn(store, now));
}

/** A process that ends after a write makes no other, even of those that it had started. */
function dyingAfter(store: Store, writes: number): Store {
  let left = writes;
  async function write<T>(run: () => Promise<T>): Promise<T> {
    if (left <= 0) throw new Crash('after the write');
    left -= 1;
    return run();
  }
  return {
    ...store,
    create: (...asked) => write(() => store.create(...asked)),
    applyStatus: (...asked) => write(() => store.applyStatus(...asked)),
    removeFinalizers: (...asked) => write(() => store.removeFinalizers(...asked)),
    delete: (...asked) => write(() => store.delete(...asked)),
  };
}

export async function tickKilled(store: Store, now: Instant, writes: number): Promise<void> {
  try {
    await tickJobs(dyingAfter(store, writes), now);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

const MOST_TICKS = 12;

/** Ticks until one has nothing to write; nothing moves in between. */
export async function settleJobs(store: Store, now: Instant): Promise<void> {
  for (let tick = 0; tick < MOST_TICKS; tick++) {
    const report = await tickJobs(store, now);
    const refused = report.diagnostics.map(({ what }) => what);
    if (refused.length > 0) throw new Error(refused.join('; '));
    if (report.works.length === 0) return;
  }
  throw new Error('it never comes to rest');
}

function ofKind(store: MemoryStore, kind: string): readonly KubeObject[] {
  return store.objects().filter((object) => object.kind === kind);
}

/** Kubelets and people have their minute. */
export function live(store: MemoryStore, fates: readonly Fate[], deed: Deed, now: Instant): void {
  const [job] = ofKind(store, 'Job');
  const pods = ofKind(store, 'Pod');
  if (job === undefined) return;
  const world: World = { ...worldOf({}), job, pods: new Map(pods.map((pod) => [pod.metadata.name, pod])) };
  const moved = doDeed(movePods(world, fates, now), deed, now);
  for (const pod of pods) {
    const after = moved.pods.get(pod.metadata.name);
    if (after === undefined) store.remove(keyOf(pod));
    else if (after !== pod) store.put(after);
  }
  if (moved.job !== job) store.put(moved.job);
}

/** What stands, without what every run of a test makes anew. */
export function standing(store: MemoryStore): readonly unknown[] {
  return store
    .objects()
    .filter(({ kind }) => kind === 'Job' || kind === 'Pod')
    .map((object) => {
      const { annotations, finalizers, deletionTimestamp } = object.metadata;
      const { ['minutehand.dev/owner-uid']: _owner, ...marks } = annotations ?? {};
      return { id: keyId(keyOf(object)), marks, finalizers, deletionTimestamp, status: object.status };
    });
}
