import { isObject } from '#core/object/canonical.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { Json, JsonObject, Place, SourcedObject } from '#core/object/object.ts';
import { groupOf } from '#core/object/resource.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import type { Built } from '#source/text/built.ts';
import { childMarks, type Marks, markAt } from '#source/text/marks.ts';
import type { Problem } from '#source/text/problem.ts';
import { isForeign } from './interpret.ts';
import { listItems } from './list-items.ts';
import { isTold, textOf } from './object-key.ts';

/** A document whose objects, or some of them, did not come out of it. */
export interface LossyDocument {
  readonly built: Built;
  readonly objects: readonly SourcedObject[];
  /** Errors, with paths that start at the object. */
  readonly errors: readonly Problem[];
  /** Where the text stopped making sense; undefined when all of it was read. */
  readonly brokenAt: number | undefined;
  readonly place: (at: number) => Place;
}

interface Part {
  readonly value: JsonObject;
  readonly marks: Marks;
}

function partsOf(value: Json | undefined, marks: Marks): readonly Part[] {
  if (value === undefined || !isObject(value)) return [];
  const items = listItems(value);
  if (items === undefined) return [{ value, marks }];
  const list = childMarks(marks, 'items') ?? marks;
  return items.flatMap((item, index) => partsOf(item, childMarks(list, index) ?? list));
}

/** Of a document that broke off, metadata is whole where another key of the object follows it. */
function isMetadataWhole({ marks }: Part, brokenAt: number | undefined): boolean {
  if (brokenAt === undefined) return true;
  if (typeof marks === 'number' || 'items' in marks) return false;
  const at = marks.keyAts[marks.keys.indexOf('metadata')];
  return at !== undefined && marks.keyAts.some((other) => other > at && other < brokenAt);
}

function isNamespaceInDoubt(errors: readonly Problem[]): boolean {
  return errors.some(
    ({ code, path = [] }) => code === 'DuplicateKey' && /^metadata(?:\/namespace)?$/.test(path.join('/')),
  );
}

function readable(value: Json | undefined): string | undefined {
  const text = textOf(value);
  return text === undefined || !isTold(text) ? undefined : text;
}

function lostObject(part: Part, document: LossyDocument): UnusableObject | undefined {
  const { value, marks } = part;
  const kind = readable(value['kind']);
  if (kind === undefined || isForeign(value)) return undefined;
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const stated = metadata['namespace'] ?? '';
  const namespace = readable(stated);
  // A template is no object yet: where it will end up is not known, and nothing of it runs.
  if (namespace === undefined && document.errors.some(({ code }) => code === 'TemplateSyntax'))
    return undefined;
  const isAbsent = stated === '' && isObject(value['metadata']) && isMetadataWhole(part, document.brokenAt);
  const group = groupOf(textOf(value['apiVersion']) ?? '');
  return {
    key: { group, kind, namespace: namespace ?? '', name: readable(metadata['name']) ?? '' },
    namespaceTold: (namespace !== undefined || isAbsent) && !isNamespaceInDoubt(document.errors),
    place: document.place(markAt(marks)),
  };
}

/** What a document spells out and nobody can use, half recovered documents and the other items of a list included. */
export function lostObjects(document: LossyDocument): readonly UnusableObject[] {
  const used = new Set(document.objects.map(({ object }) => keyId(keyOf(object))));
  return partsOf(document.built.value, document.built.marks).flatMap((part) => {
    const lost = lostObject(part, document);
    return lost === undefined || used.has(keyId(lost.key)) ? [] : [lost];
  });
}
