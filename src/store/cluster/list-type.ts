import { compareKeys, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing, Scope } from '#core/observed.ts';
import type { Client } from './client.ts';
import { listPages, type Pages } from './list-pages.ts';

/** Which namespaces a store looks at. */
export interface Reach {
  /** Read one by one, and no other; empty = the whole cluster. */
  readonly namespaces: readonly string[];
  /** Read instead where listing across namespaces is forbidden; empty = none. */
  readonly fallback: readonly string[];
}

const FIX =
  'grant list on it in the whole cluster, or name the namespaces to read: `namespaces: [a, b]` in the configuration';

function readOf(objects: readonly KubeObject[], scope?: Scope): Extract<Listing, { state: 'read' }> {
  const sorted = [...objects].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const sourced = sorted.map((object) => ({ object }));
  return { state: 'read', objects: sourced, ...(scope === undefined ? {} : { scope }) };
}

function whole(pages: Pages, type: ResourceType): Listing {
  switch (pages.state) {
    case 'read':
      return readOf(pages.objects);
    case 'absent':
      return { state: 'absent' };
    case 'forbidden':
      return { state: 'unreadable', reason: type.namespaced ? `${pages.message}; ${FIX}` : pages.message };
    case 'unreadable':
      return pages;
  }
}

/** Several namespaces, one after the other; one that cannot be read is a gap, and the others count. */
async function byNamespace(
  client: Client,
  type: ResourceType,
  namespaces: readonly string[],
): Promise<Listing> {
  const objects: KubeObject[] = [];
  const incomplete = new Map<string, string>();
  let absent = 0;
  for (const namespace of namespaces) {
    const pages = await listPages(client, type, namespace);
    if (pages.state === 'read') objects.push(...pages.objects);
    else if (pages.state === 'absent') absent += 1;
    else incomplete.set(namespace, pages.state === 'forbidden' ? pages.message : pages.reason);
  }
  if (absent === namespaces.length) return { state: 'absent' };
  if (incomplete.size === namespaces.length) {
    return { state: 'unreadable', reason: [...incomplete.values()][0] ?? 'no namespace could be read' };
  }
  const scope: Scope = {
    namespaces: new Set(namespaces),
    reason: `only the namespaces ${namespaces.join(', ')} are read`,
  };
  const listing = readOf(objects, scope);
  return incomplete.size === 0 ? listing : { ...listing, incomplete };
}

/** Every object of a type within reach. A type that is not served is absent (kubernetes-api.md). */
export async function listType(client: Client, type: ResourceType, reach: Reach): Promise<Listing> {
  const { namespaces, fallback } = reach;
  if (type.namespaced && namespaces.length > 0) return byNamespace(client, type, namespaces);
  const pages = await listPages(client, type, '');
  if (pages.state === 'forbidden' && type.namespaced && fallback.length > 0) {
    return byNamespace(client, type, fallback);
  }
  return whole(pages, type);
}
