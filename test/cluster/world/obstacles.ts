import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { MERGE, must } from './api.ts';

/** Something that keeps the server from doing what is asked. */
export interface Obstacle {
  /** Returns when the server has forgotten it. */
  remove(): Promise<void>;
}

/** A request that the obstacle refuses; it is sent as a dry run. */
export interface Probe {
  readonly method: 'POST' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

function send(server: Endpoint, { method, path, body }: Probe): Promise<Answer> {
  const url = `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;
  return request(server, method, url, {
    ...(body === undefined ? {} : { body }),
    ...(method === 'PATCH' ? { contentType: MERGE } : {}),
  });
}

/** Admission looks at caches that are a moment behind. */
export function untilRefused(server: Endpoint, probe: Probe, words: string): Promise<Answer> {
  return until(`${probe.method} ${probe.path} is refused: ${words}`, async () => {
    const answer = await send(server, probe);
    return answer.status >= 400 && answer.text.includes(words) ? answer : undefined;
  });
}

export function untilAccepted(server: Endpoint, probe: Probe): Promise<Answer> {
  return until(`${probe.method} ${probe.path} is accepted`, async () => {
    const answer = await send(server, probe);
    return answer.status < 300 ? answer : undefined;
  });
}

/** A create that nobody could object to but the obstacle. */
export function createProbe(type: ResourceType, namespace: string, name: string, spec: object): Probe {
  const body = { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name, namespace }, spec };
  return { method: 'POST', path: resourcePath(type, { namespace }), body };
}

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

export interface Refusal {
  readonly namespace: string;
  readonly type: ResourceType;
  readonly subresource?: 'status';
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** In CEL, which requests it is about; all of them if left out. */
  readonly when?: string;
  readonly message: string;
  readonly probe: Probe;
}

/** Refuses what the rule says, in one namespace. */
export async function refuse(server: Endpoint, refusal: Refusal): Promise<Obstacle> {
  const { namespace, type, subresource, operation, when = 'true', message, probe } = refusal;
  const metadata = { name: `${namespace}.minutehand.test` };
  const rule = {
    apiGroups: [type.group],
    apiVersions: [type.version],
    operations: [operation],
    resources: [subresource === undefined ? type.plural : `${type.plural}/${subresource}`],
  };
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [rule],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    },
    matchConditions: [{ name: 'meant', expression: when }],
    validations: [{ expression: 'false', message }],
  };
  await must(server, 'POST', POLICIES, { metadata, spec });
  const binding = { policyName: metadata.name, validationActions: ['Deny'] };
  await must(server, 'POST', BINDINGS, { metadata, spec: binding });
  await untilRefused(server, probe, message);
  return {
    remove: async () => {
      await must(server, 'DELETE', `${BINDINGS}/${metadata.name}`);
      await must(server, 'DELETE', `${POLICIES}/${metadata.name}`);
      await untilAccepted(server, probe);
    },
  };
}

/** A quota that is used up; its status is written by hand, since no controller counts. */
export async function exhaust(
  server: Endpoint,
  {
    namespace,
    type,
    probe,
  }: { readonly namespace: string; readonly type: ResourceType; readonly probe: Probe },
): Promise<Obstacle> {
  const count = `count/${type.plural}.${type.group}`;
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const hard = { [count]: '1' };
  await must(server, 'POST', path, { metadata: { name: 'few' }, spec: { hard } });
  await must(server, 'PATCH', `${path}/few/status`, { status: { hard, used: { [count]: '1' } } }, MERGE);
  await untilRefused(server, probe, 'exceeded quota: few');
  return {
    remove: async () => {
      await must(server, 'DELETE', `${path}/few`);
      await untilAccepted(server, probe);
    },
  };
}

/** Deleted, and kept by what is in it: nobody empties it. */
export async function terminate(server: Endpoint, namespace: string, probe: Probe): Promise<Obstacle> {
  const path = `/api/v1/namespaces/${namespace}`;
  await must(server, 'DELETE', path);
  await untilRefused(server, probe, 'is being terminated');
  return {
    remove: async () => {
      const body = await must(server, 'GET', path);
      await must(server, 'PUT', `${path}/finalize`, { ...body, spec: { finalizers: [] } });
    },
  };
}
