import { disturb } from '#test/scenarios/support/scenario-store.ts';
import { type FaultRule, faults, isNextPage, nthWrite } from '#test/support/fault-proxy.ts';
import { differences, type Outcome, outcomeOf } from './outcome.ts';
import type { Scene } from './scene.ts';
import { playTick, type Stage, setScene, settle } from './stage.ts';
import type { Trouble } from './troubles.ts';

/** Milliseconds that a request may take where it never ends: short, and longer where the machine is too busy for it. */
const PATIENCE_MS = [40, 400, 4_000];

/** Objects of a page, more than any list has. */
const WHOLE = 500;

/** What an undisturbed run of a scene comes to, and how many writes its tick has. */
export interface Undisturbed {
  readonly scene: Scene;
  readonly writes: number;
  readonly outcomes: readonly Outcome[];
  /** How many clean ticks behind it still changed something: what budgets and deletes leave for later. */
  readonly ticks: number;
  readonly before: Outcome['objects'];
}

export async function undisturbed(stage: Stage, scene: Scene): Promise<Undisturbed> {
  setScene(stage, scene);
  const before = outcomeOf(stage.server).objects;
  await playTick(stage, scene, { rules: [] });
  const writes = stage.proxy.requests().filter(({ write }) => write > 0).length;
  const ticks = await settle(stage, scene);
  const outcome = outcomeOf(stage.server);
  const { meanwhile, refuse } = scene.tick;
  if (Object.keys({ ...meanwhile, ...refuse }).length === 0)
    return { scene, writes, outcomes: [outcome], ticks, before };
  // What others do, and what is refused, is for this tick: one that wrote nothing leaves all of it to the next.
  setScene(stage, scene);
  disturb(stage.server, scene.tick.meanwhile);
  const later = await settle(stage, scene);
  const outcomes = [outcome, outcomeOf(stage.server)];
  return { scene, writes, outcomes, ticks: Math.max(ticks, later), before };
}

/** The tick with the trouble at one write; false where it did not come to that write. */
async function playTrouble(stage: Stage, scene: Scene, write: number, trouble: Trouble): Promise<boolean> {
  const { isEndless, retryBudgetMs, fault, repeat } = trouble;
  const rule: FaultRule = { when: nthWrite(write), fault, ...(repeat === undefined ? {} : { repeat }) };
  const budget = retryBudgetMs === undefined ? {} : { retryBudgetMs };
  for (const timeoutMs of isEndless ? PATIENCE_MS : [undefined]) {
    setScene(stage, scene);
    await playTick(stage, scene, {
      rules: [rule],
      ...budget,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    if (stage.proxy.met() > 0) return true;
  }
  return false;
}

/** What is not as it should be after clean ticks. */
async function afterwards(
  stage: Stage,
  { scene, outcomes, ticks, before }: Undisturbed,
  unjudged?: readonly string[],
): Promise<readonly string[]> {
  try {
    const later = await settle(stage, scene);
    // The first of them makes good what the trouble spoilt.
    const late = later > ticks + 1 ? [`it took ${later} clean ticks, not ${ticks + 1}`] : [];
    return [...late, ...differences(before, outcomes, outcomeOf(stage.server), unjudged)];
  } catch (error) {
    return [String(error)];
  }
}

/** One cell: the trouble at one write, then clean ticks. */
export async function playCell(
  stage: Stage,
  run: Undisturbed,
  write: number,
  trouble: Trouble,
): Promise<readonly string[]> {
  if (!(await playTrouble(stage, run.scene, write, trouble))) return ['the write never came'];
  return afterwards(stage, run);
}

/** Lists of a page for each object, of which a second page is too late; undefined where no list has two objects. */
export async function playExpiring(
  stage: Stage,
  run: Undisturbed,
  repeat: FaultRule['repeat'],
): Promise<readonly string[] | undefined> {
  const rule: FaultRule = { when: isNextPage, fault: faults.expired };
  stage.server.configure({ pageSize: 1 });
  setScene(stage, run.scene);
  await playTick(stage, run.scene, { rules: [repeat === undefined ? rule : { ...rule, repeat }] });
  stage.server.configure({ pageSize: WHOLE });
  // A list that cannot be read is told in these meanwhile, and the time of that stays.
  const unjudged = repeat === undefined ? undefined : ['Ready', 'Reconciling'];
  return stage.proxy.met() === 0 ? undefined : afterwards(stage, run, unjudged);
}
