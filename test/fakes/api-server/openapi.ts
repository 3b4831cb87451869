import { apiVersionOf } from '#core/object/resource.ts';
import type { Answer } from '#test/fakes/api-server/answer.ts';
import type { FakeApiServerOptions, ServedKind } from '#test/fakes/api-server/options.ts';
import { servedKinds } from '#test/fakes/api-server/route.ts';

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function partOf(fields: readonly string[] | undefined): object {
  if (fields === undefined) return ANYTHING;
  return { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, {}])) };
}

function schemaOf({ type, specFields, statusFields }: ServedKind): object {
  const { group, version, kind } = type;
  return {
    type: 'object',
    properties: { spec: partOf(specFields), status: partOf(statusFields) },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

/** What a group declares: `/openapi/v3/apis/<group>/<version>`; undefined for any other path. */
export function openapiOf(options: FakeApiServerOptions, path: string): Answer | undefined {
  const [, version] = /^\/openapi\/v3\/apis?\/(.+)$/.exec(path) ?? [];
  if (version === undefined) return undefined;
  const kinds = servedKinds(options).filter(({ type }) => apiVersionOf(type) === version);
  if (kinds.length === 0) return { code: 404, body: '404 page not found\n' };
  const schemas = kinds.map((kind) => [`${version}.${kind.type.kind}`, schemaOf(kind)] as const);
  return { code: 200, body: { openapi: '3.0.0', components: { schemas: Object.fromEntries(schemas) } } };
}
