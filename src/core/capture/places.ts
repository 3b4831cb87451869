import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Place, SourcedObject } from '#core/object/object.ts';
import { pointerOf } from '#core/object/pointer.ts';

/** Where the fields of one object stand: as a JSON pointer → the place of its key, then that of its value. */
export interface PlacesDocument {
  readonly file: string;
  readonly document?: number;
  readonly fields: Readonly<Record<string, string>>;
}

type PlaceOf = NonNullable<SourcedObject['placeOf']>;

/** No manifest spells a key so: what is missing below a field is placed at the field's key. */
const NOWHERE = '\0';

function pathsIn(value: unknown, path: FieldPath = []): readonly FieldPath[] {
  const members = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value).filter(([, member]) => member !== undefined)
      : [];
  return [path, ...members.flatMap(([step, member]) => pathsIn(member, [...path, step]))];
}

/** Part of a recorded object may stand in another file than the rest. */
function placeText({ file, line, column }: Place, home: string): string {
  return file === home ? `${line}:${column}` : `${line}:${column}:${file}`;
}

export function toPlacesDocument({ object, placeOf }: SourcedObject): PlacesDocument | undefined {
  if (placeOf === undefined) return undefined;
  const { file, document } = placeOf([]);
  const fields = pathsIn(object).map((path) => {
    const texts = [placeOf([...path, NOWHERE]), placeOf(path)].map((place) => placeText(place, file));
    return [pointerOf(path), [...new Set(texts)].join(' | ')] as const;
  });
  return { file, ...(document === undefined ? {} : { document }), fields: Object.fromEntries(fields) };
}

const PLACE = /^(\d{1,9}):(\d{1,9})(?::(.+))?$/s;

function readPlace(text: string, { file, document }: PlacesDocument): Place | undefined {
  const [, line, column, other] = PLACE.exec(text) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const at = { file: other ?? file, line: Number(line), column: Number(column) };
  return document === undefined || other !== undefined ? at : { ...at, document };
}

interface Mark {
  readonly key: Place;
  readonly value: Place;
}

function readMark(text: string, document: PlacesDocument): Mark | undefined {
  const [first = '', second = first] = text.split(' | ');
  const key = readPlace(first, document);
  const value = readPlace(second, document);
  return key === undefined || value === undefined ? undefined : { key, value };
}

/** The pointers whose places nobody can read. */
export function unreadablePlaces(document: PlacesDocument): readonly string[] {
  return Object.entries(document.fields).flatMap(([at, text]) =>
    readMark(text, document) === undefined ? [at] : [],
  );
}

/** The places as they were asked for; a field that the object does not have stands at the nearest parent's key. */
export function placesFrom(document: PlacesDocument): PlaceOf {
  const markAt = (path: FieldPath): Mark | undefined => {
    const text = document.fields[pointerOf(path)];
    return text === undefined ? undefined : readMark(text, document);
  };
  return (path) => {
    const exact = markAt(path);
    if (exact !== undefined) return exact.value;
    for (let length = path.length - 1; length >= 0; length -= 1) {
      const parent = markAt(path.slice(0, length));
      if (parent !== undefined) return parent.key;
    }
    return { file: document.file, line: 1, column: 1 };
  };
}
