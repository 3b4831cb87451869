import type { Diagnostic } from '#core/diagnostic.ts';
import { compareKeys, keyId, keyOf, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { readRecords, removeObject } from './remove-object.ts';
import type { Session } from './session.ts';
import type { StateRecord } from './state-object.ts';

const NAMED = 10;

/** Why nothing may be pruned although it was asked for: what was not read may be all there is. */
export function pruneObstacle(session: Session): string | undefined {
  if (session.manifests.size === 0) return 'not one manifest was read';
  return session.complete ? undefined : 'some manifest could not be read';
}

export function namesText(keys: readonly ObjectKey[], most: number): string {
  const names = [...keys].sort(compareKeys).slice(0, most).map(keyText).join(', ');
  return keys.length > most ? `${names} and ${keys.length - most} more` : names;
}

function controlledText(keys: readonly ObjectKey[]): string {
  return `${keys.length === 1 ? 'one object' : `${keys.length} objects`} that it controlled: ${namesText(keys, NAMED)}`;
}

function outcomeText(object: KubeObject, isGone: boolean, controlled: readonly ObjectKey[]): string {
  const name = keyText(keyOf(object));
  const others = controlled.length === 0 ? '' : `, with ${controlledText(controlled)}`;
  if (isGone) return `${name} was removed from the state${others}`;
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length > 0)
    return `${name} is marked as deleted and stays in the state until its finalizers are gone: ${finalizers.join(', ')}`;
  return `the removal of ${name} broke off${others}`;
}

/** @param removed what is gone, the object itself included if it is */
function prunedDiagnostic(object: KubeObject, removed: readonly ObjectKey[]): Diagnostic {
  const id = keyId(keyOf(object));
  const controlled = removed.filter((key) => keyId(key) !== id);
  return {
    code: 'Pruned',
    severity: 'note',
    object: keyOf(object),
    what: outcomeText(object, controlled.length < removed.length, controlled),
    why: 'its manifest is gone, and --prune was asked for',
  };
}

async function pruneOne(session: Session, record: StateRecord): Promise<readonly ObjectKey[]> {
  const removed: ObjectKey[] = [];
  try {
    await removeObject(session, record, removed);
  } finally {
    // Told even when it breaks off: what is gone by then is gone.
    session.report(prunedDiagnostic(record.object, removed));
  }
  return removed;
}

function isGone(session: Session, { object, origin }: StateRecord): boolean {
  return origin === 'manifest' && session.manifests.at(keyOf(object)) === undefined;
}

/** Removes what is recorded of objects that Git gave up, with what they control, and tells of each. */
export async function pruneRecords(session: Session): Promise<void> {
  if (!session.prune || pruneObstacle(session) !== undefined) return;
  const records = (await readRecords(session)).filter((record) => isGone(session, record));
  const gone = new Set<string>();
  for (const record of [...records].sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object)))) {
    if (gone.has(keyId(keyOf(record.object)))) continue;
    for (const key of await pruneOne(session, record)) gone.add(keyId(key));
  }
}
