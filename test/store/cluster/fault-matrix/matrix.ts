import { disturb } from '#test/scenarios/support/scenario-store.ts';
import { type FaultRule, faults, nthWrite } from '#test/support/fault-proxy.ts';
import { differences, type Outcome, outcomeOf } from './outcome.ts';
import type { Scene } from './scene.ts';
import { type Disturbance, playTick, type Stage, setScene, settle } from './stage.ts';

/** Real time that a request may take where the fault is that it never ends. */
const IMPATIENT_MS = 40;
/** Two or three tries, where each of them fails. */
const SHORT_BUDGET_MS = 250;

type Trouble = Omit<Disturbance, 'rules'> & Omit<FaultRule, 'when'>;

function once(fault: FaultRule['fault']): Trouble {
  return { fault };
}

function stubborn(fault: FaultRule['fault'], repeat: 'same' | 'all' = 'same'): Trouble {
  return { fault, repeat, retryBudgetMs: SHORT_BUDGET_MS };
}

function endless(trouble: Trouble): Trouble {
  return { ...trouble, timeoutMs: IMPATIENT_MS };
}

const CRAWL = faults.dribble(10, 20);

/** What may become of a write, in the words of a test. */
export const TROUBLES: Readonly<Record<string, Trouble>> = {
  'is cut off before it arrives': once(faults.cutBefore),
  'is cut off after it arrived': once(faults.cutAfter),
  'is a conflict': once(faults.conflict),
  'is throttled, with seconds': once(faults.tooMany('1')),
  'is throttled, with a date': once(faults.tooMany('Wed, 21 Oct 2015 07:28:00 GMT')),
  'is an internal error': once(faults.serverError(500)),
  'is unavailable': once(faults.serverError(503)),
  'hangs before it arrives': endless(once(faults.hang)),
  'hangs after it arrived': endless(once(faults.hangAfter)),
  'is answered with a page': once(faults.page(200)),
  'arrives and is answered with a page': once(faults.pageAfter(502)),
  'has an answer that is reset': once(faults.reset),
  'has an answer that ends early': once(faults.truncate),
  'has a slow answer': once(faults.dribble(4, 1)),
  'has an answer that is too slow': endless(once(CRAWL)),
  'never gets through': stubborn(faults.cutBefore),
  'gets through and its answer never': stubborn(faults.cutAfter),
  'is throttled every time': stubborn(faults.tooMany('1')),
  'is an internal error every time': stubborn(faults.serverError(500)),
  'is answered with a page every time': stubborn(faults.page(200)),
  'has an answer that is reset every time': stubborn(faults.reset),
  'hangs every time': endless(stubborn(faults.hangAfter)),
  'is the first that does not get through, nor does any other': stubborn(faults.cutBefore, 'all'),
  'is the last that gets through, without an answer': stubborn(faults.cutAfter, 'all'),
};

/** What an undisturbed run of a scene comes to, and how many writes its tick has. */
export interface Undisturbed {
  readonly scene: Scene;
  readonly writes: number;
  readonly outcomes: readonly Outcome[];
  readonly before: Outcome['objects'];
}

export async function undisturbed(stage: Stage, scene: Scene): Promise<Undisturbed> {
  setScene(stage, scene);
  const before = outcomeOf(stage.server).objects;
  await playTick(stage, scene, { rules: [] });
  const writes = stage.proxy.requests().filter(({ write }) => write > 0).length;
  await settle(stage, scene);
  const outcome = outcomeOf(stage.server);
  const { meanwhile, refuse } = scene.tick;
  if (Object.keys({ ...meanwhile, ...refuse }).length === 0)
    return { scene, writes, outcomes: [outcome], before };
  // What others do, and what is refused, is for this tick: one that wrote nothing leaves all of it to the next.
  setScene(stage, scene);
  disturb(stage.server, scene.tick.meanwhile);
  await settle(stage, scene);
  return { scene, writes, outcomes: [outcome, outcomeOf(stage.server)], before };
}

/** One cell: the trouble at one write, then clean ticks; what is not as it should be afterwards. */
export async function playCell(
  stage: Stage,
  { scene, outcomes, before }: Undisturbed,
  write: number,
  trouble: string,
): Promise<readonly string[]> {
  const { fault, repeat, ...options } = TROUBLES[trouble] ?? once(faults.cutBefore);
  const rule: FaultRule = { when: nthWrite(write), fault, ...(repeat === undefined ? {} : { repeat }) };
  setScene(stage, scene);
  await playTick(stage, scene, { rules: [rule], ...options });
  if (stage.proxy.met() === 0) return ['the write never came'];
  try {
    await settle(stage, scene);
  } catch (error) {
    return [String(error)];
  }
  return differences(before, outcomes, outcomeOf(stage.server));
}
