import type { ScheduleKind, Settings } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';

/** The one field manager of everything that this tool writes. */
export const FIELD_MANAGER = 'minutehand';

/** Who acts on an object: this tool, or somebody else who is named. */
export type Writer = { readonly state: 'ours' } | { readonly state: 'observed'; readonly actor: string };

const OURS: Writer = { state: 'ours' };

function ownedStatusFields(entry: ManagedFieldsEntry): readonly string[] {
  const status = entry.fieldsV1?.['f:status'];
  return isObject(status) ? Object.keys(status).map((key) => key.replace(/^f:/, '')) : [];
}

/**
 * design.md 3.8: an object is only observed when another manager owns a status field that we would write, or
 * when such a field has a value that no entry owns. Without any managedFields nobody has said anything: free.
 */
function foreignManager(object: KubeObject, fields: readonly string[]): string | undefined {
  const entries = object.metadata.managedFields;
  if (entries === undefined || entries.length === 0) return undefined;
  const owned = new Set<string>();
  for (const entry of entries) {
    const mine = ownedStatusFields(entry).filter((field) => fields.includes(field));
    if (mine.length > 0 && entry.manager !== FIELD_MANAGER) return entry.manager ?? 'an unnamed manager';
    for (const field of mine) owned.add(field);
  }
  const status = isObject(object.status) ? object.status : {};
  const ownerless = fields.find((field) => status[field] !== undefined && !owned.has(field));
  return ownerless === undefined ? undefined : 'an unrecorded manager';
}

export function ownsStatusField(object: KubeObject, field: string): boolean {
  return (object.metadata.managedFields ?? []).some(
    (entry) => entry.manager === FIELD_MANAGER && ownedStatusFields(entry).includes(field),
  );
}

export function writerOf(kind: ScheduleKind, object: KubeObject, settings: Settings): Writer {
  if ((settings.writers[kind.id] ?? kind.rules.writer) === 'observe') {
    return { state: 'observed', actor: kind.rules.otherWriter };
  }
  const manager = foreignManager(object, kind.rules.statusFields);
  return manager === undefined ? OURS : { state: 'observed', actor: manager };
}
