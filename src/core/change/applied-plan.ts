import { isObject, sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { entriesOf, LISTS, verdictOf } from './saved-plan.ts';

/** What the status of an object holds now, by the entry of a document that is about it. */
export type StatusOf = (entry: JsonObject) => Json | undefined;

function changesOf({ changes }: JsonObject): readonly JsonObject[] {
  return Array.isArray(changes) ? changes.filter(isObject) : [];
}

/** Whether a value has all that was to be written; what only a store knows, such as the uid of a run, may be more. */
function holds(held: Json | undefined, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(held) || held.length !== wanted.length) return false;
    return wanted.every((one, index) => holds(held[index], one));
  }
  if (!isObject(wanted)) return sameValue(held, wanted);
  return isObject(held) && Object.entries(wanted).every(([name, value]) => holds(held[name], value));
}

/** Whether nothing of an entry is left to do, and what it left can be seen. */
function isDone(saved: JsonObject, current: JsonObject | undefined, status: Json | undefined): boolean {
  const changes = changesOf(saved);
  if (current !== undefined && changesOf(current).length > 0) return false;
  if (changes.every(({ verb }) => verb === 'delete')) return true;
  if (current === undefined || !sameValue(saved.uid, current.uid)) return false;
  const writes = changes.filter(({ verb }) => verb === 'apply');
  // Without a status that tells, only the same decision without its changes does.
  return writes.length === 0
    ? sameValue(verdictOf(saved), verdictOf(current))
    : writes.every(({ fields = {} }) => holds(status ?? {}, fields));
}

/**
 * Whether a plan was carried out already: it has changes, the decision that was made anew has none for the same
 * objects, and their statuses are those that it writes. Runs may be gone by then.
 */
export function wasApplied(saved: JsonObject, current: JsonObject, statusOf: StatusOf): boolean {
  let any = false;
  for (const list of LISTS) {
    const now = entriesOf(current[list]);
    for (const [id, entry] of entriesOf(saved[list])) {
      if (changesOf(entry).length === 0) continue;
      any = true;
      if (!isDone(entry, now.get(id), statusOf(entry))) return false;
    }
  }
  return any;
}
