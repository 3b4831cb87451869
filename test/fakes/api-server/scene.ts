import { keyId } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Answer, notFound, Refused } from '#test/fakes/api-server/answer.ts';
import type { Access, FakeApiServerOptions, ServedKind } from '#test/fakes/api-server/options.ts';
import type { World } from '#test/fakes/memory-world.ts';

/** A list that is handed out in pages stays as it was when the first was asked for. */
export interface Snapshot {
  readonly items: readonly KubeObject[];
  readonly version: string;
}

export interface Scene {
  readonly world: World;
  readonly options: FakeApiServerOptions;
  readonly snapshots: Map<string, Snapshot>;
  /** One that was never used. */
  readonly newId: () => string;
}

/** One request, taken apart. */
export interface Call {
  readonly access: Access;
  readonly kind: ServedKind;
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** As it came. */
  readonly body: string;
  /** Who writes: the parameter, else the start of the user agent. */
  readonly manager: string;
  readonly onStatus: boolean;
}

export function keyOfCall({ kind: { type }, access }: Call): ObjectKey {
  const { group, kind } = type;
  return { group, kind, namespace: access.namespace, name: access.name };
}

/** The object that a call names; ends the call where there is none. */
export function findObject({ world }: Scene, call: Call): KubeObject {
  const object = world.entries.get(keyId(keyOfCall(call)))?.object;
  if (object === undefined) throw new Refused(notFound(call.kind.type, call.access.name));
  return object;
}

/** The types that a server is built with behave otherwise than those of definitions in some places. */
export function isBuiltIn({ group }: ResourceType): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

export function hasStatusSubresource({ statusSubresource }: ServedKind): boolean {
  return statusSubresource !== false;
}

/** Asks what stands at the gate; ends the call where it says no. */
export function admit({ options }: Scene, { access, kind: { type } }: Call, object: KubeObject): void {
  const refusal: Answer | undefined = options.admit?.({ access, type, object });
  if (refusal !== undefined) throw new Refused(refusal);
}
