import { isObject, sameValue } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { Answer } from './answer.ts';
import type { Session } from './session.ts';

/**
 * The top-level status field that an older definition does not declare, from the message of its refusal
 * (kubernetes-api.md); undefined where the refusal says something else.
 */
export function undeclaredField(answer: Answer): string | undefined {
  if (answer.state !== 'refused' || answer.status !== 500) return undefined;
  return /\.status\.([A-Za-z0-9_]+)\S*: field not declared in schema/.exec(answer.message)?.[1];
}

export function withoutUndeclared(session: Session, type: ResourceType, fields: JsonObject): JsonObject {
  const undeclared = session.undeclared.get(typeId(type));
  if (undeclared === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !undeclared.has(field)));
}

function ownedFields({ metadata: { managedFields = [] } }: KubeObject): ReadonlySet<string> | undefined {
  const ours = managedFields.find(
    ({ manager, operation, subresource }) =>
      manager === FIELD_MANAGER && operation === 'Apply' && subresource === 'status',
  );
  const status = ours?.fieldsV1?.['f:status'];
  return isObject(status) ? new Set(Object.keys(status).map((mark) => mark.slice(2))) : undefined;
}

/**
 * What is written of a status looks as if the definition had refused the rest before: all that we own stands as
 * wanted, and what else is wanted is neither there nor ours. Then it is worth to look the definition up, once.
 */
function mayBeRefused(live: KubeObject, fields: JsonObject): boolean {
  const owned = ownedFields(live);
  if (owned === undefined) return false;
  const status = isObject(live.status) ? live.status : {};
  const differing = Object.keys(fields).filter((field) => !sameValue(status[field], fields[field]));
  const kept = [...owned].every((field) => Object.hasOwn(fields, field));
  return kept && differing.every((field) => status[field] === undefined && !owned.has(field));
}

function declaredIn(document: JsonObject, type: ResourceType): ReadonlySet<string> | undefined {
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
  if (!isObject(status) || status['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  return isObject(status['properties']) ? new Set(Object.keys(status['properties'])) : undefined;
}

/** Asks the server which of the fields it would refuse. */
async function lookUp(session: Session, type: ResourceType, fields: JsonObject): Promise<void> {
  session.undeclared.set(typeId(type), new Set());
  const path = `/openapi/v3/apis/${apiVersionOf(type)}`;
  const answer = await session.client.send({ method: 'GET', path });
  const declared = answer.state === 'ok' ? declaredIn(answer.body, type) : undefined;
  if (declared === undefined) return;
  for (const field of Object.keys(fields)) {
    if (!declared.has(field)) session.noteUndeclared(type, field);
  }
}

/**
 * Whether an apply would change nothing, because all that it still wants is what the definition of the type does not
 * declare. Without this look an older definition would be refused the same write in every tick.
 */
export async function isRefusedForGood(
  session: Session,
  type: ResourceType,
  key: ObjectKey,
  fields: JsonObject,
): Promise<KubeObject | undefined> {
  const live = session.lastSeen(type, key);
  if (live === undefined || !mayBeRefused(live, fields)) return undefined;
  if (!session.undeclared.has(typeId(type))) await lookUp(session, type, fields);
  const left = withoutUndeclared(session, type, fields);
  const status = isObject(live.status) ? live.status : {};
  return Object.keys(left).every((field) => sameValue(status[field], left[field])) ? live : undefined;
}
