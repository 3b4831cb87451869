import type { Listing, Store } from '#store/port.ts';

/** The same store, in which no object of a kind can be listed. */
export function unreadable(store: Store, kind: string): Store {
  const broken: Listing = { state: 'unreadable', reason: 'the list broke off' };
  return {
    ...store,
    list: (type, narrowing) => (type.kind === kind ? Promise.resolve(broken) : store.list(type, narrowing)),
  };
}
