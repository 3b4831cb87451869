import type { ClusterOptions, ClusterStore } from '#store/cluster/open-cluster-store.ts';
import type { Repeat } from '#store/cluster/tenure.ts';
import type { WatermarkWorld } from '#test/store/watermark-contract.ts';

export const LEASE_OF_TEST = { namespace: 'harbor', name: 'tick' } as const;

/** Any time will do: nobody asks the server's clock. */
const START_MS = Date.parse('2026-06-10T03:00:00.250Z');

/** Timers that go off as the clock of a world goes on. */
function handClock() {
  const acts = new Set<{ readonly act: () => void; readonly everyMs: number; due: number }>();
  let now = START_MS;
  const repeat: Repeat = (act, everyMs) => {
    const one = { act, everyMs, due: now + everyMs };
    acts.add(one);
    return () => acts.delete(one);
  };
  return {
    repeat,
    clock: () => now,
    stopAll: () => acts.clear(),
    /** @param settle waits for what a timer began */
    pass: async (seconds: number, settle: () => Promise<void>) => {
      const end = now + seconds * 1000;
      while (now < end) {
        now = Math.min(end, ...[...acts].map(({ due }) => due));
        for (const one of acts) {
          if (one.due > now) continue;
          one.due += one.everyMs;
          one.act();
        }
        await settle();
      }
    },
  };
}

/** Several processes on one API, each with a store of its own. */
export function clusterWatermarkWorld(
  openStore: (options: Pick<ClusterOptions, 'clock' | 'repeat'>) => ClusterStore,
  settle: () => Promise<void>,
  record: (text: string) => Promise<void>,
): WatermarkWorld {
  const hand = handClock();
  const stores: ClusterStore[] = [];
  return {
    open: (holder) => {
      const store = openStore({ clock: hand.clock, repeat: hand.repeat });
      stores.push(store);
      return store.watermark({ ...LEASE_OF_TEST, holder });
    },
    pass: (seconds) => hand.pass(seconds, settle),
    killAll: hand.stopAll,
    record,
    end: async () => {
      hand.stopAll();
      for (const store of stores) await store.close();
    },
  };
}
