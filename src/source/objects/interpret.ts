import type { Severity } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, Place, SourcedObject } from '#core/object/object.ts';
import type { Built } from '#source/text/built.ts';
import { childMarks, findMark, type Marks, markAt } from '#source/text/marks.ts';
import type { Fault, Problem, Report } from '#source/text/problem.ts';
import { encrypted, encryptedPath, encryptedValue, isEncrypted } from './encrypted.ts';
import { isKustomization, kustomization } from './kustomization-file.ts';
import { listItems } from './list-items.ts';
import { statedKey } from './object-key.ts';
import { readObject } from './read-object.ts';

export interface DocumentContext {
  readonly file: string;
  /** Found in a folder, not named by the user. */
  readonly scanned: boolean;
  /** Somewhere in the file is a value that SOPS encrypted. */
  readonly hasCiphertext: boolean;
  readonly place: (at: number) => Place;
  readonly report: Report;
}

/** Objects of one document; undefined when it was never meant as one for the cluster. */
export function interpret(built: Built, context: DocumentContext): readonly SourcedObject[] | undefined {
  const { value, marks } = built;
  if (value === null) return [];
  if (!isObject(value)) return foreign(marks, context, notAMapping(value));
  if (isEncrypted(value)) return refuseEncrypted(encrypted, value, marks, context);
  if (isKustomization(value, context.file)) return reported(kustomization, 'note', marks, context);
  if (isForeign(value)) return foreign(marks, context, untyped(value));
  return objectsIn(value, marks, context);
}

/** The place is that of the object: the line of an encrypted value is not shown. */
function refuseEncrypted(fault: Fault, value: JsonObject, marks: Marks, context: DocumentContext): undefined {
  const severity = context.scanned && value['kind'] === 'Secret' ? 'warning' : 'error';
  const object = statedKey(value);
  context.report({ ...fault, severity, at: markAt(marks), ...(object === undefined ? {} : { object }) });
  return undefined;
}

function reported(fault: Fault, severity: Severity, marks: Marks, context: DocumentContext): undefined {
  context.report({ ...fault, severity, at: markAt(marks) });
  return undefined;
}

/** Values files, CI files, charts: kubectl refuses them; in a folder they are mostly no mistake. */
function foreign(marks: Marks, context: DocumentContext, what: string): undefined {
  const fault: Fault = {
    code: 'NotAnObject',
    what,
    why: 'an object of the Kubernetes API has apiVersion, kind and metadata',
    fix: context.scanned
      ? 'keep it outside the folder if the warning is in the way'
      : 'name files of manifests only',
  };
  return reported(fault, context.scanned ? 'warning' : 'error', marks, context);
}

function shownValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'a mapping' : `the ${typeof value} ${JSON.stringify(value).slice(0, 60)}`;
}

function notAMapping(value: Json): string {
  return `the document is ${shownValue(value)}, not an object`;
}

/** A list of the API whose `items` are none; a kind of somebody's own that ends in List has a name. */
function itemsFault(value: JsonObject): Fault | undefined {
  const { kind, items, metadata } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List')) return undefined;
  if (items === undefined || items === null || Array.isArray(items)) return undefined;
  if (kind !== 'List' && isObject(metadata) && metadata['name'] !== undefined) return undefined;
  return {
    code: 'NotAnObject',
    what: `items is ${shownValue(items)}, not a list`,
    why: `a ${kind} holds its objects in items`,
    fix: 'write items as a list of objects',
  };
}

function itemFault(item: Json, index: number): Fault {
  return {
    code: 'NotAnObject',
    what: `item ${index} of the list is ${shownValue(item)}, not an object`,
    why: 'each item of a list is an object with apiVersion, kind and metadata',
    fix: 'write an object, or remove the item',
  };
}

function untyped(value: JsonObject): string {
  const missing = ['apiVersion', 'kind'].filter((field) => value[field] === undefined).join(' and no ');
  return `the document has no ${missing}`;
}

/** With metadata it was meant as an object and its fault is an error wherever it stands. */
export function isForeign(value: Json): boolean {
  if (!isObject(value)) return value !== null;
  return (
    (value['apiVersion'] === undefined || value['kind'] === undefined) && value['metadata'] === undefined
  );
}

function objectsIn(value: JsonObject, marks: Marks, context: DocumentContext): readonly SourcedObject[] {
  const items = listItems(value);
  if (items === undefined) {
    const misfit = itemsFault(value);
    return misfit === undefined
      ? sourced(value, marks, context)
      : (reported(misfit, 'error', childMarks(marks, 'items') ?? marks, context) ?? []);
  }
  const itemMarks = childMarks(marks, 'items') ?? marks;
  return items.flatMap((item, index) => {
    const mark = childMarks(itemMarks, index) ?? itemMarks;
    if (isObject(item)) return objectsIn(item, mark, context);
    reported(itemFault(item, index), 'error', mark, context);
    return [];
  });
}

function sourced(value: JsonObject, marks: Marks, context: DocumentContext): readonly SourcedObject[] {
  const { place, report, hasCiphertext } = context;
  const hidden = hasCiphertext ? encryptedPath(value) : undefined;
  if (hidden !== undefined) return refuseEncrypted(encryptedValue(hidden), value, marks, context) ?? [];
  const reading = readObject(value);
  if ('object' in reading) {
    return [{ object: reading.object, placeOf: (path: FieldPath) => place(findMark(marks, path)) }];
  }
  const key = statedKey(value);
  const about: Partial<Problem> = key === undefined ? {} : { object: key };
  for (const fault of reading.faults)
    report({ ...fault, ...about, severity: 'error', at: findMark(marks, fault.path) });
  return [];
}
