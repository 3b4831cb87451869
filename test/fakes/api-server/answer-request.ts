import { isObject } from '#core/object/canonical.ts';
import { type Answer, failure, forbidden, notFound } from '#test/fakes/api-server/answer.ts';
import { jsonOf } from '#test/fakes/api-server/body.ts';
import { createObject } from '#test/fakes/api-server/create.ts';
import { deleteObject } from '#test/fakes/api-server/delete.ts';
import { discoveryOf } from '#test/fakes/api-server/discovery.ts';
import { openapiOf } from '#test/fakes/api-server/openapi.ts';
import type { Access, ServedKind } from '#test/fakes/api-server/options.ts';
import { patchObject } from '#test/fakes/api-server/patch.ts';
import { listObjects, readObject } from '#test/fakes/api-server/read.ts';
import { accessOf, forbiddenText, type Route, routeOf, servedAt } from '#test/fakes/api-server/route.ts';
import { type Call, hasStatusSubresource, isBuiltIn, type Scene } from '#test/fakes/api-server/scene.ts';
import { replaceObject } from '#test/fakes/api-server/update.ts';
import type { World } from '#test/fakes/memory-world.ts';

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly authorization: string | undefined;
  readonly userAgent: string;
  readonly body: string;
}

const USER = 'system:serviceaccount:minutehand:minutehand';

const NOT_SERVED: Answer = { code: 404, body: '404 page not found\n' };

const UNAUTHORIZED = failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

/** Groups that a server is built with are known even where a resource is not. */
function notServed(route: Route): Answer {
  const type = { ...route, kind: '', singular: '', shortNames: [], namespaced: true };
  if (!isBuiltIn(type)) return NOT_SERVED;
  const message = 'the server could not find the requested resource';
  return failure({ code: 404, reason: 'NotFound', message, details: {} });
}

function notAllowed(): Answer {
  const message = 'the server does not allow this method on the requested resource';
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

const MAY_BE_DRY = new Set(['create', 'update', 'patch', 'delete']);

/** Beside options in the body of a delete the query is not looked at. */
function isDry({ verb }: Access, { query, body }: Incoming): boolean {
  if (verb !== 'delete' || body === '') return MAY_BE_DRY.has(verb) && query.get('dryRun') === 'All';
  const options = jsonOf(body);
  const dryRun = isObject(options) ? options['dryRun'] : undefined;
  return Array.isArray(dryRun) && dryRun.includes('All');
}

/** What a dry run writes is gone with it. */
function dryScene(scene: Scene): Scene {
  const { world } = scene;
  const copy: World = { now: world.now, entries: new Map(world.entries), version: world.version };
  return { ...scene, world: copy };
}

/** What is not stored has no version. */
function withoutVersion(answer: Answer): Answer {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['metadata'])) return answer;
  const { resourceVersion: _version, ...metadata } = body['metadata'];
  return { ...answer, body: { ...body, metadata } };
}

function carryOutDry(scene: Scene, call: Call): Answer {
  const answer = carryOut(dryScene(scene), call);
  return call.access.verb === 'create' ? withoutVersion(answer) : answer;
}

function carryOut(scene: Scene, call: Call): Answer {
  switch (call.access.verb) {
    case 'get':
      return readObject(scene, call);
    case 'list':
      return listObjects(scene, call);
    case 'create':
      return createObject(scene, call);
    case 'update':
      return replaceObject(scene, call);
    case 'patch':
      return patchObject(scene, call);
    case 'delete':
      return deleteObject(scene, call);
  }
}

/** Why there is nothing at this place of a kind that is served. */
function misplaced(
  kind: ServedKind,
  { namespace, name, subresource }: Route,
  access: Access,
): Answer | undefined {
  const { type } = kind;
  if (!type.namespaced && namespace !== '') return NOT_SERVED;
  const isElsewhere = type.namespaced && namespace === '';
  if (isElsewhere && access.verb !== 'list') return NOT_SERVED;
  if (name === '' && !['list', 'create'].includes(access.verb)) return notAllowed();
  if (name !== '' && access.verb === 'create') return notAllowed();
  if (subresource === '' || (subresource === 'status' && hasStatusSubresource(kind))) return undefined;
  return notFound(type, name);
}

/** One request, from who asks to what is answered. */
export function answerRequest(scene: Scene, request: Incoming): Answer {
  const { method, path, query, contentType, body, userAgent } = request;
  const { options } = scene;
  if (options.isKnown?.(request.authorization) === false) return UNAUTHORIZED;
  const declared = method === 'GET' ? (openapiOf(options, path) ?? discoveryOf(options, path)) : undefined;
  if (declared !== undefined) return declared;
  const route = routeOf(path);
  const access = route === undefined ? undefined : accessOf(method, route);
  if (route === undefined || access === undefined) return NOT_SERVED;
  // Rights are looked at before anything is known to exist.
  if (options.isForbidden?.(access) === true) {
    const type = { ...route, kind: '', singular: '', shortNames: [], namespaced: true };
    return forbidden(type, route.name, forbiddenText(access, USER));
  }
  const kind = servedAt(options, route);
  if (kind === undefined) return notServed(route);
  const elsewhere = misplaced(kind, route, access);
  if (elsewhere !== undefined) return elsewhere;
  const manager = query.get('fieldManager') ?? userAgent.split('/')[0] ?? '';
  const call: Call = {
    access,
    kind,
    query,
    contentType,
    body,
    manager: manager === '' ? 'unknown' : manager,
    onStatus: route.subresource === 'status',
  };
  const done = isDry(access, request) ? carryOutDry(scene, call) : carryOut(scene, call);
  const warnings = [...(done.warnings ?? []), ...(options.warnings?.(access) ?? [])];
  return { ...done, warnings };
}
