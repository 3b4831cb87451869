import { join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { keyText } from '#core/object/key.ts';
import type { ObjectKey, Place } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import { damageAdvice, isHarmlessToMiss } from './damage-advice.ts';
import type { Entry, UnreadFolder } from './read-entries.ts';
import type { Session } from './session.ts';
import type { Stored } from './state-object.ts';
import { folderOf, kindFolder, namespaceOfFolder } from './state-path.ts';
import { shownFile } from './state-place.ts';
import { StoreFailure } from './store-failure.ts';

type Damaged = Extract<Stored, { state: 'damaged' }>;

/** Namespaces of which some object could not be read, each with the first reason. */
export type Incomplete = Map<string, string>;

const EVENTS = kindFolder(EVENT.group, EVENT.kind);

function note(incomplete: Incomplete, namespace: string, reason: string): void {
  if (!incomplete.has(namespace)) incomplete.set(namespace, reason);
}

function damage(session: Session, path: string, found: Damaged): string {
  const file = join(session.place?.root ?? '', found.file ?? path);
  return `The state file ${file} cannot be used: ${found.reason}.`;
}

/** @param isText whether the file has lines that a picture can be made of */
function placeOf(session: Session, path: string, isText: boolean): { readonly place?: Place } {
  return isText ? { place: { file: shownFile(session, path), line: 1, column: 1 } } : {};
}

function damageDiagnostic(session: Session, { path, known }: Entry, found: Damaged): Diagnostic {
  const key = known.declared?.key;
  const isEvent = path.startsWith(`${EVENTS}/`);
  return {
    code: 'StateDamaged',
    severity: isEvent ? 'warning' : 'error',
    ...(key === undefined ? {} : { object: key }),
    ...placeOf(session, path, found.isText === true),
    what: damage(session, path, found),
    why: `what was recorded of ${key === undefined ? 'the object' : keyText(key)} is not known, so nothing is done ${isHarmlessToMiss(known) ? 'for it' : 'that depends on it'}`,
    fix: damageAdvice(path, known),
  };
}

function namespaceOf(type: ResourceType, path: string): string | undefined {
  const namespace = namespaceOfFolder(folderOf(path));
  return type.namespaced === (namespace !== '') ? namespace : undefined;
}

/**
 * Reports a file that cannot be used, and marks what may be missing: nothing but the object itself where it is a
 * schedule, else its namespace.
 * @throws StoreFailure where the namespace cannot be told: then the whole kind is unreadable
 */
export function noteDamage(
  session: Session,
  type: ResourceType,
  { entry, found }: { readonly entry: Entry; readonly found: Damaged },
  incomplete: Incomplete,
): void {
  const { path, known } = entry;
  if (!isHarmlessToMiss(known)) {
    const failure = new StoreFailure('transient', damage(session, path, found), damageAdvice(path, known));
    const namespace = known.declared?.key.namespace ?? namespaceOf(type, path);
    if (namespace === undefined) throw failure;
    // The advice is told once, with the finding.
    note(incomplete, namespace, failure.what);
    // A file that was moved by hand: the object is missing where it belongs, too.
    if (found.holds !== undefined) note(incomplete, found.holds.namespace, failure.what);
  }
  session.report(damageDiagnostic(session, entry, found));
}

/** @throws StoreFailure where the folder does not say which namespace it is of */
export function noteUnread(
  session: Session,
  type: ResourceType,
  { folder, reason }: UnreadFolder,
  incomplete: Incomplete,
): void {
  const fix = 'give this user a folder that can be read there, from a backup if its files are lost';
  const what = `The folder ${join(session.place?.root ?? '', folder)} cannot be read: ${reason}.`;
  const failure = new StoreFailure('transient', what, fix);
  const namespace = namespaceOf(type, `${folder}/`);
  if (namespace === undefined) throw failure;
  note(incomplete, namespace, failure.what);
  const why = 'what was recorded in that namespace is not known, so nothing is done that depends on it';
  session.report({ code: 'StateDamaged', severity: 'error', what, why, fix });
}

/** The object that a manifest spells out so that nobody can use it, where it may be this one. */
export function unusableAt(session: Session, wanted: ObjectKey): string | undefined {
  const found = session.unusable.find((one) => {
    const { key, namespaceTold } = one;
    const isHere = !namespaceTold || (key.namespace || 'default') === wanted.namespace;
    return isOfType(one, wanted) && isHere && (key.name === '' || key.name === wanted.name);
  });
  return found === undefined ? undefined : unusableReason(found);
}

function unusableReason({ key, place }: UnusableObject): string {
  const where = place === undefined ? '' : `, ${place.file}:${place.line}`;
  const what = key.name === '' ? `a ${key.kind} without a usable name` : keyText(key);
  return `the manifest of ${what} cannot be used${where}`;
}

/** An apiVersion that could not be read may be any. */
function isOfType({ key }: UnusableObject, { group, kind }: Pick<ResourceType, 'group' | 'kind'>): boolean {
  return key.kind === kind && (key.group === group || key.group === '');
}

/** Marks where objects are spelled out that cannot be used: they may exist all the same. */
export function noteUnusable(session: Session, type: ResourceType, incomplete: Incomplete): void {
  for (const one of session.unusable) {
    if (!isOfType(one, type)) continue;
    const own = type.namespaced ? [one.key.namespace || 'default'] : [''];
    const namespaces = one.namespaceTold || !type.namespaced ? own : session.manifests.namespaces();
    for (const namespace of namespaces) note(incomplete, namespace, unusableReason(one));
  }
}
