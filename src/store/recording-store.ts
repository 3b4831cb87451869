import type { CapturedList, CapturedObject, CapturedSearch, Recording } from '#core/capture/capture.ts';
import { compareText } from '#core/object/key.ts';
import { typeId } from '#core/observed.ts';
import { labelledId, liveId } from '#core/run/live-id.ts';
import type { Store } from './port.ts';

/** What was asked of a store so far; the order in which answers came in is not told. */
export interface Recorder<S extends Store> {
  readonly store: S;
  readonly recording: () => Recording;
}

function inOrder<T>(answers: ReadonlyMap<string, T>): readonly T[] {
  return [...answers].sort(([a], [b]) => compareText(a, b)).map(([, answer]) => answer);
}

/** The same store, but what it answers to `list`, `find` and `listLabelled` is kept. */
export function recordingStore<S extends Store>(store: S): Recorder<S> {
  const lists = new Map<string, CapturedList>();
  const found = new Map<string, CapturedObject>();
  const labelled = new Map<string, CapturedSearch>();
  const recorded: S = {
    ...store,
    // A capture holds whole lists.
    list: async (type) => {
      const listing = await store.list(type);
      const { group, kind } = type;
      lists.set(typeId(type), { group, kind, listing });
      return listing;
    },
    find: async (reference) => {
      const answer = await store.find(reference);
      const { group, kind, namespace, name } = reference;
      found.set(liveId(reference), { reference: { group, kind, namespace, name }, answer });
      return answer;
    },
    listLabelled: async (reference) => {
      const listing = await store.listLabelled(reference);
      const { type, namespace, labels } = reference;
      const search = { group: type.group, kind: type.kind, namespace, labels };
      labelled.set(labelledId(search), { ...search, listing });
      return listing;
    },
  };
  return {
    store: recorded,
    recording: () => ({ lists: inOrder(lists), found: inOrder(found), labelled: inOrder(labelled) }),
  };
}
