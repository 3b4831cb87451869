import { expect } from 'vitest';
import type { Answer, ApiBody, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';

/** Two kinds of these tests' own: Probe has a status subresource, Plain has none. */
const GROUP = 'test.minutehand.dev';
export const API_VERSION = `${GROUP}/v1`;
export const GROUP_PATH = `/apis/${API_VERSION}`;

const CONDITIONS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' }, status: { type: 'string' } },
  },
};

const STATUS_FIELDS = {
  lastSlot: { type: 'string' },
  nextSlot: { type: 'string' },
  failures: { type: 'integer' },
  phase: { type: 'string' },
  conditions: { ...CONDITIONS, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
  marks: { ...CONDITIONS, 'x-kubernetes-list-type': 'atomic' },
};

const SPEC_FIELDS = { schedule: { type: 'string' }, suspend: { type: 'boolean' } };

interface CrdOptions {
  readonly hasStatus: boolean;
  readonly specRules?: readonly object[];
  readonly rules?: readonly object[];
}

export function crd(kind: string, { hasStatus, specRules = [], rules = [] }: CrdOptions): object {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    type: 'object',
    'x-kubernetes-validations': rules,
    properties: {
      spec: { type: 'object', properties: SPEC_FIELDS, 'x-kubernetes-validations': specRules },
      status: { type: 'object', properties: STATUS_FIELDS },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          selectableFields: [{ jsonPath: '.status.phase' }],
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

export const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export async function installCrd(server: Endpoint, kind: string, options: CrdOptions): Promise<void> {
  const made = await request(server, 'POST', CRD_PATH, { body: crd(kind, options) });
  expect(made.status, made.text).toBe(201);
  await until(`${kind} is served`, async () => {
    const list = await request(server, 'GET', `${GROUP_PATH}/${kind.toLowerCase()}s`);
    return list.status === 200 ? true : undefined;
  });
}

export const OTHER_UID = '11111111-2222-3333-4444-555555555555';

export function probePath(name = '', namespace = 'default'): string {
  return `${GROUP_PATH}/namespaces/${namespace}/probes${name === '' ? '' : `/${name}`}`;
}

export function probe(name: string, fields: object = {}): object {
  return {
    apiVersion: API_VERSION,
    kind: 'Probe',
    metadata: { name },
    spec: { schedule: '@hourly' },
    ...fields,
  };
}

export async function createProbe(server: Endpoint, name: string, fields: object = {}): Promise<ApiBody> {
  const made = await request(server, 'POST', probePath(), { body: probe(name, fields) });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

export async function readProbe(server: Endpoint, name: string): Promise<ApiBody> {
  const { status, body, text } = await request(server, 'GET', probePath(name));
  expect(status, text).toBe(200);
  return body;
}

export function resourceVersionOf(body: ApiBody): string {
  const { resourceVersion } = body.metadata ?? {};
  if (resourceVersion === undefined) throw new Error('the object has no resourceVersion');
  return resourceVersion;
}

export function uidOf(body: ApiBody): string {
  const { uid } = body.metadata ?? {};
  if (uid === undefined) throw new Error('the object has no uid');
  return uid;
}

export interface ApplyOptions {
  readonly metadata?: object;
  readonly manager?: string;
  /** More of the query: `force=true`. */
  readonly query?: string;
}

/** Server-side apply to this path of an object; JSON is YAML too. */
export function applyAt(
  server: Endpoint,
  path: string,
  body: object,
  { manager = 'minutehand', query = '' }: Pick<ApplyOptions, 'manager' | 'query'> = {},
): Promise<Answer> {
  return request(server, 'PATCH', `${path}?fieldManager=${manager}&${query}`, {
    body,
    contentType: 'application/apply-patch+yaml',
  });
}

export function applyStatus(
  server: Endpoint,
  name: string,
  status: object,
  options: ApplyOptions = {},
): Promise<Answer> {
  const body = { apiVersion: API_VERSION, kind: 'Probe', metadata: { name, ...options.metadata }, status };
  return applyAt(server, `${probePath(name)}/status`, body, options);
}
