import type { ScheduleChanges } from '#core/change/change-set.ts';
import { fieldOf } from '#core/field-of.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { compareKeys, keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';
import { PROGRAM } from './program.ts';
import type { Tick } from './tick.ts';

/** What the user named: the kinds that the word may mean, and the name. */
export interface ObjectRef {
  readonly types: readonly ResourceType[];
  readonly name: string;
}

export type Found<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

const SCHEDULES = KINDS.map(({ resource }) => resource);
const ORDERS = DRIVERS.flatMap(({ orders }) => orders);

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

/** The types of the orders of drivers that a word means. */
function ordersOf(word: string): readonly ResourceType[] {
  return ORDERS.filter((type) => isMeant(word, type));
}

/** What a word means that is made for slots, or carried out by a driver, and has no slots itself. */
function withoutSlots(word: string): string | undefined {
  const maker = KINDS.find((kind) => isMeant(word, kind.run))?.resource.singular;
  const [order] = ordersOf(word);
  if (order === undefined)
    return maker === undefined
      ? undefined
      : `"${escapeText(word)}" is a run, and runs have no slots of their own: name its ${maker}`;
  const where = `${PROGRAM} explain ${order.singular}/NAME tells where it stands`;
  const named = maker === undefined ? where : `name the ${maker} that made it, if one did; ${where}`;
  return `"${escapeText(word)}" is no schedule, and has no slots: ${named}`;
}

/** One of these, by a name that is nearly right or by the list of all. */
function choiceOf(word: string, types: readonly ResourceType[]): string {
  const nearest = nearestName(word, types.flatMap(shortForms));
  const list = types.map(({ singular, group }) => `${singular}.${group}`).join(', ');
  return nearest === undefined ? `write one of ${list}` : `did you mean ${nearest}?`;
}

/** The types of schedules that a word means. */
export function kindsOf(word: string): Found<readonly ResourceType[]> {
  const types = SCHEDULES.filter((type) => isMeant(word, type));
  if (types.length > 0) return { ok: true, value: types };
  return refused(
    withoutSlots(word) ?? `"${escapeText(word)}" is no kind of schedule: ${choiceOf(word, SCHEDULES)}`,
  );
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

/** The same where orders of drivers can be named as well, which `readOrderRef` reads. */
export function readExplainedRef(words: readonly string[]): Found<ObjectRef> {
  const split = splitRef(words);
  if (!split.ok) return split;
  const { word, name } = split.value;
  const types = SCHEDULES.filter((type) => isMeant(word, type));
  if (types.length > 0) return { ok: true, value: { types, name } };
  const choice = choiceOf(word, [...SCHEDULES, ...ORDERS]);
  return refused(withoutSlots(word) ?? `"${escapeText(word)}" is nothing that can be explained: ${choice}`);
}

/** The same of an order of a driver; undefined where the word means none. */
export function readOrderRef(words: readonly string[]): ObjectRef | undefined {
  const split = splitRef(words);
  if (!split.ok) return undefined;
  const { word, name } = split.value;
  const types = ordersOf(word);
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

/** Where one of the name stands that was not selected. */
function elsewhereText(leftOut: readonly ObjectKey[], ref: ObjectRef): string {
  const hits = objectsNamed(
    leftOut.map((key) => ({ key })),
    ref,
  ).map(({ key }) => key);
  if (hits.length === 0) return '';
  const names = hits.sort(compareKeys).map((key) => escapeText(keyText(key)));
  return `; left out by what was selected: ${names.join(', ')}`;
}

/** @param tick which kinds were read, and which schedules left out */
export function noneText(
  schedules: readonly ScheduleChanges[],
  ref: ObjectRef,
  { kinds: used, leftOut }: Pick<Tick, 'kinds' | 'leftOut'>,
): string {
  const { types, name } = ref;
  const elsewhere = elsewhereText(leftOut, ref);
  const kinds = new Set(types.map(({ kind }) => kind));
  const names = schedules.filter(({ key }) => kinds.has(key.kind)).map(({ key }) => key.name);
  const nearest = nearestName(name, names);
  const meant = nearest === undefined || elsewhere !== '' ? '' : `; did you mean ${escapeText(nearest)}?`;
  const read = schedules.length === 0 ? '' : ` (${plural(schedules.length, 'schedule')})`;
  return `no ${[...kinds].join(' or ')} named ${escapeText(name)} was found in what was read${read}${elsewhere}${meant}${offText(ref, used)}`;
}
