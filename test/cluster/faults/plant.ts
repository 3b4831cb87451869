import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { TEMPLATE } from '#test/cli/manifests.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { APPLY, type CreateBody, create, MERGE, must, pathOf, remove } from '#test/cluster/world/api.ts';
import { TYPES } from '#test/scenarios/support/scenario-store.ts';

/** By the uid that an object has in its scenario: the one that the server gave it. */
type Uids = ReadonlyMap<string, string>;

function typeOf({ kind, apiVersion }: KubeObject): ResourceType {
  const type = TYPES.find((one) => one.kind === kind && apiVersion.startsWith(one.group));
  if (type === undefined) throw new Error(`no resource for ${kind} in ${apiVersion}`);
  return type;
}

function withUids(object: KubeObject, uids: Uids): KubeObject {
  return JSON.parse(JSON.stringify(object), (_key, member) =>
    typeof member === 'string' ? (uids.get(member) ?? member) : member,
  );
}

/** What a server takes: the rest it sets itself. A Job of a scenario says only what matters there. */
function creatable({ status: _status, metadata, ...object }: KubeObject, namespace: string): CreateBody {
  const { name, labels, annotations, ownerReferences, finalizers } = metadata;
  const kept = { name, namespace, labels, annotations, ownerReferences, finalizers };
  const spec = object.kind === 'Job' ? { ...Object(TEMPLATE['spec']), ...Object(object.spec) } : object.spec;
  return { ...object, spec, metadata: kept };
}

function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): readonly string[] {
  return Object.keys(Object(fieldsV1?.['f:status'])).map((mark) => mark.slice('f:'.length));
}

/** The Job controller says first that a Job is about to end, and a server insists on it. */
const ANNOUNCED: Readonly<Record<string, string>> = {
  Complete: 'SuccessCriteriaMet',
  Failed: 'FailureTarget',
};

function statusOf({ kind, status }: KubeObject): JsonObject {
  const all = Object(status);
  const conditions: readonly JsonObject[] = all.conditions ?? [];
  const end = conditions.find(({ type }) => kind === 'Job' && String(type) in ANNOUNCED);
  if (end === undefined) return all;
  const { lastTransitionTime: time } = end;
  const announced = { ...end, type: ANNOUNCED[String(end['type'])] ?? '' };
  const completion = end['type'] === 'Complete' ? { completionTime: time } : {};
  return { startTime: time, ...completion, ...all, conditions: [announced, ...conditions] };
}

/** Each of the managers that the object names writes what it owns; where none is named, one did all of it. */
async function writeStatus(server: Endpoint, object: KubeObject, namespace: string): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  if (object.status === undefined) return;
  const status = statusOf(object);
  const { name, managedFields = [] } = metadata;
  const path = pathOf({ type: typeOf(object), namespace, name }, 'status');
  if (managedFields.length === 0) {
    await must(server, 'PATCH', `${path}?fieldManager=operator`, { status }, MERGE);
  }
  for (const entry of managedFields) {
    const owned = Object.entries(status).filter(([field]) => fieldsOf(entry).includes(field));
    const part = { status: Object.fromEntries(owned) };
    const url = `${path}?fieldManager=${entry.manager ?? ''}`;
    if (entry.operation === 'Apply') {
      await must(server, 'PATCH', url, { apiVersion, kind, metadata: { name }, ...part }, APPLY);
    } else {
      await must(server, 'PATCH', url, part, MERGE);
    }
  }
}

/** Owners first, since what they own names the uids that the server gave them. */
async function createAll(server: Endpoint, objects: readonly KubeObject[], namespace: string): Promise<Uids> {
  const uids = new Map<string, string>();
  let waiting = objects;
  while (waiting.length > 0) {
    const named = waiting.flatMap(({ metadata: { uid } }) => uid ?? []);
    const ready = waiting.filter(({ metadata }) => {
      const { uid, ...rest } = metadata;
      const text = JSON.stringify(rest);
      return named.every((one) => one === uid || !text.includes(JSON.stringify(one)));
    });
    if (ready.length === 0) throw new Error('objects own each other');
    for (const object of ready) {
      const body = creatable(withUids(object, uids), namespace);
      const { metadata } = await create(server, typeOf(object), body);
      if (object.metadata.uid !== undefined) uids.set(object.metadata.uid, metadata?.uid ?? '');
    }
    waiting = waiting.filter((object) => !ready.includes(object));
  }
  return uids;
}

/**
 * Brings the objects of a scenario into a namespace of a real server. What the scenario says of uids is said of those
 * that the server gave.
 */
export async function plant(
  server: Endpoint,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<void> {
  const uids = await createAll(server, objects, namespace);
  for (const object of objects) await writeStatus(server, withUids(object, uids), namespace);
  for (const object of objects) {
    const { deletionTimestamp, name } = object.metadata;
    if (deletionTimestamp !== undefined) await remove(server, { type: typeOf(object), namespace, name });
  }
}
