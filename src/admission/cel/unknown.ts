/** Read by a rule, and known only to a server: the verdict is left open, unless it is the same for every value. */
export class Unknown extends Error {}

/**
 * A map some of whose entries only a server knows. The evaluator asks for the constructor, so that it is a plain Map
 * with a lookup of its own.
 */
export function withUnknown(
  entries: Iterable<readonly [string, unknown]>,
  unknown: ReadonlyMap<string, string>,
  told: (reason: Unknown) => void,
): Map<string, unknown> {
  return lazyMap(new Map(entries), (key) => {
    const reason = unknown.get(key);
    if (reason === undefined) return undefined;
    const error = new Unknown(reason);
    told(error);
    throw error;
  });
}

/** A map that makes the entries that it lacks when they are asked for. */
export function lazyMap(entries: Map<string, unknown>, make: (key: string) => unknown): Map<string, unknown> {
  const read = entries.get.bind(entries);
  entries.get = (key) => (entries.has(key) ? read(key) : make(key));
  return entries;
}
