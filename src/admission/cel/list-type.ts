/** How a list is compared and joined: by position, as a set, or as a map by some fields of its items. */
export type ListType = { readonly is: 'set' } | { readonly is: 'map'; readonly keys: readonly string[] };

const TYPES = new WeakMap<readonly unknown[], ListType>();

/** Marks a list whose schema says that its order does not matter. */
export function asListType(list: readonly unknown[], type: ListType): readonly unknown[] {
  TYPES.set(list, type);
  return list;
}

export function listTypeOf(list: readonly unknown[]): ListType | undefined {
  return TYPES.get(list);
}
