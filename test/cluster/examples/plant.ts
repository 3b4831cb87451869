import { FIELD_MANAGER } from '#core/writer.ts';
import { KINDS } from '#kinds/index.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { ClusterObject } from '#test/examples/cluster-files.ts';
import { mustKubectl } from './must-kubectl.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Who brought the manifests, and who carries runs out: two that are not this program. */
const PLANTER = 'planter';
const OPERATOR = 'operator';

type Uids = ReadonlyMap<string, string>;

interface Metadata {
  readonly name: string;
  readonly uid?: string;
  readonly [field: string]: unknown;
}

function metadataOf(object: ClusterObject): Metadata {
  return object.metadata;
}

/** A manifest as it would stand for this cluster, where every uid is another. */
export function withUids(object: ClusterObject, uids: Uids): ClusterObject {
  return JSON.parse(JSON.stringify(object).replace(UID, (uid) => uids.get(uid) ?? uid)) as ClusterObject;
}

/** The uids of other objects that it names: those of owners. */
function ownersOf(object: ClusterObject): readonly string[] {
  const { uid } = metadataOf(object);
  return (JSON.stringify(object).match(UID) ?? []).filter((one) => one !== uid);
}

/** What a server takes: uid, creation and generation are its own, and the status has a request of its own. */
function creatable({ status: _status, metadata, ...object }: ClusterObject): object {
  const { uid: _uid, creationTimestamp: _creation, generation: _generation, ...rest } = metadata as Metadata;
  return { ...object, metadata: rest };
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

/** Owners first, since a run names the uid that the server gave to its owner. */
async function applyOwnersFirst(server: ApiServer, objects: readonly ClusterObject[]): Promise<Uids> {
  const uids = new Map<string, string>();
  let waiting = objects;
  while (waiting.length > 0) {
    const ready = waiting.filter((object) => ownersOf(object).every((uid) => uids.has(uid)));
    if (ready.length === 0) throw new Error('an owner that is not among the manifests');
    const bodies = ready.map((object) => creatable(withUids(object, uids)));
    const made = await apply(server, bodies, PLANTER);
    for (const [index, { metadata }] of made.entries()) {
      const given = ready[index] === undefined ? undefined : metadataOf(ready[index]).uid;
      if (given !== undefined) uids.set(given, String((metadata as Metadata).uid));
    }
    waiting = waiting.filter((object) => !ready.includes(object));
  }
  return uids;
}

/**
 * Brings manifests into a cluster by real kubectl. The status of schedules is written in the name of this program, as
 * if its own ticks had written it, and that of runs in the name of the operator that carries them out.
 * @returns the uid that each object got, by the one that its manifest spells out
 */
export async function plant(server: ApiServer, objects: readonly ClusterObject[]): Promise<Uids> {
  const uids = await applyOwnersFirst(server, objects);
  const withStatus = objects
    .filter(({ status }) => status !== undefined)
    .map((object) => withUids(object, uids));
  for (const [manager, owned] of [
    [FIELD_MANAGER, withStatus.filter(isSchedule)],
    [OPERATOR, withStatus.filter((object) => !isSchedule(object))],
  ] as const) {
    // Without a spec, which kubectl misses and this request has no business with.
    await apply(server, owned.map(statusOf), manager, '--subresource=status', '--validate=false');
  }
  return uids;
}
