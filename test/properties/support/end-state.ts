import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { KINDS } from '#kinds/index.ts';
import type { Store } from '#store/port.ts';

/** Times of transitions, versions and uids depend on when a write came through; nothing else may. */
const PASSING = new Set([
  'lastTransitionTime',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'managedFields',
]);

function lasting(value: Json): Json {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !PASSING.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, lasting(member)]));
}

function asJson(object: KubeObject): Json {
  return JSON.parse(JSON.stringify(object));
}

/** All schedules and runs as they will stay, whenever and however they came to be. */
export async function endState(store: Store): Promise<readonly Json[]> {
  const types = KINDS.flatMap((kind) => [kind.resource, kind.run]);
  const listings = await Promise.all(types.map((type) => store.list(type)));
  return listings
    .flatMap((listing) => (listing.state === 'read' ? listing.objects.map(({ object }) => object) : []))
    .map((object) => ({ id: `${object.kind}/${object.metadata.name}`, object: lasting(asJson(object)) }))
    .sort((a, b) => compareText(a.id, b.id));
}
