import { hasChanges } from '#core/change/change-set.ts';
import { applyChangeSet } from '#store/apply.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { decide } from '#test/scenarios/support/run-scenario.ts';
import { disturb, readAll, refusing, TYPES } from '#test/scenarios/support/scenario-store.ts';
import { openOn } from '#test/store/cluster/support.ts';
import { type FaultProxy, type FaultRule, faultProxy } from '#test/support/fault-proxy.ts';
import type { Scene } from './scene.ts';

/** A server with a proxy before it, on which one scene after the other is played. */
export interface Stage {
  readonly server: FakeApiServer;
  readonly proxy: FaultProxy;
  readonly close: () => Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const server = await fakeApiServer({ kinds: TYPES });
  const proxy = await faultProxy({ upstream: server.url });
  return {
    server,
    proxy,
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

export function setScene({ server }: Stage, { tick, objects }: Scene): void {
  server.configure({
    now: tick.now,
    isForbidden: ({ verb, resource }) => verb === 'list' && typeof tick.unreadable[resource] === 'string',
  });
  server.reset(objects);
}

export interface Disturbance {
  readonly rules: readonly FaultRule[];
  /** Milliseconds of a request, real ones. */
  readonly timeoutMs?: number;
  /** Milliseconds of repeating, which only seem to pass. */
  readonly retryBudgetMs?: number;
}

/** The tick of a scene, with whatever goes wrong on the way to the server. */
export async function playTick(
  { server, proxy }: Stage,
  { tick }: Scene,
  { rules, ...options }: Disturbance,
): Promise<void> {
  proxy.set(rules);
  let passed = tick.now * 1000;
  const store = openOn(proxy.url, {
    ...options,
    clock: () => passed,
    sleep: async (ms) => {
      passed += ms;
    },
  });
  const reconciliation = decide((await readAll(store)).observed, tick);
  disturb(server, tick.meanwhile);
  await applyChangeSet(refusing(store, tick.refuse), reconciliation);
  await store.close();
}

/** Budgets leave work for later ticks, and what was deleted in one may set another schedule free. */
const MOST_TICKS = 12;

/**
 * Clean ticks at the same time until nothing changes any more.
 * @returns how many of them changed something
 */
export async function settle({ server }: Stage, { tick }: Scene): Promise<number> {
  const store = openOn(server.url);
  try {
    for (let ticks = 0; ticks < MOST_TICKS; ticks += 1) {
      const reconciliation = decide((await readAll(store)).observed, tick);
      if (!hasChanges(reconciliation.changeSet)) return ticks;
      await applyChangeSet(store, reconciliation);
    }
  } finally {
    await store.close();
  }
  throw new Error(`not settled after ${MOST_TICKS} clean ticks`);
}
