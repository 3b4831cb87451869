import type { Diagnostic } from '#core/diagnostic.ts';
import { compareKeys, keyId, keyOf, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { Pruning } from './pruning.ts';
import { readRecords, removeObject } from './remove-object.ts';
import type { Session } from './session.ts';
import type { StateRecord } from './state-object.ts';

/** Why nothing may be pruned although it was asked for: what was not read may be all there is. */
export function pruneObstacle(session: Session): string | undefined {
  if (session.manifests.size === 0) return 'not one manifest was read';
  return session.complete ? undefined : 'some manifest could not be read';
}

export function namesText(keys: readonly ObjectKey[], most: number): string {
  const names = [...keys].sort(compareKeys).slice(0, most).map(keyText).join(', ');
  return keys.length > most ? `${names} and ${keys.length - most} more` : names;
}

/** All of them, since nothing else tells them. */
function controlledText(objects: readonly KubeObject[], { isDry, isUnfinished }: Pruning): string {
  const sorted = [...objects].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const names = sorted.map(
    (object) => keyText(keyOf(object)) + (isUnfinished(object) ? ' (unfinished)' : ''),
  );
  const count = objects.length === 1 ? 'one object' : `${objects.length} objects`;
  return `${count} that it ${isDry ? 'controls' : 'controlled'}: ${names.join(', ')}`;
}

function outcomeText(object: KubeObject, removed: readonly KubeObject[], pruning: Pruning): string {
  const name = keyText(keyOf(object));
  const id = keyId(keyOf(object));
  const controlled = removed.filter((one) => keyId(keyOf(one)) !== id);
  const others = controlled.length === 0 ? '' : `, with ${controlledText(controlled, pruning)}`;
  const { isDry } = pruning;
  if (controlled.length < removed.length)
    return `${name} ${isDry ? 'would be' : 'was'} removed from the state${others}`;
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length === 0) return `the removal of ${name} broke off${others}`;
  const [is, stays] = isDry ? ['would be', 'stay'] : ['is', 'stays'];
  return `${name} ${is} marked as deleted and ${stays} in the state until its finalizers are gone: ${finalizers.join(', ')}`;
}

/** @param removed what is gone, the object itself included if it is */
function prunedDiagnostic(object: KubeObject, removed: readonly KubeObject[], pruning: Pruning): Diagnostic {
  return {
    code: pruning.isDry ? 'Prunable' : 'Pruned',
    severity: 'note',
    object: keyOf(object),
    what: outcomeText(object, removed, pruning),
    why: 'its manifest is gone, and --prune was asked for',
  };
}

async function pruneOne(
  session: Session,
  record: StateRecord,
  pruning: Pruning,
): Promise<readonly KubeObject[]> {
  const removed: KubeObject[] = [];
  try {
    await removeObject(session, record, { removed, isDry: pruning.isDry });
  } finally {
    // Told even when it breaks off: what is gone by then is gone.
    session.report(prunedDiagnostic(record.object, removed, pruning));
  }
  return removed;
}

function isGone(session: Session, { object, origin }: StateRecord): boolean {
  return origin === 'manifest' && session.manifests.at(keyOf(object)) === undefined;
}

/**
 * Removes what is recorded of objects that Git gave up, with what they control, and tells of each. Dry, it only tells,
 * and lists are read without them.
 */
export async function pruneRecords(session: Session, pruning: Pruning): Promise<void> {
  if (pruneObstacle(session) !== undefined) return;
  const records = (await readRecords(session)).filter((record) => isGone(session, record));
  const gone = new Set<string>();
  for (const record of [...records].sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object)))) {
    if (gone.has(keyId(keyOf(record.object)))) continue;
    for (const object of await pruneOne(session, record, pruning)) gone.add(keyId(keyOf(object)));
  }
  if (pruning.isDry) for (const id of gone) session.prunable.add(id);
}
