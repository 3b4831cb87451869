import fc from 'fast-check';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, KubeObject } from '#core/object/object.ts';

/** Twenty times what the reader of manifests lets in. */
const DEPTH = 2000;

function deep(): Json {
  let value: Json = 'end';
  for (let level = 0; level < DEPTH; level++) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

const LONG = 'x'.repeat(1_000_000);
const DEEP = deep();

/** What a single field may become, by name so that a failure can be read. */
const POISONS: Readonly<Record<string, Json>> = {
  null: null,
  'an empty list': [],
  'an empty mapping': {},
  zero: 0,
  'a negative number': -1,
  'an empty text': '',
  'a text of a megabyte': LONG,
  'a deep value': DEEP,
  true: true,
};

function pathsIn(value: Json | undefined, path: FieldPath): FieldPath[] {
  if (value === undefined) return [];
  const inner = Array.isArray(value)
    ? value.flatMap((item: Json, at) => pathsIn(item, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))
      : [];
  return [path, ...inner];
}

function replaced(value: Json, [key, ...rest]: FieldPath, poison: Json): Json {
  if (key === undefined) return poison;
  if (Array.isArray(value))
    return value.map((item: Json, at) => (at === key ? replaced(item, rest, poison) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: replaced(value[key] ?? null, rest, poison) };
}

/** Types of metadata are checked before an object gets in; values are not. */
function fitsMetadata(before: Json, poison: Json): boolean {
  if (Array.isArray(before)) return Array.isArray(poison);
  return typeof before === typeof poison && !Array.isArray(poison) && poison !== null;
}

function at(value: Json, path: FieldPath): Json {
  return path.reduce<Json>((holder, key) => {
    if (Array.isArray(holder)) return holder[Number(key)] ?? null;
    return isObject(holder) ? (holder[String(key)] ?? null) : null;
  }, value);
}

export interface Poisoned {
  readonly object: KubeObject;
  readonly what: string;
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** The object with one field, anywhere in it, replaced by something that does not belong there. */
export function somePoisoned(object: KubeObject): fc.Arbitrary<Poisoned> {
  const { metadata, spec, status } = object;
  const plain = asJson({ metadata, spec, status });
  const paths = pathsIn(plain, []).filter(
    (path) => path.length > 1 || (path.length === 1 && path[0] !== 'metadata'),
  );
  return fc
    .record({ path: fc.constantFrom(...paths), name: fc.constantFrom(...Object.keys(POISONS)) })
    .filter(
      ({ path, name }) => path[0] !== 'metadata' || fitsMetadata(at(plain, path), POISONS[name] ?? null),
    )
    .map(({ path, name }) => {
      const changed = replaced(plain, path, POISONS[name] ?? null);
      return {
        object: Object.assign({ ...object }, changed),
        what: `${object.kind} ${path.join('.')}: ${name}`,
      };
    });
}
