import { parseDocument } from 'yaml';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { badRequest, invalid, Refused } from '#test/fakes/api-server/answer.ts';
import { type Call, isBuiltIn } from '#test/fakes/api-server/scene.ts';
import { pruned, unknownFields } from '#test/fakes/api-server/schema.ts';

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(badRequest('the object provided is unrecognized (must be of type Object)'));
  }
}

/** The object in a body; its type has to be the one of the path, its namespace too. */
export function objectOf({ body, kind: { type }, access }: Call): KubeObject {
  const value = jsonOf(body);
  if (!isObject(value) || !isObject(value['metadata']))
    throw new Refused(badRequest('the object provided is unrecognized (must be of type Object)'));
  const { apiVersion, kind } = value;
  if (kind !== type.kind && !isBuiltIn(type) && apiVersion === apiVersionOf(type)) {
    const { name } = value['metadata'];
    const sent = { ...type, kind: String(kind) };
    throw new Refused(
      invalid(sent, String(name), 'kind', `Invalid value: "${sent.kind}": must be ${type.kind}`),
    );
  }
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
    const what = `${String(kind)} in version "${String(apiVersion)}" cannot be handled as a ${type.kind}`;
    throw new Refused(badRequest(what));
  }
  const { namespace } = value['metadata'];
  if (namespace !== undefined && namespace !== '' && namespace !== access.namespace) {
    throw new Refused(
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    );
  }
  // Names are checked by what follows; everything else of an object is its own.
  const metadata = { name: '', ...value['metadata'] };
  return { ...value, apiVersion: apiVersionOf(type), kind: type.kind, metadata };
}

/** A key that a body gives twice, in the words of the library that reads it on a server. */
export function duplicateKey(text: string): string | undefined {
  const { errors } = parseDocument(text, { uniqueKeys: true, prettyErrors: false });
  const twice = errors.find(({ code }) => code === 'DUPLICATE_KEY');
  if (twice === undefined) return undefined;
  const [, key = ''] = /"([^"]*)"/.exec(text.slice(twice.pos[0])) ?? [];
  return `yaml: unmarshal errors:\n  line 1: key "${key}" already set in map`;
}

export interface Checked {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** Fields that no schema knows are refused, or dropped with a warning or without. */
export function checkFields({ kind, query }: Call, object: KubeObject): Checked {
  const unknown = unknownFields(kind, object).map((field) => `unknown field "${field}"`);
  const validation = query.get('fieldValidation') ?? 'Warn';
  if (unknown.length > 0 && validation === 'Strict') {
    const { type } = kind;
    const what = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}`;
    throw new Refused(badRequest(`${what}: strict decoding error: ${unknown.join(', ')}`));
  }
  return { object: pruned(kind, object), warnings: validation === 'Warn' ? unknown : [] };
}
