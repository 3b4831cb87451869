import { createPatch, type Operation, Pointer } from 'rfc6902';
import { type Mask, maskSecrets, newMask } from '#core/change/mask.ts';
import { canonicalJson, isObject, sameValue } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json } from '#core/object/object.ts';
import { valueAt } from '#core/object/value-at.ts';

/** One field that a change sets, alters or removes. */
export interface FieldDiff {
  /** A JSON pointer, for example `/status/lastScheduleTime`; into the new value, for removed fields into the old one. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** The keys of a JSON pointer from the root on. */
export function pointerKeys(pointer: string): readonly string[] {
  return Pointer.fromJSON(pointer).tokens.slice(1);
}

/** `Pointer` itself passes over keys such as `constructor`. */
function at(root: Json, pointer: string): Json | undefined {
  return valueAt(root, pointerKeys(pointer));
}

/** What makes a list item the same item when its fields change: conditions have a type, references a name. */
function identity(item: Json): string {
  if (!isObject(item)) return canonicalJson(item);
  return typeof item.type === 'string' ? `type ${item.type}` : canonicalJson(item.name ?? item);
}

function isNameless(item: Json | undefined): boolean {
  return isObject(item) && typeof item.type !== 'string' && item.name === undefined;
}

function identities(items: readonly Json[]): readonly string[] | undefined {
  const ids = items.map(identity);
  return new Set(ids).size === ids.length ? ids : undefined;
}

/**
 * Lists item by item, whatever the position; where items cannot be told apart or only their order changed, as one
 * value. A patch would number the positions as they are in the middle of the patch, which tells a reader nothing.
 */
function listDiffs(from: readonly Json[], to: readonly Json[], path: string): readonly FieldDiff[] {
  if (sameValue(from, to)) return [];
  const whole = [{ path, before: from, after: to }];
  const old = identities(from);
  const fresh = identities(to);
  if (old === undefined || fresh === undefined) return whole;
  // Two mappings without a name that stand at one place, and nowhere else, are one that was edited.
  const isEdited = (index: number): boolean =>
    from.length === to.length &&
    [from[index], to[index]].every((item) => isNameless(item)) &&
    !fresh.includes(old[index] ?? '') &&
    !old.includes(fresh[index] ?? '');
  const removed = from.flatMap((before, index) =>
    fresh.includes(old[index] ?? '') || isEdited(index) ? [] : [{ path: `${path}/${index}`, before }],
  );
  const rest = to.flatMap((after, index): readonly FieldDiff[] => {
    const before = isEdited(index) ? from[index] : from[old.indexOf(fresh[index] ?? '')];
    return before === undefined
      ? [{ path: `${path}/${index}`, after }]
      : valueDiffs(before, after, `${path}/${index}`);
  });
  const found = [...removed, ...rest];
  return found.length === 0 ? whole : found;
}

function fieldDiff({ op, path }: Operation, from: Json, to: Json, root: string): FieldDiff {
  const old = op === 'add' ? undefined : at(from, path);
  const value = op === 'remove' ? undefined : at(to, path);
  return {
    path: root + path,
    ...(old === undefined ? {} : { before: old }),
    ...(value === undefined ? {} : { after: value }),
  };
}

function valueDiffs(from: Json, to: Json, root: string): readonly FieldDiff[] {
  const lists: FieldDiff[] = [];
  const patch = createPatch(from, to, (before: unknown, after: unknown, pointer) => {
    if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
    lists.push(...listDiffs(before, after, root + pointer.toString()));
    return [];
  });
  return [...patch.map((operation) => fieldDiff(operation, from, to, root)), ...lists];
}

/**
 * The fields in which two values differ, in the order of their paths. Values are masked before they are compared,
 * under one numbering, so that no secret ever reaches a difference.
 */
export function fieldDiffs(before: Json, after: Json, mask: Mask = newMask()): readonly FieldDiff[] {
  const diffs = valueDiffs(maskSecrets(before, mask), maskSecrets(after, mask), '');
  return [...diffs].sort((a, b) => compareText(a.path, b.path));
}
