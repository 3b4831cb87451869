import * as z from 'zod/mini';
import type { NoteTree } from '#api/custom-resource.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

/** What a half of a custom resource is made of. */
interface Source {
  readonly schema: z.ZodMiniType;
  readonly notes: NoteTree;
  readonly nullable: boolean;
}

/** Keywords that are taken over as zod writes them. */
const KEPT = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'];

const ANY_TEXT_OR_INTEGER: JsonObject = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
};

class Unsayable extends Error {}

function unsayable(path: string, why: string): never {
  throw new Unsayable(`${path}: ${why}`);
}

/** zod bounds every integer by what a double holds exactly; for the API that is no limit. */
function isNoLimit(keyword: string, value: Json): boolean {
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

function kept(json: JsonObject): JsonObject {
  const entries = KEPT.flatMap((keyword): [string, Json][] => {
    const value = json[keyword];
    return value === undefined || isNoLimit(keyword, value) ? [] : [[keyword, value]];
  });
  return Object.fromEntries(entries);
}

function isTextOrInteger({ anyOf }: JsonObject): boolean {
  if (!Array.isArray(anyOf)) return false;
  const types = anyOf.map((one: Json) => (isObject(one) ? one.type : undefined));
  return types.length === 2 && types.includes('string') && types.includes('integer');
}

/** A number of whole steps is an integer of any size. */
function typeOf(json: JsonObject, path: string): string {
  if (json.type === 'number' && json.multipleOf === 1) return 'integer';
  return typeof json.type === 'string' ? json.type : unsayable(path, 'has no type');
}

/** An open object keeps what it does not know; `{}` is how zod says so. */
function isOpen({ additionalProperties }: JsonObject): boolean {
  return isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
}

type Annotation = Exclude<NoteTree, { readonly instead: JsonObject }>;

function properties(json: JsonObject, notes: Annotation, context: Context): JsonObject {
  if (!isObject(json.properties)) return {};
  const required = Array.isArray(json.required) ? json.required : [];
  const fields = Object.entries(json.properties).map(([name, property]) => {
    const path = `${context.path}.${name}`;
    const note = notes.fields?.[name] ?? unsayable(path, 'has no note');
    const optional = !required.includes(name);
    const schema = structural(property, note, { ...context, path });
    return [name, context.nullable && optional ? { ...schema, nullable: true } : schema];
  });
  return {
    ...(required.length === 0 ? {} : { required }),
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
  };
}

interface Context {
  readonly path: string;
  readonly nullable: boolean;
}

function inside(json: JsonObject, notes: Annotation, context: Context): JsonObject {
  if (isTextOrInteger(json)) return ANY_TEXT_OR_INTEGER;
  const type = typeOf(json, context.path);
  switch (type) {
    case 'object':
      return {
        type,
        ...properties(json, notes, context),
        ...(isOpen(json) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      };
    case 'array': {
      const path = `${context.path}[]`;
      const items = notes.items ?? unsayable(path, 'has no note');
      return { type, items: structural(json.items ?? {}, items, { ...context, path }) };
    }
    case 'string':
    case 'integer':
    case 'boolean':
      return { type };
    default:
      return unsayable(context.path, `is of type ${type}`);
  }
}

/** A structural schema: every level typed, nothing but what a CustomResourceDefinition takes. */
function structural(json: Json, notes: NoteTree, context: Context): JsonObject {
  if ('instead' in notes) return notes.instead;
  if (!isObject(json)) return unsayable(context.path, 'is no schema');
  const rules = (notes.rules ?? []).map((rule): JsonObject => ({ ...rule }));
  return {
    description: notes.description,
    ...inside(json, notes, context),
    ...kept(json),
    ...notes.more,
    ...(notes.default === undefined ? {} : { default: notes.default }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}

export function structuralSchema({ schema, notes, nullable }: Source, path: string): JsonObject {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  return structural(JSON.parse(JSON.stringify(json)), notes, { path, nullable });
}
