import type { Capture } from '#core/capture/capture.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import { typeId, within } from '#core/observed.ts';
import { labelledId, liveId } from '#core/run/live-id.ts';
import type { Listing, Store, WriteResult } from './port.ts';

export interface ReplayStore extends Store {
  /** What the store that was captured told of itself. */
  readonly diagnostics: () => readonly Diagnostic[];
}

const READ_ONLY = 'a capture is never written to';

async function refused(): Promise<WriteResult> {
  return { ok: false, failure: { kind: 'invalid', message: READ_ONLY } };
}

/** Never an empty answer: what was not asked when the capture was made is not known. */
function notAsked(what: string): string {
  return `${what} not in the capture`;
}

/** The answers of a capture, and no other. */
export function replayStore(capture: Capture, description: string): ReplayStore {
  const lists = new Map<string, Listing>(capture.lists.map((list) => [typeId(list), list.listing] as const));
  const found = new Map(capture.found.map(({ reference, answer }) => [liveId(reference), answer] as const));
  const labelled = new Map(capture.labelled.map((search) => [labelledId(search), search.listing] as const));
  return {
    description,
    writesAtOnce: 1,
    diagnostics: () => capture.findings.store,
    prepare: async () => ({
      ok: false,
      diagnostic: { code: 'InvalidCapture', severity: 'error', what: READ_ONLY },
    }),
    list: async (type, narrowing) => {
      const listing = lists.get(typeId(type));
      if (listing === undefined) return { state: 'unreadable', reason: notAsked(`${type.plural} are`) };
      return type.namespaced ? within(listing, narrowing?.namespaces) : listing;
    },
    get: async (type, key) => {
      const listing = lists.get(typeId(type));
      if (listing === undefined) return { state: 'failed', message: notAsked(`${type.plural} are`) };
      if (listing.state === 'unreadable') return { state: 'failed', message: listing.reason };
      const objects = listing.state === 'read' ? listing.objects : [];
      const source = objects.find(({ object }) => keyId(keyOf(object)) === keyId(key));
      return source === undefined ? { state: 'missing' } : { state: 'found', object: source.object };
    },
    find: async (reference) =>
      found.get(liveId(reference)) ?? {
        state: 'failed',
        reason: notAsked(`${reference.kind} ${reference.namespace}/${reference.name} is`),
      },
    listLabelled: async (reference) => {
      const { type, namespace, labels } = reference;
      const { group, kind } = type;
      return (
        labelled.get(labelledId({ group, kind, namespace, labels })) ?? {
          state: 'unreadable',
          reason: notAsked(`these ${type.plural} are`),
        }
      );
    },
    create: refused,
    applyStatus: refused,
    annotate: refused,
    removeFinalizers: refused,
    setSpecField: refused,
    delete: refused,
    close: async () => undefined,
  };
}
