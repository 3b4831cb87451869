import { isObject, sameValue } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** Who writes, and where. */
export interface Hand {
  readonly manager: string;
  readonly subresource?: 'status';
  readonly operation?: 'Update' | 'Apply';
}

type Entries = readonly ManagedFieldsEntry[];
/** The steps of a `fieldsV1` path. */
type Steps = readonly string[];

/** As a server hands entries out; what goes on with ownership needs only the rest. */
interface Stamped extends ManagedFieldsEntry {
  readonly apiVersion: string;
  readonly fieldsType: 'FieldsV1';
}

export function entriesOf(object: KubeObject): Entries {
  return object.metadata.managedFields ?? [];
}

/** Without what is written down for people. */
export function bareEntries(entries: Entries): Entries {
  return entries.map(({ manager, operation, subresource, fieldsV1 }) => ({
    ...(manager === undefined ? {} : { manager }),
    ...(operation === undefined ? {} : { operation }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(fieldsV1 === undefined ? {} : { fieldsV1 }),
  }));
}

export function withEntries(object: KubeObject, entries: Entries): KubeObject {
  const { managedFields: _before, ...metadata } = object.metadata;
  const kept = entries.length === 0 ? metadata : { ...metadata, managedFields: entries };
  return { ...object, metadata: kept };
}

function isSameHand(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}

/** Entries that say what they said before keep their time. */
export function stampEntries(before: Entries, object: KubeObject, now: Instant): KubeObject {
  const stamped = entriesOf(object).map((entry): ManagedFieldsEntry => {
    const known = before.find((one) => isSameHand(one, entry) && sameValue(one.fieldsV1, entry.fieldsV1));
    const fresh: Stamped = {
      ...entry,
      apiVersion: object.apiVersion,
      time: formatInstant(now),
      fieldsType: 'FieldsV1',
    };
    return known ?? fresh;
  });
  // Applies stand before updates.
  const sorted = stamped.toSorted((a, b) => compareText(a.operation ?? '', b.operation ?? ''));
  return withEntries(object, sorted);
}

const NOT_OWNED = new Set(['apiVersion', 'kind', 'metadata']);
const MAPS = ['labels', 'annotations'] as const;
const LISTS = ['ownerReferences', 'finalizers'] as const;

function membersOf(prefix: Steps, value: JsonObject): (readonly [Steps, Json])[] {
  return Object.entries(value).map(([name, member]) => [[...prefix, `f:${name}`], member]);
}

/** Every field that may be owned, two steps deep: enough to tell whose a status field or an annotation is. */
function leavesOf(object: KubeObject | undefined): ReadonlyMap<string, readonly [Steps, Json]> {
  if (object === undefined) return new Map();
  const { metadata } = object;
  const leaves: (readonly [Steps, Json])[] = MAPS.flatMap((name) =>
    membersOf(['f:metadata', `f:${name}`], metadata[name] ?? {}),
  );
  for (const name of LISTS) {
    const list: Json = JSON.parse(JSON.stringify(metadata[name] ?? null));
    if (list !== null) leaves.push([['f:metadata', `f:${name}`], list]);
  }
  for (const [name, value] of Object.entries(object)) {
    if (NOT_OWNED.has(name) || value === undefined) continue;
    const plain: Json = JSON.parse(JSON.stringify(value));
    if (isObject(plain)) leaves.push(...membersOf([`f:${name}`], plain));
    else leaves.push([[`f:${name}`], plain]);
  }
  return new Map(leaves.map((leaf) => [JSON.stringify(leaf[0]), leaf]));
}

function without(node: JsonObject, [step = '', ...rest]: Steps): JsonObject {
  if (!Object.hasOwn(node, step)) return node;
  const child = node[step];
  const left = rest.length === 0 || !isObject(child) ? undefined : without(child, rest);
  const others = Object.entries(node).filter(([name]) => name !== step);
  const kept = left !== undefined && Object.keys(left).length > 0 ? [[step, left] as const] : [];
  return Object.fromEntries([...others, ...kept]);
}

function including(node: JsonObject, [step, ...rest]: Steps): JsonObject {
  if (step === undefined) return node;
  const child = Object.hasOwn(node, step) ? node[step] : undefined;
  const entries = Object.entries(node).filter(([name]) => name !== step);
  return Object.fromEntries([...entries, [step, including(isObject(child) ? child : {}, rest)]]);
}

function changeFields(entry: ManagedFieldsEntry, change: (fields: JsonObject) => JsonObject): Entries {
  const fieldsV1 = change(entry.fieldsV1 ?? {});
  return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
}

/** Nobody but these owns the fields any more. */
export function dropFields(entries: Entries, paths: readonly Steps[], keeper?: ManagedFieldsEntry): Entries {
  return entries.flatMap((entry) =>
    keeper !== undefined && isSameHand(entry, keeper)
      ? [entry]
      : changeFields(entry, (fields) => paths.reduce(without, fields)),
  );
}

/**
 * An Update takes every field that it changes, silently (kubernetes-api.md); what it removes belongs to nobody.
 * @param before absent for a create
 */
export function recordUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  { manager, subresource, operation = 'Update' }: Hand,
): KubeObject {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const changed = [...is].filter(([id, [, value]]) => !sameValue(was.get(id)?.[1], value));
  const removed = [...was].filter(([id]) => !is.has(id));
  const hand = { manager, operation, ...(subresource === undefined ? {} : { subresource }) };
  const taken = changed.map(([, [steps]]) => steps);
  const gone = removed.map(([, [steps]]) => steps);
  const others = dropFields(
    dropFields(bareEntries(before === undefined ? [] : entriesOf(before)), gone),
    taken,
    hand,
  );
  if (taken.length === 0) return withEntries(after, others);
  const own = others.find((entry) => isSameHand(entry, hand)) ?? hand;
  const mine = changeFields(own, (fields) => taken.reduce(including, fields));
  return withEntries(after, [...others.filter((entry) => !isSameHand(entry, hand)), ...mine]);
}

/** An object without any entry: the first apply finds its status in the hand of nobody who is known. */
export function withFirstEntry(object: KubeObject): KubeObject {
  if (entriesOf(object).length > 0 || object.status === undefined) return object;
  const { apiVersion, kind, status } = object;
  const alone = { apiVersion, kind, metadata: { name: object.metadata.name }, status };
  const hand = { manager: 'before-first-apply', subresource: 'status' } as const;
  return withEntries(object, entriesOf(recordUpdate(undefined, alone, hand)));
}
