import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { openOn } from '#test/store/directory/support.ts';
import { Crash, type Fault, type FaultyStore, faultyStore, type Write } from './faulty-store.ts';
import { interleaved } from './interleaved.ts';
import { runTick, SETTINGS } from './tick.ts';
import { RETRIED } from './write-trouble.ts';

/** A place where one process after the other opens the same objects. */
export interface Place {
  readonly open: (now: Instant) => Promise<Store>;
  /** What lies between a tick and the store. */
  readonly between?: (store: Store) => Store;
}

export function inMemory(objects: readonly KubeObject[], now: Instant): Place {
  const store = memoryStore({ objects, now });
  return { open: async () => store };
}

/** Writes of several schedules are under way at once and arrive in an order that a seed decides. */
export function inDisorder(objects: readonly KubeObject[], now: Instant, seed: number): Place {
  const store = memoryStore({ objects, now, writesAtOnce: 4 });
  return { open: async () => store, between: (faulty) => interleaved(faulty, seed) };
}

export function inDirectory(objects: readonly KubeObject[]): Place {
  const disk = memoryFiles();
  const clock = { now: 0 };
  return {
    open: (now) => {
      clock.now = now * 1000;
      // The process before is known to be dead, so that its lock holds nobody up.
      return openOn(disk, objects, { now, clock: () => clock.now, isDead: () => true });
    },
  };
}

/** What may become of a write, in the words of a test. */
export const FAULTS: Readonly<Record<string, (verb: Write['verb']) => Fault>> = {
  'dies before': () => ({ state: 'crashBefore' }),
  'dies after': () => ({ state: 'crash' }),
  'loses the reply of': () => ({ state: 'loseReply', kind: 'transient' }),
  'loses the reply of, tries again and hears that it is too late for,': (verb) => ({
    state: 'loseReply',
    kind: RETRIED[verb],
  }),
  'is refused': () => ({ state: 'refuse', kind: 'transient' }),
};

interface TickOptions extends Pick<Place, 'between'> {
  readonly settings?: Settings;
}

/** One tick, of which a write may go wrong, or after which the process is dead. */
export async function tickWith(
  store: Store,
  now: Instant,
  faultAt?: { readonly write: number; readonly fault: string },
  { settings = SETTINGS, between = (one) => one }: TickOptions = {},
): Promise<FaultyStore> {
  const faulty = faultyStore(store, async ({ verb }, index) =>
    index === faultAt?.write ? FAULTS[faultAt.fault]?.(verb) : undefined,
  );
  try {
    await runTick(between(faulty), now, settings);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return faulty;
}
