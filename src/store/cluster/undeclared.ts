import { isObject, sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { Answer } from './answer.ts';
import type { Session } from './session.ts';
import { statusSchema, undeclaredIn } from './status-schema.ts';

/**
 * Paths below `.status` that an older definition does not declare, from the message of its refusal (kubernetes-api.md),
 * without places in lists. It names one of them, or one for each level; none where the refusal says something else.
 */
export function undeclaredFields(answer: Answer): readonly string[] {
  if (answer.state !== 'refused' || answer.status !== 500) return [];
  const found = answer.message.matchAll(
    /\s\.status\.((?:[^\s:[]|\[[^\]]*\])+): field not declared in schema/g,
  );
  return [...found].map(([, path = '']) => path.replace(/\[[^\]]*\]/g, ''));
}

function without(value: Json, [head, ...rest]: readonly string[]): Json {
  if (Array.isArray(value))
    return value.map((item) => without(item, head === undefined ? [] : [head, ...rest]));
  if (head === undefined || !isObject(value)) return value;
  const { [head]: child, ...others } = value;
  if (child === undefined || rest.length === 0) return others;
  return { ...value, [head]: without(child, rest) };
}

export function withoutUndeclared(session: Session, type: ResourceType, fields: JsonObject): JsonObject {
  const paths = [...(session.undeclared.get(typeId(type)) ?? [])];
  const left = paths.reduce<Json>((value, path) => without(value, path.split('.')), fields);
  return isObject(left) ? left : fields;
}

function ownedFields({ metadata: { managedFields = [] } }: KubeObject): ReadonlySet<string> | undefined {
  const ours = managedFields.find(
    ({ manager, operation, subresource }) =>
      manager === FIELD_MANAGER && operation === 'Apply' && subresource === 'status',
  );
  const status = ours?.fieldsV1?.['f:status'];
  return isObject(status) ? new Set(Object.keys(status).map((mark) => mark.slice(2))) : undefined;
}

/** Whether the one is the other with nothing but some members left out. */
function isPartOf(stored: Json | undefined, wanted: Json | undefined): boolean {
  if (stored === undefined) return true;
  if (Array.isArray(stored) && Array.isArray(wanted)) {
    return stored.length === wanted.length && stored.every((item, index) => isPartOf(item, wanted[index]));
  }
  if (!isObject(stored) || !isObject(wanted)) return sameValue(stored, wanted);
  return Object.keys(stored).every(
    (name) => Object.hasOwn(wanted, name) && isPartOf(stored[name], wanted[name]),
  );
}

/**
 * What is written of a status looks as if the definition had refused the rest before: all that we own stands as
 * wanted, and what else is wanted is neither there nor ours. Then it is worth to look the definition up, once.
 */
function mayBeRefused(live: KubeObject, fields: JsonObject): boolean {
  const owned = ownedFields(live);
  if (owned === undefined) return false;
  const status = isObject(live.status) ? live.status : {};
  const kept = [...owned].every((field) => Object.hasOwn(fields, field));
  return (
    kept &&
    Object.keys(fields).every(
      (field) => isPartOf(status[field], fields[field]) && (status[field] !== undefined || !owned.has(field)),
    )
  );
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
  for (const path of undeclaredIn(await statusSchema(session, type), fields))
    session.noteUndeclared(type, path);
  const left = withoutUndeclared(session, type, fields);
  const status = isObject(live.status) ? live.status : {};
  return Object.keys(left).every((field) => sameValue(status[field], left[field])) ? live : undefined;
}
