import { type OrderPhase, orderPhase } from '#api/backups/order-phase.ts';
import { type Application, applicationOf, looseReference, referenceText } from '#api/backups/reference.ts';
import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { type RestorePoint, restorePointOf } from '#api/backups/restore-point.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isOfType, type ResourceType } from '#core/object/resource.ts';
import { escapeText } from '#render/escape-text.ts';
import { listed } from '#render/plural.ts';
import type { OpenedStore } from './io.ts';

const OVER: readonly OrderPhase[] = ['succeeded', 'failed'];

/** What a RestoreJob writes over: its target, else the application of its Backup; undefined where neither is known. */
export function restoredInto(object: KubeObject, points: readonly RestorePoint[]): Application | undefined {
  const spec = isObject(object.spec) ? object.spec : {};
  const target = spec.targetApplicationRef ?? undefined;
  const backup = textMember(spec.backupRef, 'name');
  const namespace = object.metadata.namespace ?? '';
  const point = points.find(({ key }) => key.name === backup && key.namespace === namespace);
  if (target === undefined && point === undefined) return undefined;
  const { group: apiGroup, kind, name } = point?.application ?? { group: '', kind: '', name: '' };
  return targetOf({ apiGroup, kind, name }, target === undefined ? undefined : looseReference(target));
}

function backedUp({ spec }: KubeObject): Application {
  return applicationOf(looseReference(isObject(spec) ? spec.applicationRef : undefined));
}

/** What is done to an application by orders of one type. */
interface Work {
  readonly type: ResourceType;
  /** The application; undefined where that cannot be told. */
  readonly worksOn: (object: KubeObject, points: readonly RestorePoint[]) => Application | undefined;
  /** One of them, and several. */
  readonly does: readonly [string, string];
}

const RESTORES: Work = { type: RESTORE_JOB, worksOn: restoredInto, does: ['restores into', 'restore into'] };
const BACKUPS: Work = { type: BACKUP_JOB, worksOn: backedUp, does: ['backs up', 'back up'] };

/**
 * Two restores into one application leave neither, and a backup that is taken meanwhile is of no state that ever was.
 * Ticks start their BackupJobs all the same: a Plan has no rule about what else runs (backups.md, decision 6).
 */
const RIVALS: readonly { readonly of: Work; readonly rivals: readonly Work[] }[] = [
  { of: RESTORES, rivals: [RESTORES, BACKUPS] },
  { of: BACKUPS, rivals: [RESTORES] },
];

interface Unfinished {
  readonly work: Work;
  readonly objects: readonly KubeObject[];
}

/** Something that is at work on the application, or a doubt whether anything is. */
type Obstacle =
  | ({ readonly state: 'unfinished' } & Unfinished)
  | { readonly state: 'unreadable'; readonly what: string };

/** What can be read of a type; that it cannot is noted. */
async function objectsOf(
  store: OpenedStore,
  type: ResourceType,
  obstacles: Obstacle[],
): Promise<readonly KubeObject[]> {
  const listing = await store.list(type);
  if (listing.state === 'unreadable')
    obstacles.push({ state: 'unreadable', what: `${type.plural} could not be read: ${listing.reason}` });
  return listing.state === 'read' ? listing.objects.map(({ object }) => object) : [];
}

/**
 * Why an order may not be made by hand now, and the way out; undefined where nothing is at work on its application, or
 * what is wanted is no order. A list that cannot be read is a reason as well.
 * @param known the points to restore from, where they were read already
 */
export async function orderBeside(
  store: OpenedStore,
  wanted: KubeObject,
  known?: readonly RestorePoint[],
): Promise<string | undefined> {
  const found = RIVALS.find(({ of: { type } }) => isOfType(wanted, type));
  if (found === undefined) return undefined;
  const obstacles: Obstacle[] = [];
  const candidates: Unfinished[] = [];
  for (const work of found.rivals) {
    const all = await objectsOf(store, work.type, obstacles);
    const objects = all.filter(
      (object) =>
        object.metadata.namespace === wanted.metadata.namespace && !OVER.includes(orderPhase(object)),
    );
    if (objects.length > 0) candidates.push({ work, objects });
  }
  const isTold = known !== undefined || candidates.length === 0;
  const points = isTold ? (known ?? []) : (await objectsOf(store, BACKUP, obstacles)).map(restorePointOf);
  const application = found.of.worksOn(wanted, points);
  if (application === undefined) return undefined;
  for (const { work, objects } of candidates) {
    const rivals = objects
      .filter((object) => sameValue(work.worksOn(object, points), application))
      .sort((a, b) => compareText(a.metadata.name, b.metadata.name));
    if (rivals.length > 0) obstacles.push({ state: 'unfinished', work, objects: rivals });
  }
  return obstacles.length === 0 ? undefined : refusal(obstacles, wanted, application);
}

function obstacleText(obstacle: Obstacle, application: Application): string {
  if (obstacle.state === 'unreadable') return obstacle.what;
  const { work, objects } = obstacle;
  const names = listed(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const [verb, is] = objects.length === 1 ? [work.does[0], 'is'] : [work.does[1], 'are'];
  return `${names} ${verb} ${referenceText(application)} and ${is} not finished`;
}

/** One of the very name that was wanted is in the way even where it is not to be waited for. */
function refusal(obstacles: readonly Obstacle[], wanted: KubeObject, application: Application): string {
  const whys = obstacles.map((one) => obstacleText(one, application));
  const unfinished = obstacles.flatMap((one) => (one.state === 'unfinished' ? one.objects : []));
  const wait =
    unfinished.length === 0 ? '' : `wait for ${unfinished.length === 1 ? 'its' : 'their'} end, or `;
  const isNamesake = unfinished.some(
    ({ kind, metadata }) => kind === wanted.kind && metadata.name === wanted.metadata.name,
  );
  const anyway = isNamesake ? '--despite-running and another --name' : '--despite-running';
  return escapeText(`${whys.join('; ')}; ${wait}write ${anyway}`);
}
