import { type OrderPhase, orderPhase } from '#api/backups/order-phase.ts';
import { type Application, looseReference, referenceText } from '#api/backups/reference.ts';
import { RESTORE_JOB } from '#api/backups/resources.ts';
import type { RestorePoint } from '#api/backups/restore-point.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
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

/**
 * Two restores into one application at once leave neither: why a further one would be the second, or undefined.
 * A list that cannot be read is a reason as well.
 */
export async function restoreBeside(
  store: OpenedStore,
  wanted: KubeObject,
  points: readonly RestorePoint[],
): Promise<string | undefined> {
  const target = restoredInto(wanted, points);
  if (target === undefined) return undefined;
  const listing = await store.list(RESTORE_JOB);
  if (listing.state === 'absent') return undefined;
  if (listing.state === 'unreadable') return `restorejobs could not be read: ${escapeText(listing.reason)}`;
  const { name, namespace } = wanted.metadata;
  const other = listing.objects.find(
    ({ object }) =>
      object.metadata.namespace === namespace &&
      // One of this very name is no other one: it exists already.
      object.metadata.name !== name &&
      !OVER.includes(orderPhase(object)) &&
      sameValue(restoredInto(object, points), target),
  );
  if (other === undefined) return undefined;
  const what = `RestoreJob ${other.object.metadata.name}`;
  return escapeText(`${what} restores into ${referenceText(target)} and is not finished`);
}
