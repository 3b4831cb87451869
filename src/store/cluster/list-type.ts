import type { FieldValue } from '#core/object/field-value.ts';
import { compareKeys, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type ListFault, type Listing, NOT_IN_THIS_TICK, type Scope } from '#core/observed.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { ListNarrowing } from '#store/port.ts';
import type { Client } from './client.ts';
import { deniedEverywhere, deniedIn, unanswered } from './list-fault.ts';
import { listPages, type Pages, type PagesRequest } from './list-pages.ts';

/** Which namespaces a store looks at. */
export interface Reach {
  /** Read one by one, and no other; empty = the whole cluster. */
  readonly namespaces: readonly string[];
  /** Read instead where listing across namespaces is forbidden; empty = none. */
  readonly fallback: readonly string[];
}

function readOf(objects: readonly KubeObject[], scope?: Scope): Extract<Listing, { state: 'read' }> {
  const sorted = [...objects].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const sourced = sorted.map((object) => ({ object }));
  return { state: 'read', objects: sourced, ...(scope === undefined ? {} : { scope }) };
}

type Unread = Extract<Pages, { state: 'forbidden' | 'unreadable' }>;

/** What is asked, of whom. */
interface ListRequest {
  readonly type: ResourceType;
  readonly reach: Reach;
  /** The address, for people. */
  readonly server: string;
  /** Only objects that carry all of these. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly narrowing?: ListNarrowing | undefined;
  readonly onLargeList?: (() => void) | undefined;
}

/** What is asked at last. */
interface PartRequest extends ListRequest {
  /** What nobody needs. */
  readonly without?: FieldValue | undefined;
}

/** Lists of single namespaces that are under way at once. */
const LISTS_AT_ONCE = 8;

const NOTHING_WITHIN_REACH: Listing = {
  state: 'read',
  objects: [],
  scope: { namespaces: new Set(), reason: 'no namespace of these is read' },
};

function reasonOf(pages: Unread): string {
  return pages.state === 'forbidden' ? pages.message : pages.reason;
}

function unreadable(pages: Unread, fault: (message: string) => ListFault, server: string): Listing {
  const reason = reasonOf(pages);
  if (pages.state === 'forbidden') return { state: 'unreadable', reason, fault: fault(reason) };
  const { cause } = pages;
  return {
    state: 'unreadable',
    reason,
    ...(cause === undefined ? {} : { fault: unanswered(server, reason, cause) }),
  };
}

/** Of all namespaces but these something was left out. */
function scopeWithout(without: FieldValue, namespaces: readonly string[]): Scope {
  return { namespaces: new Set(namespaces), reason: NOT_IN_THIS_TICK, without };
}

function whole(pages: Pages, { type, server }: ListRequest): Listing {
  switch (pages.state) {
    case 'read':
      return readOf(pages.objects, pages.without && scopeWithout(pages.without, []));
    case 'absent':
      return { state: 'absent' };
    case 'forbidden':
    case 'unreadable':
      return unreadable(pages, (message) => deniedEverywhere(message, type.namespaced), server);
  }
}

function pagesRequest(request: PartRequest, namespace: string): PagesRequest {
  const { type, labels, narrowing, without, onLargeList } = request;
  return { type, namespace, labels, without, records: narrowing?.records, onLargeList };
}

/** The first one tells whether anything can be left out of the others. */
async function listEach(
  client: Client,
  request: PartRequest,
  namespaces: readonly string[],
): Promise<readonly Pages[]> {
  const list = (asked: PartRequest) => (namespace: string) =>
    listPages(client, pagesRequest(asked, namespace));
  const [first, ...others] = namespaces;
  if (first === undefined || request.without === undefined)
    return inLanes(namespaces, LISTS_AT_ONCE, list(request));
  const pages = await list(request)(first);
  const isRefused = pages.state === 'read' && pages.without === undefined;
  const asked = isRefused ? { ...request, without: undefined } : request;
  return [pages, ...(await inLanes(others, LISTS_AT_ONCE, list(asked)))];
}

/** Several namespaces, some at once; one that cannot be read is a gap, and the others count. */
async function byNamespace(
  client: Client,
  request: PartRequest,
  namespaces: readonly string[],
): Promise<Listing> {
  const read = new Map<string, Extract<Pages, { state: 'read' }>>();
  const unread = new Map<string, Unread>();
  let absent = 0;
  const answers = await listEach(client, request, namespaces);
  for (const [index, namespace] of namespaces.entries()) {
    const pages = answers[index];
    if (pages === undefined) continue;
    if (pages.state === 'read') read.set(namespace, pages);
    else if (pages.state === 'absent') absent += 1;
    else unread.set(namespace, pages);
  }
  if (absent === namespaces.length) return { state: 'absent' };
  const [first] = unread.values();
  if (first !== undefined && unread.size === namespaces.length) {
    const same = [...unread].filter(([, { state }]) => state === first.state);
    const places = same.map(([namespace]) => namespace);
    return unreadable(first, (message) => deniedIn(message, places), request.server);
  }
  const parts = [...read.values()].filter(({ without }) => without !== undefined);
  const wholes = namespaces.filter((namespace) => read.get(namespace)?.without === undefined);
  const reason = `only the namespaces ${namespaces.join(', ')} are read`;
  const without = parts[0]?.without;
  const scope =
    without === undefined ? { namespaces: new Set(namespaces), reason } : scopeWithout(without, wholes);
  const listing = readOf(
    [...read.values()].flatMap(({ objects }) => objects),
    scope,
  );
  const incomplete = new Map([...unread].map(([namespace, pages]) => [namespace, reasonOf(pages)]));
  return incomplete.size === 0 ? listing : { ...listing, incomplete };
}

/** Those that are asked for, as far as they are within reach. */
function narrowedTo(wanted: readonly string[], { namespaces, fallback }: Reach): readonly string[] {
  const bounds = namespaces.length > 0 ? namespaces : fallback;
  return bounds.length === 0 ? wanted : wanted.filter((one) => bounds.includes(one));
}

/** Every object of a type within reach. A type that is not served is absent (kubernetes-api.md). */
export async function listType(client: Client, request: ListRequest): Promise<Listing> {
  const { type, reach, narrowing = {} } = request;
  const wanted = narrowing.namespaces;
  if (type.namespaced && wanted !== undefined) {
    const within = narrowedTo(wanted, reach);
    return within.length > 0 ? byNamespace(client, request, within) : NOTHING_WITHIN_REACH;
  }
  return listReach(client, { ...request, without: type.namespaced ? narrowing.without : undefined });
}

async function listReach(client: Client, request: PartRequest): Promise<Listing> {
  const { type, reach } = request;
  const { namespaces, fallback } = reach;
  if (type.namespaced && namespaces.length > 0) return byNamespace(client, request, namespaces);
  const pages = await listPages(client, pagesRequest(request, ''));
  if (pages.state === 'forbidden' && type.namespaced && fallback.length > 0) {
    return byNamespace(client, request, fallback);
  }
  return whole(pages, request);
}
