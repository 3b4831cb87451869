import { expect } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** What a request is answered with; what is not named is not compared. */
export interface Wanted {
  readonly code: number;
  /** Null: a Status without a reason. */
  readonly reason?: string | null;
  /** A part of the message. */
  readonly message?: string;
  /** The whole answer where it is no JSON. */
  readonly text?: string;
  readonly warning?: string;
  /** Members of the body. */
  readonly body?: object;
}

export interface ApiStep {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  /** A text goes as it is. */
  readonly body?: unknown;
  /** A step that says nothing has to go through. */
  readonly want?: Wanted;
}

/** The bodies of the answers so far. */
export type Earlier = readonly JsonObject[];

/** One row: requests in their order, each made of what the ones before were answered. */
export interface ApiCase {
  readonly row: string;
  readonly steps: readonly ((earlier: Earlier) => ApiStep)[];
}

export interface ApiReply {
  readonly code: number;
  readonly text: string;
  readonly warning: string | undefined;
}

/** Sends one plain request, without retries and without any meaning put into the answer. */
export type Ask = (step: ApiStep) => Promise<ApiReply>;

function jsonOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function compare(reply: ApiReply, { code, reason, message, text, warning, body }: Wanted): void {
  const found = jsonOf(reply.text);
  expect(reply.code, reply.text).toBe(code);
  if (reason === null) expect(found, reply.text).not.toHaveProperty('reason');
  else if (reason !== undefined) expect(found['reason'], reply.text).toBe(reason);
  if (message !== undefined) expect(found['message']).toContain(message);
  if (text !== undefined) expect(reply.text).toBe(text);
  if (warning !== undefined) expect(reply.warning).toContain(warning);
  if (body !== undefined) expect(found).toMatchObject(body);
}

const DONE = [200, 201];

export async function runApiCase(ask: Ask, { steps }: ApiCase): Promise<void> {
  const earlier: JsonObject[] = [];
  for (const stepOf of steps) {
    const step = stepOf(earlier);
    const reply = await ask(step);
    if (step.want === undefined) expect(DONE, reply.text).toContain(reply.code);
    else compare(reply, step.want);
    earlier.push(jsonOf(reply.text));
  }
}

const GROUP = 'test.minutehand.dev';
const COMMON = { group: GROUP, version: 'v1', shortNames: [], namespaced: true } as const;

/** Two kinds of these tests' own: Probe has a status subresource, Plain has none. */
export const PROBE: ResourceType = { ...COMMON, kind: 'Probe', plural: 'probes', singular: 'probe' };
export const PLAIN: ResourceType = { ...COMMON, kind: 'Plain', plural: 'plains', singular: 'plain' };

/** What their definitions declare. */
export const PROBE_SPEC = ['schedule', 'suspend'] as const;
export const PROBE_STATUS = ['lastSlot', 'nextSlot', 'failures', 'phase', 'conditions', 'marks'] as const;

export const API_VERSION = `${GROUP}/v1`;
export const GROUP_PATH = `/apis/${API_VERSION}`;

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

/** A member of the metadata of an answer; throws when there is none. */
export function metadataOf(
  earlier: Earlier,
  index: number,
): { readonly uid: string; readonly resourceVersion: string } {
  const metadata = earlier.at(index)?.['metadata'];
  const { uid, resourceVersion } = isObject(metadata) ? metadata : {};
  if (typeof uid !== 'string' || typeof resourceVersion !== 'string')
    throw new Error(`answer ${index} is no object: ${JSON.stringify(earlier.at(index))}`);
  return { uid, resourceVersion };
}

export const OTHER_UID = '11111111-2222-4333-8444-555555555555';

export function createProbe(name: string, fields: object = {}, want?: Wanted): ApiCase['steps'][number] {
  return () => ({
    method: 'POST',
    path: `${probePath()}?fieldManager=minutehand`,
    body: probe(name, fields),
    ...(want === undefined ? {} : { want }),
  });
}

export function readProbe(name: string, want?: Wanted): ApiCase['steps'][number] {
  return () => ({ method: 'GET', path: probePath(name), ...(want === undefined ? {} : { want }) });
}

export interface ApplyOptions {
  readonly metadata?: object;
  /** More of the query: `force=true`. */
  readonly query?: string;
  readonly want?: Wanted;
}

export const APPLY = 'application/apply-patch+yaml';
export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';

/** To `/status`, by our manager. */
export function applyStatus(
  name: string,
  status: object,
  { metadata, query = 'force=false', want }: ApplyOptions = {},
): ApiStep {
  return {
    method: 'PATCH',
    path: `${probePath(name)}/status?fieldManager=minutehand&${query}`,
    contentType: APPLY,
    body: { apiVersion: API_VERSION, kind: 'Probe', metadata: { name, ...metadata }, status },
    ...(want === undefined ? {} : { want }),
  };
}
