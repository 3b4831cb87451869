import { hasChanges } from '#core/change/change-set.ts';
import type { KubeObject } from '#core/object/object.ts';
import { applyChangeSet } from '#store/apply.ts';
import { type ClusterStore, openClusterStore } from '#store/cluster/open-cluster-store.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { createNamespace } from '#test/cluster/world/api.ts';
import { decide } from '#test/scenarios/support/run-scenario.ts';
import { readAll } from '#test/scenarios/support/scenario-store.ts';
import type { Scene } from '#test/store/cluster/fault-matrix/scene.ts';
import type { Disturbance } from '#test/store/cluster/fault-matrix/stage.ts';
import { type FaultProxy, faultProxy } from '#test/support/fault-proxy.ts';
import { type Outcome, objectsIn, outcomeOf } from './outcome.ts';
import { plant } from './plant.ts';

/** A real server with a proxy before it, on which each play has a namespace of its own. */
export interface Stage {
  readonly server: ApiServer;
  readonly proxy: FaultProxy;
  readonly nextNamespace: () => string;
}

export async function openStage(server: ApiServer): Promise<Stage> {
  const proxy = await faultProxy({ upstream: server.url, tls: { ca: server.ca } });
  let plays = 0;
  return {
    server,
    proxy,
    nextNamespace: () => {
      plays += 1;
      return `play-${plays}-of-faults`;
    },
  };
}

/** On one namespace, through the proxy; repeating takes no time, as far as the store can tell. */
function open(
  { server, proxy }: Stage,
  namespace: string,
  options: Omit<Disturbance, 'rules'>,
): ClusterStore {
  let passed = 0;
  return openClusterStore({
    connection: {
      description: server.url,
      server: proxy.url,
      tls: {},
      credentials: async () => ({ Authorization: `Bearer ${server.adminToken}` }),
    },
    reach: { namespaces: [namespace], fallback: [] },
    clock: () => passed,
    sleep: async (ms) => {
      passed += ms;
    },
    ...options,
  });
}

/** A scenario that was planted. */
export interface Play {
  readonly scene: Scene;
  readonly namespace: string;
  readonly before: readonly KubeObject[];
}

export async function setScene(stage: Stage, scene: Scene): Promise<Play> {
  const namespace = stage.nextNamespace();
  await createNamespace(stage.server, namespace);
  await plant(stage.server, scene.objects, namespace);
  stage.proxy.set([]);
  return { scene, namespace, before: await objectsIn(open(stage, namespace, {})) };
}

/** @returns whether the tick changed something */
export async function playTick(
  stage: Stage,
  { scene: { tick }, namespace }: Play,
  { rules, ...options }: Disturbance = { rules: [] },
): Promise<boolean> {
  stage.proxy.set(rules);
  const store = open(stage, namespace, options);
  const reconciliation = decide((await readAll(store)).observed, tick);
  await applyChangeSet(store, reconciliation);
  await store.close();
  return hasChanges(reconciliation.changeSet);
}

const MOST_TICKS = 6;

/** Clean ticks until nothing changes any more: how many changed something, and what they came to. */
export async function settle(
  stage: Stage,
  play: Play,
): Promise<{ readonly ticks: number; readonly outcome: Outcome }> {
  const { namespace, before } = play;
  for (let ticks = 0; ticks < MOST_TICKS; ticks += 1) {
    if (await playTick(stage, play)) continue;
    const store = open(stage, namespace, {});
    const outcome = outcomeOf(namespace, before, await objectsIn(store));
    await store.close();
    return { ticks, outcome };
  }
  throw new Error(`not settled after ${MOST_TICKS} clean ticks`);
}
