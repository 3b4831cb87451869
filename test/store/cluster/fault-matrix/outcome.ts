import { fieldDiffs } from '#core/change/diff.ts';
import { canonicalJson, sameValue } from '#core/object/canonical.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import type { FakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { sortedConditions } from './sorted-conditions.ts';

/** What a tick and those that followed it came to. */
export interface Outcome {
  readonly objects: readonly KubeObject[];
  /** `METHOD path name` of every run that was created. */
  readonly created: readonly string[];
}

function createdName(body: string): string {
  const { metadata }: KubeObject = JSON.parse(body);
  return metadata.name;
}

export function outcomeOf(server: FakeApiServer): Outcome {
  const creates = server
    .requests()
    .filter(({ method, path, status }) => method === 'POST' && status === 201 && !path.endsWith('/events'));
  return {
    objects: server.objects().filter((object) => object.kind !== EVENT.kind),
    created: creates.map(({ path, body }) => `${path}/${createdName(body)}`),
  };
}

/** Different each time, or when a write comes through later. */
const PASSING = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time']);

/** @param unjudged types of conditions that do not matter */
function lasting(object: KubeObject, unjudged: readonly string[] | undefined): JsonObject {
  return JSON.parse(JSON.stringify(sortedConditions(object, unjudged)), (key, value) =>
    PASSING.has(key) ? undefined : value,
  );
}

function byId(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  return new Map(objects.map((object) => [keyId(keyOf(object)), object]));
}

/** Of one object: how it differs from what an undisturbed run made of it. */
function difference(
  before: KubeObject | undefined,
  wanted: KubeObject | undefined,
  found: KubeObject | undefined,
  unjudged: readonly string[] | undefined,
): string | undefined {
  const [kept] = [wanted, found].flatMap((object) => (object === undefined ? [] : [object]));
  if (kept === undefined) return undefined;
  const name = keyText(keyOf(kept));
  if (found === undefined) return `${name} is missing`;
  if (wanted === undefined) return `${name} is there`;
  const diffs = fieldDiffs(lasting(wanted, unjudged), lasting(found, unjudged));
  if (diffs.length > 0) return `${name} differs: ${canonicalJson(diffs)}`;
  if (before !== undefined && before.metadata.uid === wanted.metadata.uid) {
    if (found.metadata.uid !== before.metadata.uid) return `${name} was deleted and made anew`;
    const untouched = before.metadata.resourceVersion === wanted.metadata.resourceVersion;
    const [was, is] =
      unjudged === undefined ? [before, found] : [lasting(before, unjudged), lasting(found, unjudged)];
    if (untouched && !sameValue(was, is)) return `${name} was touched`;
  }
  return undefined;
}

function twice(created: readonly string[]): readonly string[] {
  return created
    .filter((name, index) => created.indexOf(name) !== index)
    .map((name) => `${name} was created twice`);
}

/**
 * Where a disturbed run came to something else than undisturbed ones: nothing where all is well.
 * @param wanted several where others act while the tick is at work: it may come before them or behind
 * @param unjudged types of conditions that do not matter
 */
export function differences(
  before: readonly KubeObject[],
  wanted: readonly Outcome[],
  found: Outcome,
  unjudged?: readonly string[],
): readonly string[] {
  const was = byId(before);
  const is = byId(found.objects);
  const should = wanted.map(({ objects }) => byId(objects));
  const ids = new Set([...should.flatMap((objects) => [...objects.keys()]), ...is.keys()]);
  const changed = [...ids].flatMap((id) => {
    const all = should.map((objects) => difference(was.get(id), objects.get(id), is.get(id), unjudged));
    return all.every((one) => one !== undefined) ? all.slice(0, 1) : [];
  });
  const mayStart = new Set(wanted.flatMap(({ created }) => created));
  const strange = found.created.filter((name) => !mayStart.has(name)).map((name) => `${name} was created`);
  const missed = wanted.map(({ created }) => created.filter((name) => !found.created.includes(name)));
  const lost = missed.every((names) => names.length > 0) ? (missed[0] ?? []) : [];
  return [
    ...changed.flatMap((one) => one ?? []),
    ...twice(found.created),
    ...strange,
    ...lost.map((name) => `${name} was not created`),
  ];
}
