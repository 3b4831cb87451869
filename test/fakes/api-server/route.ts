import type { Access, FakeApiServerOptions, ServedKind } from '#test/fakes/api-server/options.ts';

/** A path of the API, before it is known whether anything is served there. */
export interface Route {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** `/api/v1/…` and `/apis/<group>/<version>/…`, each with or without a namespace. */
export function routeOf(path: string): Route | undefined {
  const [root, ...rest] = path.split('/').slice(1).map(decodeURIComponent);
  const group = root === 'api' ? '' : root === 'apis' ? rest.shift() : undefined;
  const [version, ...place] = rest;
  if (group === undefined || version === undefined) return undefined;
  const isNamespaced = place[0] === 'namespaces' && place.length > 2;
  const [plural = '', name = '', subresource = '', ...more] = isNamespaced ? place.slice(2) : place;
  const namespace = isNamespaced ? (place[1] ?? '') : '';
  if (plural === '' || more.length > 0) return undefined;
  return { group, version, plural, namespace, name, subresource };
}

export function servedKinds({ kinds }: FakeApiServerOptions): readonly ServedKind[] {
  return kinds.map((kind) => ('type' in kind ? kind : { type: kind }));
}

export function servedAt(
  options: FakeApiServerOptions,
  { group, version, plural }: Route,
): ServedKind | undefined {
  return servedKinds(options).find(
    ({ type }) => type.group === group && type.version === version && type.plural === plural,
  );
}

const VERBS: Readonly<Record<string, Access['verb']>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** @returns undefined for a method that no resource has */
export function accessOf(method: string, route: Route): Access | undefined {
  const { group, plural, namespace, name, subresource } = route;
  const verb = method === 'GET' ? (name === '' ? 'list' : 'get') : VERBS[method];
  if (verb === undefined) return undefined;
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  return { verb, group, resource, namespace, name };
}

export function forbiddenText({ verb, group, resource, namespace }: Access, user: string): string {
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
