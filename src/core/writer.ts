import type { ScheduleKind, Settings } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';

/** The one field manager of everything that this tool writes. */
export const FIELD_MANAGER = 'minutehand';

/** Who acts on an object: this tool, or somebody else who is named. */
export type Writer = { readonly state: 'ours' } | { readonly state: 'observed'; readonly actor: string };

const OURS: Writer = { state: 'ours' };

function statusMarks(entry: ManagedFieldsEntry): JsonObject | undefined {
  const status = entry.fieldsV1?.['f:status'];
  return isObject(status) ? status : undefined;
}

function hasMark(marks: JsonObject | undefined, field: string): boolean {
  return marks !== undefined && marks[`f:${field}`] !== undefined;
}

/**
 * design.md 3.8: an object is only observed when another manager owns a status field that we would write, or
 * when such a field has a value that no entry owns. Without any managedFields nobody has said anything: free.
 */
function foreignManager(object: KubeObject, fields: readonly string[]): string | undefined {
  const entries = object.metadata.managedFields;
  if (entries === undefined || entries.length === 0) return undefined;
  let ours: JsonObject[] | undefined;
  for (const entry of entries) {
    const marks = statusMarks(entry);
    if (marks === undefined) continue;
    if (entry.manager === FIELD_MANAGER) ours = [...(ours ?? []), marks];
    else if (fields.some((field) => hasMark(marks, field))) return entry.manager ?? 'an unnamed manager';
  }
  const status = isObject(object.status) ? object.status : {};
  const isOurs = (field: string): boolean => ours?.some((marks) => hasMark(marks, field)) === true;
  const ownerless = fields.some((field) => status[field] !== undefined && !isOurs(field));
  return ownerless ? 'an unrecorded manager' : undefined;
}

/** Who else writes any part of the status of an object. */
export function statusManager({ metadata: { managedFields = [] } }: KubeObject): string | undefined {
  const other = managedFields.find(
    (entry) => entry.manager !== FIELD_MANAGER && statusMarks(entry) !== undefined,
  );
  return other === undefined ? undefined : (other.manager ?? 'an unnamed manager');
}

export function writerOf(kind: ScheduleKind, object: KubeObject, settings: Settings): Writer {
  if ((settings.writers[kind.id] ?? kind.rules.writer) === 'observe') {
    return { state: 'observed', actor: kind.rules.otherWriter };
  }
  const manager = foreignManager(object, kind.rules.statusFields);
  return manager === undefined ? OURS : { state: 'observed', actor: manager };
}
