import { meansTheSame } from '#api/meaning.ts';
import type { Input } from '#cli/input.ts';
import type { Assumed } from '#core/comparison/assume-settled.ts';
import { applyOnto, withLiveState } from '#core/comparison/live-state.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';

/** Manifests with every object in the namespace that it means. */
export function placed(input: Input, types: readonly ResourceType[]): Input {
  const byId = new Map(types.map((type) => [typeId(type), type]));
  const place = (source: SourcedObject): SourcedObject => {
    const { object } = source;
    const type = byId.get(typeId(keyOf(object)));
    if (type === undefined) return source;
    const { namespace, ...rest } = object.metadata;
    const own = type.namespaced ? { namespace: namespace || 'default' } : {};
    return { ...source, object: { ...object, metadata: { ...rest, ...own } } };
  };
  return { ...input, objects: input.objects.map(place) };
}

export function idOf({ object }: SourcedObject): string {
  return keyId(keyOf(object));
}

/** Everything that was read of a cluster or a capture, by `keyId`. */
export function liveObjects(observed: Observed): ReadonlyMap<string, SourcedObject> {
  const found = new Map<string, SourcedObject>();
  for (const listing of observed.values())
    if (listing.state === 'read') for (const source of listing.objects) found.set(idOf(source), source);
  return found;
}

/** How a manifest meets the object that lives: it stands for it, or it is applied to it. */
export type Meeting = 'declared' | 'applied';

export interface WorldRequest {
  readonly declared: readonly SourcedObject[];
  readonly live: ReadonlyMap<string, SourcedObject>;
  readonly meeting: Meeting;
  /** Whether an object that lives and is not declared is there on this side. */
  readonly isKept: (source: SourcedObject) => boolean;
}

function met({ meeting, live }: WorldRequest, source: SourcedObject): SourcedObject {
  const known = live.get(idOf(source));
  if (known === undefined) return source;
  const object =
    meeting === 'declared'
      ? withLiveState(source.object, known.object)
      : applyOnto(known.object, source.object, meansTheSame);
  return { ...source, object };
}

/** One side over what lives: manifests with the state of their objects, and everything else as it is. */
export function worldOf(request: WorldRequest): readonly SourcedObject[] {
  const { declared, live, isKept } = request;
  const ids = new Set(declared.map(idOf));
  const rest = [...live].filter(([id, source]) => !ids.has(id) && isKept(source)).map(([, source]) => source);
  return [...declared.map((source) => met(request, source)), ...rest];
}

/** Manifests with what is taken for their state. */
export function withAssumed(
  sources: readonly SourcedObject[],
  assumed: ReadonlyMap<string, Assumed>,
): readonly SourcedObject[] {
  return sources.map((source) => {
    const found = assumed.get(idOf(source));
    if (found === undefined) return source;
    const { object } = source;
    const { creationTimestamp = found.creationTimestamp } = object.metadata;
    return {
      ...source,
      object: { ...object, metadata: { ...object.metadata, creationTimestamp }, status: found.status },
    };
  });
}

export function keysOf(sources: readonly SourcedObject[]): ReadonlySet<string> {
  return new Set(sources.map(idOf));
}

export function unusableKeys({ unusable }: Input): readonly ObjectKey[] {
  return unusable.map(({ key }) => ({ ...key, namespace: key.namespace || 'default' }));
}
