import { readFileSync } from 'node:fs';
import { filesBelow } from '#test/examples/cluster-files.ts';
import { without } from './comparable.ts';
import { nameOf, type StoredObject } from './objects.ts';
import { UID } from './plant.ts';

/** What every store counts and remembers in its own way. */
const OF_A_STORE = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion'];
/** How a state folder remembers where an object came from. */
const ORIGIN = 'minutehand.dev/origin';

/** The objects that a state folder holds, by the names that those of a cluster have. */
export function objectsIn(folder: string): ReadonlyMap<string, StoredObject> {
  const files = filesBelow(folder, '.json').filter((path) => !/\/(\.deleted\/|meta\.json$)/.test(path));
  const objects = files.map((path) => JSON.parse(readFileSync(path, 'utf8')) as StoredObject);
  return new Map(objects.map((one) => [nameOf({ kind: one.kind, name: one.metadata.name }), one]));
}

/** The same objects, had the cluster stored them: each has the uid that the one of its name has there. */
export function asInCluster(
  objects: ReadonlyMap<string, StoredObject>,
  cluster: ReadonlyMap<string, StoredObject>,
): ReadonlyMap<string, unknown> {
  const uids = new Map(
    [...objects].map(([name, { metadata }]) => [metadata.uid, cluster.get(name)?.metadata.uid]),
  );
  return new Map(
    [...objects].map(([name, object]) => {
      const { [ORIGIN]: _origin, ...annotations } = object.metadata.annotations ?? {};
      const { annotations: _all, ...metadata } = object.metadata;
      const marked = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
      const text = JSON.stringify({ ...object, metadata: marked });
      const stored = JSON.parse(text.replace(UID, (uid) => uids.get(uid) ?? uid));
      return [name, without(OF_A_STORE, stored)];
    }),
  );
}
