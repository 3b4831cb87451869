import { withoutHeldAnchor } from '#core/held-anchor.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';

/** The one field manager of everything that this tool writes. */
export const FIELD_MANAGER = 'minutehand';

/** Who acts on an object: this tool, or somebody else who is named. */
export type Writer =
  | { readonly state: 'ours' }
  /** By the configuration, or because of the record of who wrote which field. */
  | { readonly state: 'observed'; readonly actor: string; readonly since: 'configuration' | 'record' };

const OURS: Writer = { state: 'ours' };

function statusMarks(entry: ManagedFieldsEntry): JsonObject | undefined {
  const status = entry.fieldsV1?.['f:status'];
  return isObject(status) ? status : undefined;
}

/** Under our name there is one way to write a status; whoever writes it otherwise is somebody else of this name. */
export function isOurs({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === 'Apply' && subresource === 'status';
}

/** Of a manager that is not ours. */
function nameOf({ manager = 'an unnamed manager' }: ManagedFieldsEntry): string {
  return manager === FIELD_MANAGER ? `somebody by the name of ${FIELD_MANAGER}` : manager;
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
    if (isOurs(entry)) ours = [...(ours ?? []), marks];
    else if (fields.some((field) => hasMark(marks, field))) return nameOf(entry);
  }
  const status = isObject(object.status) ? object.status : {};
  const isMarked = (field: string): boolean => ours?.some((marks) => hasMark(marks, field)) === true;
  const ownerless = fields.some((field) => status[field] !== undefined && !isMarked(field));
  return ownerless ? 'an unrecorded manager' : undefined;
}

/** Who else writes any part of the status of an object. */
export function statusManager({ metadata: { managedFields = [] } }: KubeObject): string | undefined {
  const other = managedFields.find((entry) => !isOurs(entry) && statusMarks(entry) !== undefined);
  return other === undefined ? undefined : nameOf(other);
}

/** A status that this tool may write: which fields, what the configuration says, and who acts where it says no. */
export interface WrittenStatus {
  readonly fields: readonly string[];
  readonly mode: 'manage' | 'observe';
  readonly otherWriter: string;
}

export function statusWriter(object: KubeObject, { fields, mode, otherWriter }: WrittenStatus): Writer {
  if (mode === 'observe') return { state: 'observed', actor: otherWriter, since: 'configuration' };
  const manager = foreignManager(object, fields);
  return manager === undefined ? OURS : { state: 'observed', actor: manager, since: 'record' };
}

export function writerOf({ id, rules }: ScheduleKind, object: KubeObject, settings: Settings): Writer {
  return statusWriter(withoutHeldAnchor(rules, object), {
    fields: rules.statusFields,
    mode: settings.writers[id] ?? rules.writer,
    otherWriter: rules.otherWriter,
  });
}

/** A status field with a value, and everybody who is recorded to have written it. */
export interface FieldOwners {
  readonly field: string;
  readonly managers: readonly string[];
}

export function fieldOwners(object: KubeObject, fields: readonly string[]): readonly FieldOwners[] {
  const { managedFields = [] } = object.metadata;
  const status = isObject(object.status) ? object.status : {};
  const managersOf = (field: string): readonly string[] => [
    ...new Set(
      managedFields
        .filter((entry) => hasMark(statusMarks(entry), field))
        .map((entry) => (isOurs(entry) ? FIELD_MANAGER : nameOf(entry))),
    ),
  ];
  return fields
    .filter((field) => status[field] !== undefined)
    .map((field) => ({ field, managers: managersOf(field) }));
}
