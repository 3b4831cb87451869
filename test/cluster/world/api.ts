import type { JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { ApiBody, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';

export const MERGE = 'application/merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** How many requests of the administrator are under way at once. */
export const LANES = 16;

/** One request of the administrator that has to succeed. */
export async function must(
  server: Endpoint,
  method: string,
  path: string,
  body?: unknown,
  contentType?: string,
): Promise<ApiBody> {
  const answer = await request(server, method, path, {
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

export async function createNamespace(server: Endpoint, name: string): Promise<void> {
  await must(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
}

/** Where one object is. */
export interface Whereabouts {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
}

export function pathOf({ type, namespace, name }: Whereabouts, subresource?: 'status'): string {
  return resourcePath(type, { namespace, name, ...(subresource === undefined ? {} : { subresource }) });
}

export function read(server: Endpoint, where: Whereabouts): Promise<ApiBody> {
  return must(server, 'GET', pathOf(where));
}

export async function listAll(
  server: Endpoint,
  type: ResourceType,
  namespace: string,
): Promise<readonly ApiBody[]> {
  const { items = [] } = await must(server, 'GET', resourcePath(type, { namespace }));
  return items;
}

export function namesOf(objects: readonly ApiBody[]): readonly string[] {
  return objects.map(({ metadata }) => metadata?.name ?? '').sort();
}

/** As another controller writes it. */
export function patchStatus(
  server: Endpoint,
  where: Whereabouts,
  status: JsonObject,
  manager = 'another-controller',
): Promise<ApiBody> {
  return must(server, 'PATCH', `${pathOf(where, 'status')}?fieldManager=${manager}`, { status }, MERGE);
}

export function patchMetadata(server: Endpoint, where: Whereabouts, metadata: object): Promise<ApiBody> {
  return must(server, 'PATCH', `${pathOf(where)}?fieldManager=somebody`, { metadata }, MERGE);
}

export async function remove(server: Endpoint, where: Whereabouts): Promise<void> {
  await must(server, 'DELETE', pathOf(where), { propagationPolicy: 'Background' });
}

/** An object of a type, created. */
export function create(server: Endpoint, type: ResourceType, object: CreateBody): Promise<ApiBody> {
  const { namespace = '' } = object.metadata;
  return must(server, 'POST', resourcePath(type, { namespace }, { fieldManager: 'somebody' }), object);
}

/** Many objects of a type, created some at a time. */
export async function createAll(
  server: Endpoint,
  type: ResourceType,
  objects: readonly CreateBody[],
): Promise<void> {
  await inLanes(objects, LANES, (object) => create(server, type, object));
}

export interface CreateBody {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}
