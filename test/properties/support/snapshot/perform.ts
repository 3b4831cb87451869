import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import {
  type Cluster,
  dropClaim,
  dropPolicy,
  dropRepository,
  editSchedule,
  isSnapshot,
  objectNamed,
  recreateSchedule,
  setClaim,
  setPolicy,
  setRepository,
} from './cluster.ts';
import { runObject } from './objects.ts';
import { deleteRun, FINALIZER, move, setFinalizers, vanish } from './operator.ts';
import { nextSlot, slotsIn } from './owing.ts';
import { planOf, type Wanted } from './plan.ts';
import { whenOf } from './resolve.ts';
import { isTerminating, isUnfinished, ownerOf } from './scene.ts';
import type { Act } from './step.ts';

type RunAct = Act & { readonly run: number };
type SlotAct = Act & { readonly act: 'squat' | 'upstreamRun' };

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

function snapshots({ store }: Cluster): readonly KubeObject[] {
  return store.objects().filter(isSnapshot);
}

/** Nobody takes the end of a run back, and one that is stopped goes no further. */
function isAtWork(run: KubeObject): boolean {
  return isUnfinished(run) && !isTerminating(run);
}

function actOnRun(cluster: Cluster, { act }: RunAct, run: KubeObject): void {
  switch (act) {
    case 'deleteRun':
      deleteRun(cluster, run);
      break;
    case 'succeedRun':
      if (isAtWork(run)) move(cluster, run, 'succeeded');
      break;
    case 'failRun':
      if (isAtWork(run)) move(cluster, run, 'failed');
      break;
    case 'failRunWithSnapshot':
      if (isAtWork(run)) move(cluster, run, 'committed');
      break;
    case 'oddRun':
      if (isAtWork(run)) move(cluster, run, 'odd');
      break;
    case 'parkRun':
      if (isAtWork(run)) move(cluster, run, 'parked');
      break;
    case 'holdRun':
      setFinalizers(cluster, run, [FINALIZER]);
      break;
    case 'releaseRun':
      if (isTerminating(run)) vanish(cluster, run);
      else setFinalizers(cluster, run, []);
      break;
    case 'pinRun':
      cluster.store.edit(keyOf(run), (old) => ({
        ...old,
        spec: { ...(typeof old.spec === 'object' && !Array.isArray(old.spec) ? old.spec : {}), pin: true },
      }));
      break;
  }
}

function addRun(
  cluster: Cluster,
  name: string,
  policy: string,
  more: {
    readonly schedule?: string;
    readonly owner?: string;
    readonly controller?: string;
    readonly phase?: string;
    readonly wanted?: Wanted;
  },
): void {
  if (objectNamed(cluster, 'Snapshot', name) !== undefined) return;
  cluster.born += 1;
  const { schedule, owner, controller, phase, wanted } = more;
  cluster.store.put(
    runObject({
      name,
      policy,
      uid: `uid-outside-${cluster.born}`,
      created: cluster.now,
      ...(schedule === undefined ? {} : { schedule }),
      ...(owner === undefined ? {} : { owner }),
      ...(controller === undefined ? {} : { controller }),
      ...(wanted === undefined ? {} : { wanted }),
      ...(phase === undefined ? {} : { status: { phase } }),
    }),
  );
}

/** Somebody is faster, or was there long before: a stranger, or the operator's own controller of schedules. */
function squat(cluster: Cluster, { act, schedule, target, coming }: SlotAct): void {
  const uid = pick([...cluster.timetables.keys()], schedule);
  const object = cluster.store.objects().find(({ metadata }) => metadata.uid === uid);
  const timetable = cluster.timetables.get(uid ?? '');
  if (uid === undefined || object === undefined || timetable === undefined) return;
  const { now } = cluster;
  const scene = {
    uid,
    timetable,
    authors: cluster,
    schedule: object,
    runs: [],
    claimed: new Set<string>(),
    now,
  };
  const when = whenOf(scene);
  const before = slotsIn(when, cluster.now - 3 * 3600, cluster.now).at(-1)?.at;
  const slot = coming ? nextSlot(when, cluster.now)?.at : before;
  if (slot === undefined) return;
  const wanted = pick(planOf(scene, slot).runs, target);
  if (wanted === undefined) return;
  const more = act === 'squat' ? {} : { schedule: timetable.name, controller: uid };
  addRun(cluster, wanted.name, wanted.policy, { ...more, wanted });
}

/** Everybody who only took a name goes. */
function leave(cluster: Cluster): void {
  for (const run of snapshots(cluster)) if (ownerOf(run) === undefined) vanish(cluster, run);
}

function withSchedule(cluster: Cluster, index: number, act: (uid: string, name: string) => void): void {
  const uid = pick([...cluster.timetables.keys()], index);
  const name = cluster.timetables.get(uid ?? '')?.name;
  if (uid !== undefined && name !== undefined) act(uid, name);
}

/** Somebody else's doing, now or in the middle of a tick. */
export function perform(cluster: Cluster, act: Act): void {
  if ('run' in act) {
    const run = pick(snapshots(cluster), act.run);
    if (run !== undefined) actOnRun(cluster, act, run);
    return;
  }
  switch (act.act) {
    case 'editSchedule':
      withSchedule(cluster, act.schedule, (uid) => editSchedule(cluster, uid, act.change));
      break;
    case 'recreateSchedule':
      withSchedule(cluster, act.schedule, (uid) => recreateSchedule(cluster, uid));
      break;
    case 'editPolicy': {
      const before = cluster.recipes.get(act.policy);
      if (before !== undefined) setPolicy(cluster, act.policy, { ...before, ...act.change });
      break;
    }
    case 'dropPolicy':
      dropPolicy(cluster, act.policy, act.held);
      break;
    case 'addPolicy':
      setPolicy(cluster, act.policy, act.recipe);
      break;
    case 'setRepository':
      setRepository(cluster, act.repository, act.defaults);
      break;
    case 'dropRepository':
      dropRepository(cluster, act.repository);
      break;
    case 'setClaim':
      setClaim(cluster, act.claim, act.disk);
      break;
    case 'dropClaim':
      dropClaim(cluster, act.claim);
      break;
    case 'runByHand':
      addRun(cluster, `by-hand-${cluster.born}`, act.policy, { phase: 'Running' });
      break;
    case 'strayRun':
      withSchedule(cluster, act.schedule, (_uid, schedule) =>
        addRun(cluster, `stray-${cluster.born}`, act.policy, {
          schedule,
          owner: 'uid-of-an-earlier-one',
          phase: act.phase,
        }),
      );
      break;
    case 'squat':
    case 'upstreamRun':
      squat(cluster, act);
      break;
    case 'leave':
      leave(cluster);
      break;
  }
}

/** @returns whether the run was still at work */
export function endRun(cluster: Cluster, name: string): boolean {
  const run = objectNamed(cluster, 'Snapshot', name);
  if (run === undefined || !isAtWork(run)) return false;
  move(cluster, run, 'succeeded');
  return true;
}
