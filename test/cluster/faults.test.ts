import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_TROUBLES, type Cell, cellsOf, playedText } from '#test/store/cluster/fault-matrix/cells.ts';
import { type Scene, scenesOf } from '#test/store/cluster/fault-matrix/scene.ts';
import type { Trouble } from '#test/store/cluster/fault-matrix/troubles.ts';
import { type FaultRule, nthWrite } from '#test/support/fault-proxy.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { differences, type Outcome } from './faults/outcome.ts';
import { openStage, type Play, playTick, type Stage, setScene, settle } from './faults/stage.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { isWrite, sentTo } from './world/sent.ts';

/** Ticks of scenarios that a server takes as they are, whatever its clock says, and how many writes each has. */
const CHOSEN: Readonly<Record<string, number>> = {
  'cron-job/history-limits-of-zero-keep-only-what-runs': 4,
  'cron-job/outage-of-a-week-starts-one-job-and-warns': 4,
  'cron-job/replace-deletes-every-running-job': 7,
  'etcd-defrag-policy/budget-defers-the-younger-slot': 4,
  'etcd-defrag-policy/history-limit-of-zero-keeps-none': 4,
  'etcd-defrag-policy/owner-of-another-uid-does-not-count': 3,
  'snapshot-schedule/empty-selector-matches-every-policy': 4,
  'snapshot-schedule/failed-member-of-an-unfinished-slot-is-not-pruned, tick 2': 4,
  'snapshot-schedule/replace-cancels-several-runs-each-behind-its-job': 9,
  'snapshot-schedule/replace-leaves-jobs-that-something-else-controls': 9,
  'snapshot-schedule/retention-takes-only-successes-that-nobody-pinned': 4,
  'snapshot-schedule/unknown-phase-blocks-only-its-own-schedule, tick 1': 4,
};

/** One cell of so many is played in a short run; prime to the number of troubles, so that none is left out. */
const STRIDE = IS_LONG ? 1 : 11;
/** Milliseconds that a request may take where it never ends: short, and longer where the machine is too busy for it. */
const PATIENCE_MS = [150, 1_000, 6_000];
const LONG_MS = 1_200_000;

interface Undisturbed {
  readonly scene: Scene;
  readonly namespace: string;
  readonly writes: number;
  /** How many clean ticks behind it still changed something. */
  readonly ticks: number;
  readonly outcome: Outcome;
}

let stage: Stage;
let runs: readonly Undisturbed[] = [];
let cells: readonly Cell<Undisturbed>[] = [];
/** By the namespace of a play that was disturbed: what it was a play of. */
const played = new Map<string, Undisturbed>();

async function sceneOf(name: string): Promise<Scene> {
  const [scenario = ''] = name.split(', tick');
  const scene = (await scenesOf(scenario)).find((one) => one.name === name);
  if (scene === undefined) throw new Error(`there is no ${name}`);
  return scene;
}

async function undisturbed(scene: Scene): Promise<Undisturbed> {
  const play = await setScene(stage, scene);
  await playTick(stage, play);
  const writes = stage.proxy.requests().filter(({ write }) => write > 0).length;
  return { scene, namespace: play.namespace, writes, ...(await settle(stage, play)) };
}

/** Undefined where the tick did not come to that write. */
async function playTrouble(scene: Scene, write: number, trouble: Trouble): Promise<Play | undefined> {
  const { isEndless, retryBudgetMs, fault, repeat } = trouble;
  const rule: FaultRule = { when: nthWrite(write), fault, ...(repeat === undefined ? {} : { repeat }) };
  const budget = retryBudgetMs === undefined ? {} : { retryBudgetMs };
  for (const timeoutMs of isEndless ? PATIENCE_MS : [undefined]) {
    const play = await setScene(stage, scene);
    const timeout = timeoutMs === undefined ? {} : { timeoutMs };
    await playTick(stage, play, { rules: [rule], ...budget, ...timeout });
    if (stage.proxy.met() > 0) return play;
  }
  return undefined;
}

async function playCell({ run, write }: Cell<Undisturbed>, trouble: Trouble): Promise<readonly string[]> {
  const play = await playTrouble(run.scene, write, trouble);
  if (play === undefined) return ['the write never came'];
  played.set(play.namespace, run);
  const { ticks, outcome } = await settle(stage, play);
  const late = ticks > run.ticks + 1 ? [`it took ${ticks} clean ticks, not ${run.ticks + 1}`] : [];
  return [...late, ...differences(run.outcome, outcome)];
}

describeOnServer('on a real API server', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    stage = await openStage(server);
    const found: Undisturbed[] = [];
    for (const name of Object.keys(CHOSEN)) found.push(await undisturbed(await sceneOf(name)));
    runs = found;
    cells = cellsOf(runs);
  }, LONG_MS);

  afterAll(async () => {
    const name = 'fault matrix on a real API server';
    console.log(playedText(name, played.size, cells, { ticks: runs.length }));
    await stage.proxy.close();
  });

  test('the chosen scenarios write what they are chosen for', () => {
    const found = Object.fromEntries(runs.map(({ scene, writes }) => [scene.name, writes]));
    expect(found).toEqual(CHOSEN);
  });

  describe('a tick is made good by clean ones when a write', () => {
    test.each(ALL_TROUBLES)(
      '%s',
      async (name, trouble) => {
        const chosen = cells.filter((cell, index) => cell.trouble === name && index % STRIDE === 0);
        const wrong: string[] = [];
        for (const cell of chosen) {
          const problems = await playCell(cell, trouble);
          if (problems.length > 0)
            wrong.push(`${cell.run.scene.name}, write ${cell.write}: ${problems.join('; ')}`);
        }
        expect(chosen.length).toBeGreaterThanOrEqual(Math.floor(cells.length / ALL_TROUBLES.length / STRIDE));
        expect(wrong).toEqual([]);
      },
      LONG_MS,
    );
  });

  test('no run was started twice, and none that an undisturbed tick does not start', async () => {
    const created = new Map<string, string[]>();
    const sent = await sentTo(stage.server).next();
    for (const { verb, objectRef = {}, responseStatus } of sent.filter(isWrite)) {
      const { namespace = '', resource = '', name = '' } = objectRef;
      if (verb !== 'create' || responseStatus?.code !== 201 || resource === 'events') continue;
      created.set(namespace, [...(created.get(namespace) ?? []), `${resource} ${name}`]);
    }
    const createdIn = (namespace: string): readonly string[] => (created.get(namespace) ?? []).toSorted();
    expect(runs.flatMap(({ namespace }) => createdIn(namespace)).length).toBeGreaterThan(runs.length / 2);
    const wrong = [...played].filter(
      ([namespace, run]) => createdIn(namespace).join() !== createdIn(run.namespace).join(),
    );
    expect(wrong.map(([namespace, { scene }]) => `${scene.name}: ${createdIn(namespace).join()}`)).toEqual(
      [],
    );
  });
});
