import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import type { Session } from './session.ts';

function statusOf(document: JsonObject, type: ResourceType): JsonObject | undefined {
  const { components } = document;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  if (!isObject(schemas)) return undefined;
  const schema = Object.values(schemas).find((candidate) => {
    const kinds = isObject(candidate) ? candidate['x-kubernetes-group-version-kind'] : undefined;
    return (
      Array.isArray(kinds) &&
      kinds.some((one) => isObject(one) && one['kind'] === type.kind && one['group'] === type.group)
    );
  });
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const status = isObject(properties) ? properties['status'] : undefined;
  return isObject(status) ? status : undefined;
}

/** What the definition of a type says of its status, asked for once; undefined where the server does not tell. */
export async function statusSchema(session: Session, type: ResourceType): Promise<JsonObject | undefined> {
  const id = typeId(type);
  if (!session.statusSchemas.has(id)) {
    const path = `/openapi/v3/apis/${apiVersionOf(type)}`;
    const answer = await session.client.send({ method: 'GET', path });
    session.statusSchemas.set(id, answer.state === 'ok' ? statusOf(answer.body, type) : undefined);
  }
  return session.statusSchemas.get(id);
}

/** The paths in a value that a schema does not declare, with dots and without places in lists. */
export function undeclaredIn(schema: Json | undefined, value: Json | undefined): readonly string[] {
  if (!isObject(schema) || schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.flatMap((item) => undeclaredIn(items, item));
  }
  const { properties } = schema;
  if (!isObject(value) || !isObject(properties)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!Object.hasOwn(properties, name)) return [name];
    return undeclaredIn(properties[name], member).map((path) => `${name}.${path}`);
  });
}
