import type { KubeObject } from '#core/object/object.ts';
import { applyChangeSet } from '#store/apply.ts';
import { nameProblem } from '#test/fakes/api-server/name-rules.ts';
import { decide } from '#test/scenarios/support/run-scenario.ts';
import { loadScenario, scenarioNames, type TickPlan } from '#test/scenarios/support/scenario.ts';
import { disturb, openStore, readAll, refusing } from '#test/scenarios/support/scenario-store.ts';
import { withOwners } from './with-owners.ts';

/** One tick of a scenario, as it finds its objects. */
export interface Scene {
  readonly name: string;
  readonly tick: TickPlan;
  readonly objects: readonly KubeObject[];
}

/** Some scenarios are of objects that a server would not take in: their names. */
function mayExist({ metadata }: KubeObject): boolean {
  return nameProblem({ group: '', kind: '' }, metadata.name) === undefined;
}

/** Every tick of a scenario, each on what the one before left. */
export async function scenesOf(name: string): Promise<readonly Scene[]> {
  const scenario = loadScenario(name);
  const scenes: Scene[] = [];
  let left = scenario.objects;
  for (const [index, tick] of scenario.ticks.entries()) {
    const store = openStore(left, tick);
    const { observed } = await readAll(store);
    const label = scenario.ticks.length === 1 ? name : `${name}, tick ${index + 1}`;
    scenes.push({ name: label, tick, objects: store.objects().filter(mayExist).map(withOwners) });
    const reconciliation = decide(observed, tick);
    disturb(store, tick.meanwhile);
    await applyChangeSet(refusing(store, tick.refuse), reconciliation);
    left = store.objects();
  }
  return scenes;
}

/** All ticks of all scenarios. */
export async function allScenes(): Promise<readonly Scene[]> {
  const scenes: Scene[] = [];
  for (const name of scenarioNames()) scenes.push(...(await scenesOf(name)));
  return scenes;
}
