import { Duration } from '@marcbachmann/cel-js/evaluator';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { asListType } from './cel/list-type.ts';
import { escapedName } from './field-name.ts';
import { hasFields, propertyOf, type Schema, schemaAt, textsOf } from './schema.ts';

/** Begins the names under which a map holds what takes part in comparisons and cannot be read. */
const HIDDEN = '\0';

/** A value whose type nothing but itself tells: whole numbers are integers, as a server reads JSON. */
export function plainValue(value: Json | undefined): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isObject(value)) return value ?? null;
  return new Map(Object.entries(value).map(([name, member]) => [name, plainValue(member)]));
}

/** What is null counts as absent among fields, and what the schema does not know cannot be read. */
function fieldsOf(value: JsonObject, schema: Schema): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    const escaped = escapedName(name);
    if (member === null || property === undefined || escaped === undefined)
      fields.set(HIDDEN + name, plainValue(member));
    else fields.set(escaped, typedValue(member, property));
  }
  return fields;
}

function entriesOf(value: JsonObject, schema: Schema): ReadonlyMap<string, unknown> {
  const values = schemaAt(schema, 'additionalProperties');
  return new Map(
    Object.entries(value).map(([key, member]) =>
      values === undefined ? [HIDDEN + key, plainValue(member)] : [key, typedValue(member, values)],
    ),
  );
}

function listOf(value: readonly Json[], schema: Schema): readonly unknown[] {
  const items = schemaAt(schema, 'items') ?? {};
  const list = value.map((item) => typedValue(item, items));
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return asListType(list, { is: 'set' });
  if (type !== 'map') return list;
  const keys = textsOf(schema['x-kubernetes-list-map-keys']).map((key) => escapedName(key) ?? key);
  return asListType(list, { is: 'map', keys });
}

const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

function durationOf(text: string): Duration | undefined {
  if (!/^[-+]?(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/g))
    total += Number(amount) * (NANOSECONDS[unit] ?? 0);
  const nanoseconds = Math.round(text.startsWith('-') ? -total : total);
  return new Duration(Math.trunc(nanoseconds / 1e9), nanoseconds % 1e9);
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What a text stands for by its format; one that is none is refused by the schema, not by a rule. */
function textValue(text: string, format: Json | undefined): unknown {
  switch (format) {
    case 'date':
    case 'date-time': {
      const date = new Date(text);
      return Number.isNaN(date.getTime()) ? text : date;
    }
    case 'duration':
      return durationOf(text) ?? text;
    case 'byte':
      return bytesOf(text) ?? text;
    default:
      return text;
  }
}

/** A value as the rules of a definition see it: typed by its schema. */
export function typedValue(value: Json, schema: Schema): unknown {
  if (typeof value === 'string') return textValue(value, schema['format']);
  if (typeof value === 'number') return schema['type'] === 'number' ? value : plainValue(value);
  if (Array.isArray(value)) return listOf(value, schema);
  if (!isObject(value)) return value;
  return hasFields(schema) ? fieldsOf(value, schema) : entriesOf(value, schema);
}
