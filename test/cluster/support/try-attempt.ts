import { JOB, POD } from '#api/resources.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { CUSTOM_RESOURCES } from '#test/gen/crd/files.ts';
import { type Account, type Attempt, NAMESPACE } from '#test/policies/rule-case.ts';
import type { ApiServer } from './api-server.ts';
import { type Answer, request } from './request.ts';

const TYPES: readonly ResourceType[] = [...CUSTOM_RESOURCES.map(({ resource }) => resource), JOB, POD, EVENT];

interface Where {
  readonly subresource?: 'status';
  readonly query?: Readonly<Record<string, string>>;
}

function metadataOf(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

function pathOf(object: JsonObject, named: boolean, { subresource, query = {} }: Where = {}): string {
  const type = TYPES.find((one) => apiVersionOf(one) === object['apiVersion'] && one.kind === object['kind']);
  if (type === undefined) throw new Error(`no resource for ${object['kind']}`);
  const target = {
    namespace: type.namespaced ? NAMESPACE : '',
    ...(named ? { name: String(metadataOf(object)['name']) } : {}),
    ...(subresource === undefined ? {} : { subresource }),
  };
  return resourcePath(type, target, query);
}

async function mustDo(answer: Promise<Answer>, what: string): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
}

async function prepare(server: ApiServer, given: JsonObject): Promise<void> {
  const { status, ...body } = given;
  await mustDo(request(server, 'POST', pathOf(given, false), { body }), 'the run-up');
  if (status === undefined) return;
  const path = pathOf(given, true, { subresource: 'status' });
  const contentType = 'application/merge-patch+json';
  await mustDo(request(server, 'PATCH', path, { contentType, body: { status } }), 'the status before');
}

/** What the update changes, and nothing that the server has filled in since. */
function patchOf(given: JsonObject, object: JsonObject): readonly JsonObject[] {
  const before = metadataOf(given);
  const after = metadataOf(object);
  const metadata = ['annotations', 'labels', 'finalizers'].flatMap((field): JsonObject[] => {
    const path = `/metadata/${field}`;
    const value = after[field];
    if (value !== undefined) return [{ op: 'add', path, value }];
    return before[field] === undefined ? [] : [{ op: 'remove', path }];
  });
  const same = JSON.stringify(given['spec']) === JSON.stringify(object['spec']);
  return same ? metadata : [...metadata, { op: 'add', path: '/spec', value: object['spec'] ?? {} }];
}

function headersFor(account: Account | undefined): Readonly<Record<string, string>> {
  return account === undefined ? {} : { 'impersonate-user': `system:serviceaccount:${NAMESPACE}:${account}` };
}

function send(server: ApiServer, attempt: Attempt): Promise<Answer> {
  const headers = headersFor(attempt.as);
  const query: Readonly<Record<string, string>> = attempt.dryRun === true ? { dryRun: 'All' } : {};
  switch (attempt.verb) {
    case 'create':
      return request(server, 'POST', pathOf(attempt.object, false, { query }), {
        headers,
        body: attempt.object,
      });
    case 'update':
      return request(server, 'PATCH', pathOf(attempt.object, true, { query }), {
        headers,
        contentType: 'application/json-patch+json',
        body: patchOf(attempt.given, attempt.object),
      });
    case 'status':
      return request(server, 'PATCH', pathOf(attempt.given, true, { query, subresource: 'status' }), {
        headers,
        contentType: 'application/merge-patch+json',
        body: { status: attempt.status },
      });
    case 'delete':
      return request(server, 'DELETE', pathOf(attempt.given, true, { query }), { headers });
  }
}

/** Makes the request with all that has to be there before, and leaves nothing behind. */
export async function tryAttempt(server: ApiServer, attempt: Attempt): Promise<Answer> {
  const object = attempt.verb === 'create' ? attempt.object : attempt.given;
  if (attempt.verb !== 'create') await prepare(server, attempt.given);
  const answer = await send(server, attempt);
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  const { status, text } = await request(server, 'DELETE', pathOf(object, true), { body });
  if (status >= 300 && status !== 404) throw new Error(`what was tried is still there: ${status} ${text}`);
  return answer;
}
