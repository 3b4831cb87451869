import { isObject } from '#core/object/canonical.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { ListNarrowing } from '#store/port.ts';
import type { Attempted, Client } from './client.ts';
import type { FailureCause } from './http.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import { type ListReading, type SentPage, sendPage } from './sent-page.ts';

const PAGE = 500;
/** A list that expires again and again while it is read is given up. */
const MOST_RESTARTS = 3;

export type Pages =
  /** `without`: what the server left out. */
  | { readonly state: 'read'; readonly objects: readonly KubeObject[]; readonly without?: FieldValue }
  | { readonly state: 'absent' }
  | { readonly state: 'forbidden'; readonly message: string }
  | { readonly state: 'unreadable'; readonly reason: string; readonly cause?: FailureCause };

/** Unselectable: the server cannot leave out what was to be left out. */
type Outcome = Pages | { readonly state: 'unselectable' };

/** What is listed. */
export interface PagesRequest {
  readonly type: ResourceType;
  /** Empty = all of them. */
  readonly namespace: string;
  /** Only objects that carry all of these. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Left out where the server can. */
  readonly without?: FieldValue | undefined;
  /** What is kept of the records of who wrote which field, as soon as a page is there. */
  readonly records?: ListNarrowing['records'] | undefined;
  /** Called behind each page that is not the last. */
  readonly onLargeList?: (() => void) | undefined;
}

/** Of events only ours are of use: a cluster has many. */
function selectorOf({ type, without }: PagesRequest): string | undefined {
  if (type === EVENT) return `reportingController=${FIELD_MANAGER}`;
  if (without === undefined) return undefined;
  return `${without.path.join('.')}!=${without.value.replace(/[\\,=]/g, '\\$&')}`;
}

function labelSelectorOf(labels: PagesRequest['labels']): string | undefined {
  if (labels === undefined) return undefined;
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

const ELSEWHERE = 'the server does not know them; is this the address of an API server?';

/** Served by every API server: whoever does not know it is another server. */
function isBuiltIn({ group }: ResourceType): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

function refused(answer: Extract<Attempted, { state: 'refused' | 'failed' }>, type: ResourceType): Pages {
  if (answer.state === 'failed') {
    const { message, cause } = answer;
    return { state: 'unreadable', reason: message, ...(cause === undefined ? {} : { cause }) };
  }
  switch (answer.status) {
    case 404:
      return isBuiltIn(type) ? { state: 'unreadable', reason: ELSEWHERE } : { state: 'absent' };
    case 403:
      return { state: 'forbidden', message: answer.message };
    case 401:
      return {
        state: 'unreadable',
        reason: `the server does not accept the credentials (${answer.message})`,
      };
    default:
      return { state: 'unreadable', reason: answer.message };
  }
}

/** Most of a small object is the record of who wrote it. */
function trimRecords(object: KubeObject, records: PagesRequest['records']): KubeObject {
  if (records === undefined) return object;
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined) return object;
  if (records === 'none') return { ...object, metadata };
  return { ...object, metadata: { ...metadata, managedFields: managedFields.map(withoutSpec) } };
}

function withoutSpec({ fieldsV1, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  const status = fieldsV1?.['f:status'];
  return status === undefined ? entry : { ...entry, fieldsV1: { 'f:status': status } };
}

interface Page {
  readonly objects: readonly KubeObject[];
  /** The token of the next page; undefined behind the last. */
  readonly next: string | undefined;
}

function pathOf(request: PagesRequest): (token: string | undefined) => string {
  const { type, namespace, labels } = request;
  const query = { limit: PAGE, fieldSelector: selectorOf(request), labelSelector: labelSelectorOf(labels) };
  return (token) => resourcePath(type, { namespace }, { ...query, continue: token });
}

/** What came of a page: one, or what the server says instead; `expired` = the list must start again. */
async function readPage(
  { answer: sent }: SentPage,
  { type, records, without }: PagesRequest,
): Promise<Page | Outcome | 'expired'> {
  const answer = await sent;
  if (answer.state === 'refused' && answer.status === 410) return 'expired';
  if (answer.state === 'refused' && answer.status === 400 && without !== undefined)
    return { state: 'unselectable' };
  if (answer.state !== 'ok') return refused(answer, type);
  const { items, metadata } = answer.body;
  if (!Array.isArray(items)) return { state: 'unreadable', reason: 'the server answered with no list' };
  const objects: KubeObject[] = [];
  for (const item of items) {
    const object = readObject(item, type);
    if (object === undefined) return { state: 'unreadable', reason: 'a listed object has no metadata' };
    objects.push(trimRecords(object, records));
  }
  const token = isObject(metadata) ? metadata['continue'] : undefined;
  return { objects, next: typeof token === 'string' && token !== '' ? token : undefined };
}

/** What a page that is none means behind other pages of its list. */
function brokenOff(page: Outcome, isFirst: boolean): Outcome {
  // It was served a moment ago.
  return page.state === 'absent' && !isFirst ? { state: 'unreadable', reason: ELSEWHERE } : page;
}

/**
 * All objects of a type, of one namespace or of all (empty). No resourceVersion is asked for (kubernetes-api.md); an
 * expired list starts again with its first page, and one that breaks off is unreadable, never short.
 */
export async function listPages(client: Client, request: PagesRequest): Promise<Pages> {
  const { without, ...whole } = request;
  const pages = await listOnce(client, request);
  if (pages.state === 'read' && without !== undefined) return { ...pages, without };
  if (pages.state !== 'unselectable') return pages;
  // A definition that does not declare the field selectable is no fault.
  const all = await listOnce(client, whole);
  return all.state === 'unselectable' ? { state: 'unreadable', reason: ELSEWHERE } : all;
}

async function listOnce(client: Client, request: PagesRequest): Promise<Outcome> {
  const reading: ListReading = { client, pathOf: pathOf(request), isOver: false };
  try {
    return await readPages(reading, request);
  } finally {
    reading.isOver = true;
  }
}

async function readPages(reading: ListReading, request: PagesRequest): Promise<Outcome> {
  let objects: KubeObject[] = [];
  const tokens = new Set<string>();
  let sent = sendPage(reading, undefined);
  for (let restarts = 0; restarts <= MOST_RESTARTS; ) {
    const page = await readPage(sent, request);
    if (page === 'expired') {
      restarts += 1;
      objects = [];
      tokens.clear();
      sent = sendPage(reading, undefined);
      continue;
    }
    if ('state' in page) return brokenOff(page, sent.token === undefined);
    for (const object of page.objects) objects.push(object);
    const { next } = page;
    if (next === undefined) return { state: 'read', objects };
    if (tokens.has(next)) return { state: 'unreadable', reason: 'the list does not come to an end' };
    tokens.add(next);
    request.onLargeList?.();
    const ahead = sent.ahead();
    sent = ahead?.token === next ? ahead : sendPage(reading, next);
  }
  return { state: 'unreadable', reason: 'the list expired while it was read' };
}
