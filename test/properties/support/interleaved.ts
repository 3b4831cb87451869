import { fnv1a32 } from '#core/object/hash.ts';
import type { Store } from '#store/port.ts';

const LONGEST = 40;

async function linger(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

/** The same store, but each write is on its way for a while that a seed and its number decide. */
export function interleaved(store: Store, seed: number): Store {
  let count = 0;
  const late = <Arguments extends readonly unknown[], Result>(
    write: (...given: Arguments) => Promise<Result>,
  ): ((...given: Arguments) => Promise<Result>) => {
    return async (...given) => {
      count += 1;
      await linger(Number.parseInt(fnv1a32(`${seed}/${count}`), 16) % LONGEST);
      return write(...given);
    };
  };
  return {
    ...store,
    create: late(store.create),
    applyStatus: late(store.applyStatus),
    annotate: late(store.annotate),
    removeFinalizers: late(store.removeFinalizers),
    setSpecField: late(store.setSpecField),
    delete: late(store.delete),
  };
}
