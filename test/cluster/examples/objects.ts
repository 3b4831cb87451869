import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import { KINDS } from '#kinds/index.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { MERGE, must, pathOf } from '#test/cluster/world/api.ts';
import { mustKubectl } from './must-kubectl.ts';

/** An object as kubectl prints it. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly status?: unknown;
  /** Of an event: who wrote it. */
  readonly reportingController?: string;
}

/** What a tick reads. */
const TYPES: readonly ResourceType[] = [...new Set([...typesOf(KINDS), EVENT])];

function typeName({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Everything of a namespace that a tick reads, and what is in none, in the format that is asked for. */
export function dump(server: ApiServer, namespace: string, format: 'yaml' | 'json'): Promise<string> {
  return mustKubectl(server, ['get', '-n', namespace, TYPES.map(typeName).join(','), '-o', format]);
}

/** `kind name`: kinds are not of two groups here. */
export function nameOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`;
}

/**
 * All that a tick reads, by name. Without what others say: now and then the API server itself writes an event, such
 * as one of the address of its own Service.
 */
export async function storedObjects(
  server: ApiServer,
  namespace: string,
): Promise<ReadonlyMap<string, StoredObject>> {
  const { items } = JSON.parse(await dump(server, namespace, 'json')) as {
    readonly items: readonly StoredObject[];
  };
  const ours = items.filter((item) => item.kind !== EVENT.kind || item.reportingController === FIELD_MANAGER);
  return new Map(ours.map((item) => [nameOf({ kind: item.kind, name: item.metadata.name }), item]));
}

/** Nothing is left of what a tick reads; who would take the finalizers away does not run here. */
export async function clear(server: ApiServer, namespace: string): Promise<void> {
  for (const { kind, metadata } of (await storedObjects(server, namespace)).values()) {
    const type = TYPES.find((one) => one.kind === kind);
    if (type === undefined) throw new Error(`no resource for ${kind}`);
    const path = pathOf({ type, namespace: metadata.namespace ?? '', name: metadata.name });
    if (metadata.finalizers !== undefined) {
      await must(server, 'PATCH', path, { metadata: { finalizers: null } }, MERGE);
    }
    await must(server, 'DELETE', path, { propagationPolicy: 'Background' });
  }
}
