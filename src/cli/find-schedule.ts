import type { ScheduleChanges } from '#core/change/change-set.ts';
import { fieldOf } from '#core/field-of.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { escapeText } from '#render/escape-text.ts';

/** What the user named: the kinds that the word may mean, and the name. */
export interface ObjectRef {
  readonly types: readonly ResourceType[];
  readonly name: string;
}

export type Found<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

function shortForms({ plural, singular, kind, shortNames }: ResourceType): readonly string[] {
  return [plural, singular, kind.toLowerCase(), ...shortNames];
}

/** `cronjobs`, `cronjob.batch` and `cronjobs.v1.batch`, as kubectl takes them. */
export function isMeant(word: string, type: ResourceType): boolean {
  const wanted = word.toLowerCase();
  return shortForms(type).some(
    (form) =>
      wanted === form ||
      wanted === `${form}.${type.group}` ||
      wanted === `${form}.${type.version}.${type.group}`,
  );
}

/** The types of schedules that a word means. */
export function kindsOf(word: string): Found<readonly ResourceType[]> {
  const schedules = KINDS.map(({ resource }) => resource);
  const types = schedules.filter((type) => isMeant(word, type));
  if (types.length > 0) return { ok: true, value: types };
  const list = schedules.map(({ singular, group }) => `${singular}.${group}`).join(', ');
  const run = KINDS.find((kind) => isMeant(word, kind.run));
  if (run !== undefined) {
    return refused(
      `"${escapeText(word)}" is a run, and runs have no slots of their own: name its ${run.resource.singular}`,
    );
  }
  const nearest = nearestName(word, schedules.flatMap(shortForms));
  const meant = nearest === undefined ? `write one of ${list}` : `did you mean ${nearest}?`;
  return refused(`"${escapeText(word)}" is no kind of schedule: ${meant}`);
}

/** Splits `KIND/NAME`, or takes the two as words of their own. */
function splitRef(words: readonly string[]): Found<{ readonly word: string; readonly name: string }> {
  const parts = words.length === 1 ? (words[0] ?? '').split('/') : words;
  const [word, name] = parts;
  if (
    parts.length !== 2 ||
    word === undefined ||
    name === undefined ||
    word === '' ||
    name === '' ||
    name.includes('/')
  ) {
    return refused(
      `"${escapeText(words.join(' '))}" names no object: write KIND/NAME, such as cronjob/nightly`,
    );
  }
  return { ok: true, value: { word, name } };
}

/** Reads `KIND/NAME` of a schedule. */
export function readObjectRef(words: readonly string[]): Found<ObjectRef> {
  const split = splitRef(words);
  if (!split.ok) return split;
  const { word, name } = split.value;
  const types = kindsOf(word);
  return types.ok ? { ok: true, value: { types: types.value, name } } : types;
}

/** The same of an order of a driver; undefined where the word means none. */
export function readOrderRef(words: readonly string[]): ObjectRef | undefined {
  const split = splitRef(words);
  if (!split.ok) return undefined;
  const { word, name } = split.value;
  const types = DRIVERS.flatMap(({ orders }) => orders).filter((type) => isMeant(word, type));
  return types.length === 0 ? undefined : { types, name };
}

/** The objects of these that are meant. */
export function objectsNamed<Named extends { readonly key: ObjectKey }>(
  objects: readonly Named[],
  { types, name }: ObjectRef,
): readonly Named[] {
  return objects.filter(
    ({ key }) =>
      key.name === name && types.some((type) => type.group === key.group && type.kind === key.kind),
  );
}

/** The schedules of a change set that are meant; several namespaces may have one of the name. */
export function schedulesNamed(
  schedules: readonly ScheduleChanges[],
  { types, name }: ObjectRef,
): readonly ScheduleChanges[] {
  return schedules.filter(
    ({ key, type }) =>
      key.name === name &&
      types.some((one) => apiVersionOf(one) === apiVersionOf(type) && one.kind === type.kind),
  );
}

export function severalText(hits: readonly { readonly key: ObjectKey }[], plural = 'schedules'): string {
  const list = hits.map(({ key }) => `\n  ${escapeText(keyText(key))}`).join('');
  return `several ${plural} have this name; choose one with -n NAMESPACE or KIND.GROUP/NAME:${list}`;
}

/** What the configuration turned off of the kinds that were meant. */
function offText({ types }: ObjectRef, used: readonly ScheduleKind[]): string {
  const off = KINDS.filter((kind) => types.includes(kind.resource) && !used.includes(kind));
  return off.map(({ id }) => `; the configuration says ${fieldOf(id)}: off, so none is read`).join('');
}

/** @param used the kinds that were read */
export function noneText(
  schedules: readonly ScheduleChanges[],
  ref: ObjectRef,
  used: readonly ScheduleKind[],
): string {
  const { types, name } = ref;
  const kinds = new Set(types.map(({ kind }) => kind));
  const names = schedules.filter(({ key }) => kinds.has(key.kind)).map(({ key }) => key.name);
  const nearest = nearestName(name, names);
  const meant = nearest === undefined ? '' : `; did you mean ${escapeText(nearest)}?`;
  return `no ${[...kinds].join(' or ')} named ${escapeText(name)} was found in what was read${meant}${offText(ref, used)}`;
}
