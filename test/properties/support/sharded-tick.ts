import type fc from 'fast-check';
import type { Reading } from '#cli/tick.ts';
import type { Settings } from '#core/kind.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { runTick, type Tick } from './tick.ts';

/** The same store, each of whose calls waits until the scheduler lets it go on. */
function scheduled(store: Store, scheduler: fc.Scheduler): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: readonly unknown[]) => {
        await scheduler.schedule(Promise.resolve(), String(name));
        return Reflect.apply(member, target, given);
      };
    },
  });
}

/** All shards of one tick at once, their reads and writes in whatever order the scheduler finds. */
export async function runShards(
  store: Store,
  tick: {
    readonly now: Instant;
    readonly count: number;
    readonly settings: Settings;
    readonly reading: Reading;
  },
  scheduler: fc.Scheduler,
): Promise<readonly Tick[]> {
  const { now, count, settings, reading } = tick;
  const shards = Array.from({ length: count }, (_, index) =>
    runTick(scheduled(store, scheduler), now, settings, reading, { index, count }),
  );
  const ticks = Promise.all(shards);
  await scheduler.waitFor(ticks);
  return ticks;
}
