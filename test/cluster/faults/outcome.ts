import { fieldDiffs } from '#core/change/diff.ts';
import { canonicalJson } from '#core/object/canonical.ts';
import { compareText, keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import type { ClusterStore } from '#store/cluster/open-cluster-store.ts';
import { TYPES } from '#test/scenarios/support/scenario-store.ts';
import { sortedConditions } from '#test/store/cluster/fault-matrix/sorted-conditions.ts';

/** One object, in words that are the same for every namespace. */
interface Seen {
  /** What became of it since it was planted. */
  readonly fate: string;
  readonly object: KubeObject;
}

/** By `Kind name`, what stands in a namespace. */
export type Outcome = ReadonlyMap<string, Seen>;

function nameOf(object: KubeObject): string {
  const { kind, name } = keyOf(object);
  return `${kind} ${name}`;
}

/** All that a tick reads but events, which are best effort. */
export async function objectsIn(store: ClusterStore): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const type of TYPES.filter((one) => one !== EVENT && one.namespaced)) {
    const listing = await store.list(type);
    if (listing.state !== 'read') throw new Error(`${type.plural} could not be read`);
    objects.push(...listing.objects.map(({ object }) => object));
  }
  return objects;
}

/** Of the server's clock and of its counting. */
const PASSING = new Set(['resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time']);

/** With names in the place of uids, and the entries of managers in an order that is not that of their times. */
function lasting(object: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const text = JSON.stringify(object, (key, member) => (PASSING.has(key) ? undefined : member));
  const plain: KubeObject = JSON.parse(
    [...names].reduce((all, [id, name]) => all.replaceAll(id, name), text),
  );
  const { managedFields = [] } = plain.metadata;
  const sorted = managedFields.toSorted((a, b) => compareText(canonicalJson(a), canonicalJson(b)));
  return { ...plain, metadata: { ...plain.metadata, managedFields: sorted } };
}

function fateOf(before: KubeObject | undefined, { metadata }: KubeObject): string {
  const leaving = metadata.deletionTimestamp === undefined ? '' : ', leaving';
  if (before?.metadata.uid !== metadata.uid) return `made${leaving}`;
  const isSame = before?.metadata.resourceVersion === metadata.resourceVersion;
  return `${isSame ? 'untouched' : 'changed'}${leaving}`;
}

/** @param before the objects as they were planted in the namespace */
export function outcomeOf(
  namespace: string,
  before: readonly KubeObject[],
  after: readonly KubeObject[],
): Outcome {
  const was = new Map(before.map((object) => [nameOf(object), object]));
  const names = new Map([[namespace, 'the namespace']]);
  for (const object of [...before, ...after]) {
    const { uid } = object.metadata;
    if (uid !== undefined) names.set(uid, `uid of ${nameOf(object)}`);
  }
  return new Map(
    after.map((object) => {
      const name = nameOf(object);
      return [name, { fate: fateOf(was.get(name), object), object: lasting(object, names) }];
    }),
  );
}

/** Where two namespaces came to something else. */
export function differences(wanted: Outcome, found: Outcome): readonly string[] {
  const jsonOf = (object: KubeObject): JsonObject => JSON.parse(JSON.stringify(sortedConditions(object)));
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((name) => {
    const [should, is] = [wanted.get(name), found.get(name)];
    if (is === undefined) return [`${name} is missing`];
    if (should === undefined) return [`${name} is there`];
    if (should.fate !== is.fate) return [`${name} is ${is.fate}, not ${should.fate}`];
    const diffs = fieldDiffs(jsonOf(should.object), jsonOf(is.object));
    return diffs.length === 0 ? [] : [`${name} differs: ${canonicalJson(diffs)}`];
  });
}
