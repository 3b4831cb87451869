import { isObject, sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import { withAnnotations } from './annotations.ts';

export type StatusApply =
  | { readonly state: 'applied'; readonly object: KubeObject }
  | { readonly state: 'unchanged' }
  | { readonly state: 'conflict'; readonly manager: string; readonly field: string };

function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.manager === FIELD_MANAGER && entry.operation === 'Apply' && entry.subresource === 'status';
}

/** The part of `fieldsV1` that stands for a top-level status field; undefined when the entry does not own it. */
function ownedNode(entry: ManagedFieldsEntry, field: string): JsonObject | undefined {
  const status = entry.fieldsV1?.['f:status'];
  if (!isObject(status) || !Object.hasOwn(status, `f:${field}`)) return undefined;
  const node = status[`f:${field}`];
  return isObject(node) ? node : {};
}

function namesIn(node: Json | undefined): string[] {
  if (!isObject(node)) return [];
  return Object.keys(node).flatMap((key) => (key.startsWith('f:') ? [key.slice(2)] : []));
}

function ownedFields(entries: readonly ManagedFieldsEntry[]): string[] {
  return namesIn(entries.find(isOurs)?.fieldsV1?.['f:status']);
}

/** The annotations that an earlier status write of ours took along. */
function ownedAnnotations(entries: readonly ManagedFieldsEntry[]): string[] {
  const metadata = entries.find(isOurs)?.fieldsV1?.['f:metadata'];
  return namesIn(isObject(metadata) ? metadata['f:annotations'] : undefined);
}

/** One step of a `fieldsV1` path: `f:` a member, `k:` the list item with these keys, `v:` a list value, `i:` an index. */
function select(value: Json | undefined, step: string): Json | undefined {
  const rest = step.slice(2);
  if (step.startsWith('f:')) return isObject(value) && Object.hasOwn(value, rest) ? value[rest] : undefined;
  if (!Array.isArray(value)) return undefined;
  const list: readonly Json[] = value;
  if (step.startsWith('i:')) return list[Number(rest)];
  const wanted = parseJson(rest);
  if (step.startsWith('v:')) return list.find((item) => sameValue(item, wanted));
  if (!isObject(wanted)) return undefined;
  return list.find(
    (item) => isObject(item) && Object.keys(wanted).every((key) => sameValue(item[key], wanted[key])),
  );
}

function changesOwnedPart(node: JsonObject, live: Json | undefined, wanted: Json | undefined): boolean {
  const steps = Object.entries(node).filter(([step]) => step !== '.');
  if (steps.length === 0) return !sameValue(live, wanted);
  return steps.some(([step, child]) =>
    changesOwnedPart(isObject(child) ? child : {}, select(live, step), select(wanted, step)),
  );
}

function findConflict(
  live: JsonObject,
  fields: JsonObject,
  others: readonly ManagedFieldsEntry[],
): StatusApply | undefined {
  for (const [field, wanted] of Object.entries(fields)) {
    const owner = others.find((entry) => {
      const node = ownedNode(entry, field);
      return node !== undefined && changesOwnedPart(node, select(live, `f:${field}`), wanted);
    });
    if (owner !== undefined)
      return { state: 'conflict', manager: owner.manager ?? 'unknown', field: `.status.${field}` };
  }
  return undefined;
}

type Texts = Readonly<Record<string, string>>;

function nodesOf(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(members).map((name) => [`f:${name}`, {}]));
}

/** A node without anything in it is no part of an entry. */
function owning(step: string, node: JsonObject): JsonObject {
  return Object.keys(node).length === 0 ? {} : { [step]: node };
}

function withOurEntry(
  entries: readonly ManagedFieldsEntry[],
  fields: JsonObject,
  annotations: Texts,
): readonly ManagedFieldsEntry[] {
  const others = entries.filter((entry) => !isOurs(entry));
  const fieldsV1 = {
    ...owning('f:metadata', owning('f:annotations', nodesOf(annotations))),
    ...owning('f:status', nodesOf(fields)),
  };
  if (Object.keys(fieldsV1).length === 0) return others;
  const entry = { manager: FIELD_MANAGER, operation: 'Apply', subresource: 'status', fieldsV1 };
  const at = entries.findIndex(isOurs);
  return at < 0 ? [...others, entry] : [...others.slice(0, at), entry, ...others.slice(at)];
}

function withStatus(
  object: KubeObject,
  status: JsonObject,
  entries: readonly ManagedFieldsEntry[],
): KubeObject {
  const { status: _before, ...rest } = object;
  const { managedFields: _entries, ...metadata } = object.metadata;
  return {
    ...rest,
    metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries },
    ...(Object.keys(status).length === 0 ? {} : { status }),
  };
}

/** With exactly these of the annotations that status writes of ours take along. */
function annotatedObject(object: KubeObject, annotations: Texts): KubeObject {
  const left = ownedAnnotations(object.metadata.managedFields ?? []).filter(
    (name) => !Object.hasOwn(annotations, name),
  );
  const gone = Object.fromEntries(left.map((name) => [name, null]));
  return withAnnotations(object, { ...gone, ...annotations }) ?? object;
}

/**
 * Server-side apply of a whole set of top-level status fields, never forced: fields that we own and that are left
 * out disappear, unless somebody else owns them too; a field of another manager may only be given the value that it
 * has. The resource version is left to the caller. Neither spec nor generation takes part.
 */
export function applyOwnedStatus(
  object: KubeObject,
  fields: JsonObject,
  annotations: Texts = {},
): StatusApply {
  const entries = object.metadata.managedFields ?? [];
  const live = isObject(object.status) ? object.status : {};
  const others = entries.filter((entry) => !isOurs(entry));
  const conflict = findConflict(live, fields, others);
  if (conflict !== undefined) return conflict;
  const dropped = ownedFields(entries).filter(
    (field) =>
      !Object.hasOwn(fields, field) && others.every((entry) => ownedNode(entry, field) === undefined),
  );
  const kept = Object.entries(live).filter(([field]) => !dropped.includes(field));
  const status: JsonObject = { ...Object.fromEntries(kept), ...fields };
  const changed = withStatus(
    annotatedObject(object, annotations),
    status,
    withOurEntry(entries, fields, annotations),
  );
  return sameValue(changed, object) ? { state: 'unchanged' } : { state: 'applied', object: changed };
}
