import type { ChangeSetDocument } from '#core/change/document.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';

/** A change set as `plan -o json` published it. It has no secrets in it, so that it is compared and never applied itself. */
export interface SavedPlan {
  readonly now: Instant;
  readonly document: JsonObject;
}

export type ReadPlan =
  | { readonly state: 'read'; readonly plan: SavedPlan }
  /** Of another format: what it means is not known here. */
  | { readonly state: 'otherFormat'; readonly version: string }
  | { readonly state: 'noPlan'; readonly what: string };

const FORMAT: ChangeSetDocument['formatVersion'] = 1;

/** Reads what a file holds as JSON. */
export function readPlan(value: unknown): ReadPlan {
  if (!isObject(value)) return { state: 'noPlan', what: 'it holds no object' };
  const { formatVersion, now } = value;
  const isLike = formatVersion !== undefined && value.changeSet === undefined;
  if (!isLike) return { state: 'noPlan', what: 'it is not what plan -o json prints' };
  if (formatVersion !== FORMAT)
    return { state: 'otherFormat', version: JSON.stringify(formatVersion).slice(0, 40) };
  const at = typeof now === 'string' ? parseInstant(now) : undefined;
  if (at === undefined || !Array.isArray(value.schedules))
    return { state: 'noPlan', what: 'it is not what plan -o json prints' };
  return { state: 'read', plan: { now: at, document: value } };
}

export const LISTS = ['schedules', 'retention', 'works'] as const;
const TOP = ['graceSeconds', 'counts', 'diagnostics'] as const;

export type Entries = ReadonlyMap<string, JsonObject>;

function nameOf({ kind, namespace, name }: JsonObject): string {
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  return `${text(kind)} ${namespace === undefined ? '' : `${text(namespace)}/`}${text(name)}`;
}

/** A list of a document by its objects. */
export function entriesOf(list: Json | undefined): Entries {
  const entries = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(entries.map((entry) => [`${String(entry.apiVersion)} ${nameOf(entry)}`, entry]));
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '(none)' : JSON.stringify(value);
}

function fieldText(name: string, saved: Json | undefined, current: Json | undefined): string[] {
  return sameValue(saved, current) ? [] : [`${name} ${shown(saved)}, now ${shown(current)}`];
}

/** Of a schedule, or the state of an order. */
function codeOf({ verdict, state }: JsonObject): Json | undefined {
  return isObject(verdict) ? verdict.code : state;
}

function slotOf({ verdict }: JsonObject): Json | undefined {
  return isObject(verdict) ? verdict.slot : undefined;
}

/** What was decided and about which slot. */
export function verdictOf(entry: JsonObject): Json {
  return [codeOf(entry) ?? null, slotOf(entry) ?? null];
}

function entryText(saved: JsonObject | undefined, current: JsonObject | undefined): string | undefined {
  if (saved === undefined) return 'it is new';
  if (current === undefined) return 'it is not there any more';
  if (sameValue(saved, current)) return undefined;
  const told = [
    ...fieldText('uid', saved.uid, current.uid),
    ...fieldText('resourceVersion', saved.resourceVersion, current.resourceVersion),
    ...fieldText('verdict', codeOf(saved), codeOf(current)),
    ...fieldText('slot', slotOf(saved), slotOf(current)),
  ];
  if (told.length > 0) return told.join('; ');
  return sameValue(saved.changes, current.changes) ? 'its verdict is another' : 'its changes are others';
}

/** What is different in a decision that was made anew at the same time, for people; empty where they are equal. */
export function planDifferences(saved: JsonObject, current: JsonObject): readonly string[] {
  if (sameValue(saved, current)) return [];
  const lists = LISTS.flatMap((list) => {
    const before = entriesOf(saved[list]);
    const after = entriesOf(current[list]);
    return [...new Set([...before.keys(), ...after.keys()])].sort(compareText).flatMap((id) => {
      const [one, other] = [before.get(id), after.get(id)];
      const text = entryText(one, other);
      return text === undefined ? [] : [`${nameOf(one ?? other ?? {})}: ${text}`];
    });
  });
  const rest = TOP.filter((name) => !sameValue(saved[name], current[name]));
  const found = lists.length > 0 ? lists : rest.map((name) => `${name} differ`);
  return found.length > 0 ? found : ['the document as a whole'];
}

const IDENTITY: readonly string[] = ['uid', 'resourceVersion', 'precondition', 'body', 'diff', 'fields'];

function withoutIdentity(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIdentity);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !IDENTITY.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutIdentity(member)]));
}

/**
 * What is to be done and why, without the versions and bodies in which a state folder says it: recording what the
 * manifests changed gives objects a uid and a new version, and changes nothing that is decided.
 */
export function planOutline(document: JsonObject): JsonObject {
  const { schedules, retention, works } = document;
  const lists = { schedules, retention, works };
  const given = Object.entries(lists).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, list]) => [name, withoutIdentity(list)]));
}
