import { type OrderPhase, orderPhase } from '#api/backups/order-phase.ts';
import { type Application, applicationOf, looseReference, referenceText } from '#api/backups/reference.ts';
import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { type RestorePoint, restorePointOf } from '#api/backups/restore-point.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isOfType, type ResourceType } from '#core/object/resource.ts';
import { escapeText } from '#render/escape-text.ts';
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
  readonly does: string;
}

const RESTORES: Work = { type: RESTORE_JOB, worksOn: restoredInto, does: 'restores into' };
const BACKUPS: Work = { type: BACKUP_JOB, worksOn: backedUp, does: 'backs up' };

/**
 * Two restores into one application leave neither, and a backup that is taken meanwhile is of no state that ever was.
 * Ticks start their BackupJobs all the same: a Plan has no rule about what else runs (backups.md, decision 6).
 */
const RIVALS: readonly { readonly of: Work; readonly rivals: readonly Work[] }[] = [
  { of: RESTORES, rivals: [RESTORES, BACKUPS] },
  { of: BACKUPS, rivals: [RESTORES] },
];

/** Something that is at work on the application, or a doubt whether anything is. */
type Obstacle =
  | { readonly state: 'unfinished'; readonly object: KubeObject; readonly does: string }
  | { readonly state: 'unreadable'; readonly what: string };

interface Candidate {
  readonly work: Work;
  readonly object: KubeObject;
}

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
  const candidates: Candidate[] = [];
  for (const work of found.rivals) {
    const unfinished = (await objectsOf(store, work.type, obstacles)).filter(
      (object) =>
        object.metadata.namespace === wanted.metadata.namespace && !OVER.includes(orderPhase(object)),
    );
    candidates.push(...unfinished.map((object) => ({ work, object })));
  }
  const isTold = known !== undefined || candidates.length === 0;
  const points = isTold ? (known ?? []) : (await objectsOf(store, BACKUP, obstacles)).map(restorePointOf);
  const application = found.of.worksOn(wanted, points);
  if (application === undefined) return undefined;
  for (const work of found.rivals) {
    const other = candidates.find(
      ({ work: { type, worksOn }, object }) =>
        type === work.type && sameValue(worksOn(object, points), application),
    );
    if (other !== undefined) obstacles.push({ state: 'unfinished', object: other.object, does: work.does });
  }
  return obstacles.length === 0 ? undefined : refusal(obstacles, wanted, application);
}

/** One of the very name that was wanted is in the way even where it is not to be waited for. */
function refusal(obstacles: readonly Obstacle[], wanted: KubeObject, application: Application): string {
  const unfinished = obstacles.flatMap((one) => (one.state === 'unfinished' ? [one] : []));
  const whys = obstacles.map((one) =>
    one.state === 'unreadable'
      ? one.what
      : `${one.object.kind} ${one.object.metadata.name} ${one.does} ${referenceText(application)} and is not finished`,
  );
  const wait =
    unfinished.length === 0 ? '' : `wait for ${unfinished.length === 1 ? 'its' : 'their'} end, or `;
  const isNamesake = unfinished.some(
    ({ object: { kind, metadata } }) => kind === wanted.kind && metadata.name === wanted.metadata.name,
  );
  const anyway = isNamesake ? '--despite-running and another --name' : '--despite-running';
  return escapeText(`${whys.join('; ')}; ${wait}write ${anyway}`);
}
