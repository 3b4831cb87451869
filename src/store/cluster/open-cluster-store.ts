import type { Precondition } from '#core/change/change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { type Listing, typeId } from '#core/observed.ts';
import { countAnswers, type Requests } from '#core/requests.ts';
import type { Store, Watermark, WriteResult } from '#store/port.ts';
import { annotateObject } from './annotate-object.ts';
import { applyStatus } from './apply-status.ts';
import { apiClient } from './client.ts';
import type { Connection } from './connection.ts';
import { createObject } from './create-object.ts';
import { deleteObject } from './delete-object.ts';
import { findObject } from './find-object.ts';
import { getObject } from './get-object.ts';
import { CONNECTIONS } from './http.ts';
import { gapsAfter, type IncompleteList, incompleteErrors } from './incomplete-lists.ts';
import { lastSeen } from './last-seen.ts';
import { listType, type Reach } from './list-type.ts';
import { removeFinalizers } from './remove-finalizers.ts';
import type { Session } from './session.ts';
import { setSpecField } from './set-spec-field.ts';
import { takeStatus } from './take-status.ts';
import type { Repeat } from './tenure.ts';
import { type LeaseOptions, leaseWatermark } from './watermark.ts';

export interface ClusterOptions {
  readonly connection: Connection;
  readonly reach?: Reach;
  /** Milliseconds that one request may take; 10 s unless set. */
  readonly timeoutMs?: number;
  /** Milliseconds that a whole tick may lose by repeating requests; 20 s unless set. */
  readonly retryBudgetMs?: number;
  /** Every write is checked by the server and none is stored. */
  readonly dryRun?: boolean;
  /** `Strict` refuses fields that a definition does not declare; where the definitions are our own. */
  readonly fieldValidation?: 'Strict' | 'Warn';
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** How a Lease is renewed; a timer unless set. */
  readonly repeat?: Repeat;
  /** From then on nothing is asked nor repeated; a write that is under way is finished. */
  readonly stop?: AbortSignal;
  /** Called when a list has more than one page, maybe several times. */
  readonly onLargeList?: () => void;
  /** As of `ClientOptions`. */
  readonly onUnanswered?: ((server: string, reason: string) => void) | undefined;
}

export interface ClusterStore extends Store {
  readonly diagnostics: () => readonly Diagnostic[];
  /** What was asked of the server so far. */
  readonly requests: () => Requests;
  /** Makes status fields ours alone, with the values that they have. */
  readonly takeStatus: (
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    fields: readonly string[],
  ) => Promise<WriteResult>;
  readonly watermark: (lease: Omit<LeaseOptions, 'clock' | 'repeat'>) => Watermark;
}

/** Of one request, and of whoever is asked for credentials. */
export const TIMEOUT_MS = 10_000;
const RETRY_BUDGET_MS = 20_000;
/** As many as connections: an API server queues what is beyond its fair share. */
const WRITES_AT_ONCE = CONNECTIONS;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function undeclared(type: ResourceType, path: string): Diagnostic {
  return {
    code: 'FieldNotDeclared',
    severity: 'warning',
    what: `${type.plural} of this cluster do not declare .status.${path}: it is not written`,
    fix: `update the definition of ${type.plural}.${type.group}`,
  };
}

/** What the server put off (429). */
function throttledNotes(requests: Requests): readonly Diagnostic[] {
  const count = countAnswers(requests, '429');
  if (count === 0) return [];
  const note: Diagnostic = {
    code: 'Throttled',
    severity: 'note',
    what: `the server put off ${count === 1 ? 'a request' : `${count} requests`} (429 Too Many Requests)`,
    why: 'each was tried again after the time that the server asked for, as far as the budget of retries went',
  };
  return [note];
}

/** All of them at once: a cluster without an operator lacks several. */
function absentNote(types: readonly ResourceType[]): Diagnostic {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const version = apiVersionOf(type);
    groups.set(version, [...(groups.get(version) ?? []), type.plural].sort());
  }
  const parts = [...groups].sort().map(([version, plurals]) => `${plurals.join(', ')} (${version})`);
  const [its, it] = types.length === 1 ? ['its definition', 'it'] : ['their definitions', 'them'];
  return {
    code: 'KindAbsent',
    severity: 'note',
    what: `this cluster does not serve ${parts.join('; ')}`,
    fix: `install ${its}, or policies/crd where no operator brings ${it}`,
  };
}

