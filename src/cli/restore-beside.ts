import { type OrderPhase, orderPhase } from '#api/backups/order-phase.ts';
import { type Application, applicationOf, looseReference, referenceText } from '#api/backups/reference.ts';
import { BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import type { RestorePoint } from '#api/backups/restore-point.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
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

/** What must not go on while something is restored: a list that cannot be read is a reason as well. */
interface Rival {
  readonly type: ResourceType;
  /** What an unfinished one works on. */
  readonly worksOn: (object: KubeObject, points: readonly RestorePoint[]) => Application | undefined;
  readonly does: string;
}

/** Two restores into one application leave neither; a backup that runs meanwhile is of both states, and of none. */
const RIVALS: readonly Rival[] = [
  { type: RESTORE_JOB, worksOn: restoredInto, does: 'restores into' },
  { type: BACKUP_JOB, worksOn: backedUp, does: 'backs up' },
];

function backedUp({ spec }: KubeObject): Application {
  return applicationOf(looseReference(isObject(spec) ? spec.applicationRef : undefined));
}

/** Something that is at work on what a restore writes over, or a doubt whether anything is. */
type Obstacle =
  | { readonly state: 'unfinished'; readonly object: KubeObject; readonly does: string }
  | { readonly state: 'unreadable'; readonly what: string };

/** Why a restore may not begin now, and the way out; undefined where nothing is at work on what it writes over. */
export async function restoreBeside(
  store: OpenedStore,
  wanted: KubeObject,
  points: readonly RestorePoint[],
): Promise<string | undefined> {
  const target = restoredInto(wanted, points);
  if (target === undefined) return undefined;
  const obstacles: Obstacle[] = [];
  for (const { type, worksOn, does } of RIVALS) {
    const listing = await store.list(type);
    if (listing.state === 'unreadable')
      obstacles.push({
        state: 'unreadable',
        what: `${type.plural} could not be read: ${listing.reason}`,
      });
    if (listing.state !== 'read') continue;
    const other = listing.objects.find(
      ({ object }) =>
        object.metadata.namespace === wanted.metadata.namespace &&
        !OVER.includes(orderPhase(object)) &&
        sameValue(worksOn(object, points), target),
    );
    if (other !== undefined) obstacles.push({ state: 'unfinished', object: other.object, does });
  }
  return obstacles.length === 0 ? undefined : refusal(obstacles, wanted, target);
}

/** One of the very name that was wanted is in the way even where it is not to be waited for. */
function refusal(obstacles: readonly Obstacle[], wanted: KubeObject, target: Application): string {
  const unfinished = obstacles.flatMap((one) => (one.state === 'unfinished' ? [one] : []));
  const whys = obstacles.map((one) =>
    one.state === 'unreadable'
      ? one.what
      : `${one.object.kind} ${one.object.metadata.name} ${one.does} ${referenceText(target)} and is not finished`,
  );
  const wait =
    unfinished.length === 0 ? '' : `wait for ${unfinished.length === 1 ? 'its' : 'their'} end, or `;
  const isNamesake = unfinished.some(
    ({ object: { kind, metadata } }) => kind === wanted.kind && metadata.name === wanted.metadata.name,
  );
  const anyway = isNamesake ? '--despite-running and another --name' : '--despite-running';
  return escapeText(`${whys.join('; ')}; ${wait}write ${anyway}`);
}
