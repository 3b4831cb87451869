import type { Store } from '#store/port.ts';
import { type Asked, Crash, type Fault, type FaultyStore, faultyStore } from './faulty-store.ts';
import type { Tick } from './tick.ts';

export interface Attempt {
  /** Absent where the process died. */
  readonly tick: Tick | undefined;
  readonly faulty: FaultyStore;
  /** Something did go wrong, or somebody else acted in the middle. */
  readonly disturbed: boolean;
}

export interface Disturbance {
  /** @returns whether somebody acted just before the write */
  readonly meddle: (write: Asked, index: number) => boolean;
  readonly faultFor: (write: Asked, index: number) => Fault | undefined;
}

/** One tick with what goes wrong in it. */
export async function attempt(
  store: Store,
  { meddle, faultFor }: Disturbance,
  tick: (store: Store) => Promise<Tick>,
): Promise<Attempt> {
  let disturbed = false;
  const faulty = faultyStore(store, async (write, index) => {
    const fault = faultFor(write, index);
    if (meddle(write, index)) disturbed = true;
    if (fault !== undefined) disturbed = true;
    return fault;
  });
  try {
    return { tick: await tick(faulty), faulty, disturbed };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return { tick: undefined, faulty, disturbed };
  }
}