/** The API of a cluster. Nothing is locked: names and preconditions keep two ticks apart. */
export function openClusterStore(options: ClusterOptions): ClusterStore {
  const { connection, clock, reach = { namespaces: [], fallback: [] }, onLargeList } = options;
  const { server } = connection;
  const found = new Map<string, Diagnostic>();
  const absent = new Map<string, ResourceType>();
  const incomplete = new Map<string, IncompleteList>();
  const report = (diagnostic: Diagnostic): void => {
    found.set(`${diagnostic.code} ${diagnostic.what}`, diagnostic);
  };
  const client = apiClient({
    connection,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryBudgetMs: options.retryBudgetMs ?? RETRY_BUDGET_MS,
    clock,
    sleep: options.sleep ?? pause,
    stop: options.stop ?? new AbortController().signal,
    onUnanswered: options.onUnanswered,
    onWarning: (text) =>
      report({ code: 'ServerWarning', severity: 'warning', what: `the server warns: ${text}` }),
  });
  const seen = lastSeen();
  const session: Session = {
    client,
    reach,
    dryRun: options.dryRun === true ? 'All' : undefined,
    fieldValidation: options.fieldValidation ?? 'Warn',
    lastSeen: seen.find,
    undeclared: new Map(),
    noteUndeclared: (type, path) => {
      const paths = session.undeclared.get(typeId(type)) ?? new Set();
      session.undeclared.set(typeId(type), paths.add(path));
      report(undeclared(type, path));
    },
    discovered: new Map(),
    statusSchemas: new Map(),
  };
  return {
    description: connection.description,
    writesAtOnce: WRITES_AT_ONCE,
    diagnostics: () => [
      ...found.values(),
      ...incompleteErrors([...incomplete.values()]),
      ...throttledNotes(client.requests()),
      ...(absent.size === 0 ? [] : [absentNote([...absent.values()])]),
    ],
    requests: client.requests,
    prepare: async () => ({ ok: true, diagnostics: [] }),
    list: async (type, narrowing): Promise<Listing> => {
      const listing = await listType(client, { type, reach, server, narrowing, onLargeList });
      if (listing.state === 'absent') absent.set(typeId(type), type);
      else absent.delete(typeId(type));
      // Nothing depends on events, so that nothing is said of theirs.
      const found = listing.state === 'read' && type !== EVENT ? listing.incomplete : undefined;
      const [, before] = incomplete.get(typeId(type)) ?? [];
      const gaps = gapsAfter(before, found, narrowing?.namespaces);
      if (gaps.size === 0) incomplete.delete(typeId(type));
      else incomplete.set(typeId(type), [type, gaps]);
      seen.note(type, listing);
      return listing;
    },
    get: (type, key) => getObject(session, type, key),
    find: (reference) => findObject(session, reference),
    listLabelled: async ({ type, namespace, labels }) => {
      const own = namespace === '' ? reach : { namespaces: [namespace], fallback: [] };
      const listing = await listType(client, { type, reach: own, server, labels, onLargeList });
      // What is written next is found among them.
      if (namespace === '') seen.note(type, listing);
      return listing;
    },
    create: (type, object) => createObject(session, type, object),
    applyStatus: (type, key, precondition, fields, annotations) =>
      applyStatus(session, { type, key, precondition, fields, annotations }),
    annotate: (type, key, precondition, annotations) =>
      annotateObject(session, { type, key, precondition, annotations }),
    removeFinalizers: (type, key, precondition, finalizers) =>
      removeFinalizers(session, { type, key, precondition, finalizers }),
    setSpecField: (type, key, precondition, path, value) =>
      setSpecField(session, { type, key, precondition, path, value }),
    delete: (type, key, precondition, propagation) =>
      deleteObject(session, type, key, precondition, propagation),
    takeStatus: (type, key, precondition, fields) => takeStatus(session, { type, key, precondition, fields }),
    watermark: (lease) => leaseWatermark(session, { ...lease, clock, repeat: options.repeat }),
    close: async () => client.close(),
  };
}
