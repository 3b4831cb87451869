import { FIELD_MANAGER } from '#core/writer.ts';
import { KINDS } from '#kinds/index.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { ClusterObject } from '#test/examples/cluster-files.ts';
import { mustKubectl } from './must-kubectl.ts';

export const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Who brought the manifests, and who carries runs out: two that are not this program. */
const PLANTER = 'planter';
const OPERATOR = 'operator';

type Uids = ReadonlyMap<string, string>;

type Metadata = ClusterObject['metadata'] & { readonly uid?: string; readonly [field: string]: unknown };

function uidOf({ metadata }: ClusterObject): string | undefined {
  return (metadata as Metadata).uid;
}

/** Every uid of a cluster is another one. */
function withUids(object: ClusterObject, uids: Uids): ClusterObject {
  return JSON.parse(JSON.stringify(object).replace(UID, (uid) => uids.get(uid) ?? uid)) as ClusterObject;
}

/** The uids of other objects that it names: those of owners. */
function ownersOf(object: ClusterObject): readonly string[] {
  const uid = uidOf(object);
  return (JSON.stringify(object).match(UID) ?? []).filter((one) => one !== uid);
}

/** What a server takes: uid, creation and generation are its own, and the status has a request of its own. */
function creatable({ status: _status, metadata, ...object }: ClusterObject): object {
  const { uid: _uid, creationTimestamp: _creation, generation: _generation, ...rest } = metadata as Metadata;
  return { ...object, metadata: rest };
}

/** Where each kind of schedule is paused, which is an edit that any of them takes. */
const PAUSE: Readonly<Record<string, readonly string[]>> = {
  EtcdDefragPolicy: ['spec', 'suspend'],
  SnapshotSchedule: ['spec', 'schedule', 'suspend'],
};

function withValue(object: object, [field = '', ...rest]: readonly string[], value: boolean): object {
  const before: unknown = Reflect.get(object, field);
  return { ...object, [field]: rest.length === 0 ? value : withValue(Object(before), rest, value) };
}

/**
 * What an object was before it was as it is: a server counts its own generations, and a status says which of them it
 * was found for. Each version differs from the next one.
 */
function earlierVersions(object: ClusterObject): readonly ClusterObject[] {
  const { generation = 1 } = object.metadata as { readonly generation?: number };
  if (generation === 1) return [];
  const path = PAUSE[object.kind];
  if (path === undefined) throw new Error(`how is a ${object.kind} edited?`);
  const isPaused = path.reduce<unknown>((value, field) => Object(value)[field], object) === true;
  return Array.from({ length: generation - 1 }, (_, index) => {
    const edits = generation - 1 - index;
    return withValue(object, path, edits % 2 === 1 ? !isPaused : isPaused) as ClusterObject;
  });
}

function statusOf({ apiVersion, kind, metadata, status }: ClusterObject): object {
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, namespace }, status };
}

function isSchedule({ kind }: ClusterObject): boolean {
  return KINDS.some(({ resource }) => resource.kind === kind);
}

function listOf(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Applies objects and tells what the server made of them, in the same order. */
async function apply(
  server: ApiServer,
  items: readonly object[],
  manager: string,
  ...flags: readonly string[]
): Promise<readonly ClusterObject[]> {
  if (items.length === 0) return [];
  const args = ['apply', '--server-side', `--field-manager=${manager}`, '-o', 'json', '-f', '-', ...flags];
  const answer = JSON.parse(await mustKubectl(server, args, listOf(items))) as {
    readonly items?: readonly ClusterObject[];
  } & ClusterObject;
  return answer.items ?? [answer];
}

/** A manifest with the uid that the server gave, be there one in it or not. */
function asStored(manifest: ClusterObject, stored: ClusterObject | undefined): ClusterObject {
  const uid = stored === undefined ? undefined : uidOf(stored);
  if (uid === undefined) throw new Error(`${manifest.kind} ${manifest.metadata.name} was not stored`);
  return { ...manifest, metadata: { ...manifest.metadata, uid } as Metadata };
}

/** Owners first, since a run names the uid that the server gave to its owner. */
async function applyOwnersFirst(
  server: ApiServer,
  objects: readonly ClusterObject[],
): Promise<readonly ClusterObject[]> {
  const uids = new Map<string, string>();
  const done: ClusterObject[] = [];
  let waiting = objects;
  while (waiting.length > 0) {
    const isReady = (object: ClusterObject) => ownersOf(object).every((uid) => uids.has(uid));
    const given = waiting.filter(isReady);
    if (given.length === 0) throw new Error('an owner is not among the manifests');
    const ready = given.map((object) => withUids(object, uids));
    for (const version of ready.flatMap(earlierVersions)) await apply(server, [creatable(version)], PLANTER);
    const stored = await apply(server, ready.map(creatable), PLANTER);
    for (const [index, manifest] of ready.entries()) {
      const own = uidOf(manifest);
      const now = asStored(manifest, stored[index]);
      if (own !== undefined) uids.set(own, uidOf(now) ?? '');
      done.push(now);
    }
    waiting = waiting.filter((object) => !given.includes(object));
  }
  return done;
}

/**
 * Brings manifests into a cluster by real kubectl. The status of schedules is written in the name of this program, as
 * if its own ticks had written it, and that of runs in the name of the operator that carries them out.
 * @returns the manifests, had they been written for this cluster: with the uids that it gave
 */
export async function plant(
  server: ApiServer,
  objects: readonly ClusterObject[],
): Promise<readonly ClusterObject[]> {
  const planted = await applyOwnersFirst(server, objects);
  const withStatus = planted.filter(({ status }) => status !== undefined);
  for (const [manager, owned] of [
    [FIELD_MANAGER, withStatus.filter(isSchedule)],
    [OPERATOR, withStatus.filter((object) => !isSchedule(object))],
  ] as const) {
    // Without a spec, which kubectl misses and this request has no business with.
    await apply(server, owned.map(statusOf), manager, '--subresource=status', '--validate=false');
  }
  return planted;
}
