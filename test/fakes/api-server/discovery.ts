import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import type { Answer } from '#test/fakes/api-server/answer.ts';
import type { FakeApiServerOptions, ServedKind } from '#test/fakes/api-server/options.ts';
import { servedKinds } from '#test/fakes/api-server/route.ts';
import { hasStatusSubresource } from '#test/fakes/api-server/scene.ts';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update'];
const STATUS_VERBS = ['get', 'patch', 'update'];

const NOT_SERVED: Answer = { code: 404, body: '404 page not found\n' };

function resourcesOf(served: ServedKind): readonly object[] {
  const { kind, plural, singular, namespaced, shortNames } = served.type;
  const own = { name: plural, singularName: singular, namespaced, kind, verbs: VERBS, shortNames };
  if (!hasStatusSubresource(served)) return [own];
  return [own, { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: STATUS_VERBS }];
}

/** `/apis/<group>`; the version that is served first is the preferred one here. */
function groupDocument(kinds: readonly ServedKind[], name: string): Answer {
  const types = kinds.map(({ type }) => type).filter(({ group }) => group === name);
  const versionOf = (type: ResourceType) => ({ groupVersion: apiVersionOf(type), version: type.version });
  const versions = [...new Map(types.map((type) => [type.version, versionOf(type)])).values()];
  const [preferredVersion] = versions;
  if (preferredVersion === undefined) return NOT_SERVED;
  return { code: 200, body: { kind: 'APIGroup', apiVersion: 'v1', name, versions, preferredVersion } };
}

/** `/api/v1` and `/apis/<group>/<version>`. */
function versionDocument(kinds: readonly ServedKind[], groupVersion: string): Answer {
  const resources = kinds.filter(({ type }) => apiVersionOf(type) === groupVersion).flatMap(resourcesOf);
  if (resources.length === 0) return NOT_SERVED;
  return { code: 200, body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources } };
}

/** What a server says of the kinds that it serves; undefined for any other path. */
export function discoveryOf(options: FakeApiServerOptions, path: string): Answer | undefined {
  const [root, ...parts] = path.split('/').slice(1).map(decodeURIComponent);
  const [group = '', version] = root === 'api' ? ['', ...parts] : parts;
  const kinds = servedKinds(options);
  if (root === 'apis' && parts.length === 1) return groupDocument(kinds, group);
  if (root === 'apis' && parts.length === 2) return versionDocument(kinds, `${group}/${version}`);
  if (root === 'api' && parts.length === 1) return versionDocument(kinds, version ?? '');
  return undefined;
}
