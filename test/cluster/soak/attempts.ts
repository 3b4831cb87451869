import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '#core/time/instant.ts';
import { median } from '#test/bench/section.ts';
import { startTick, type TickEnd, type Ticker } from '#test/cluster/support/tick-process.ts';
import { type FaultProxy, type FaultRule, faults, type ProxiedRequest } from '#test/support/fault-proxy.ts';
import type { Dice } from './dice.ts';
import { disturb } from './disturbance.ts';
import { count, type Minute, type Tally } from './report.ts';

/** Where ticks are started and disturbed. */
export interface Stage {
  readonly ticker: Ticker;
  readonly proxy: FaultProxy;
  readonly chances: Dice;
  readonly tally: Tally;
}

/** Undisturbed ticks of one minute until it has to be done. */
const MOST_REPEATS = 5;
/** How long a tick takes, until one was measured. */
const FIRST_GUESS_MS = 1500;
const FIRST_GUESS_WRITES = 20;

const NUMBERS = { none: 1, one: 5, two: 4, three: 2 } as const;
const COUNTS = { none: 0, one: 1, two: 2, three: 3 } as const;
const WAYS = { killed: 8, faulty: 4, 'two at once': 2 } as const;

/** When a process is killed: so many milliseconds after its start, or when so many writes are on their way. */
type Death = { readonly after: number } | { readonly atWrite: number };

function lately({ tally }: Stage, of: (minute: Minute) => number, guess: number): number {
  const some = tally.minutes.slice(-9).map(of);
  return some.length === 0 ? guess : median(some);
}

/** At any moment of a tick, a little behind its end included. */
function someTime(stage: Stage): Death {
  const typical = lately(stage, ({ milliseconds }) => milliseconds, FIRST_GUESS_MS);
  return { after: stage.chances.below(Math.ceil(typical * 1.1)) };
}

/** Most of a short tick is its start: half of the deaths are between two writes. */
function someDeath(stage: Stage): Death {
  if (stage.chances.chance(0.5)) return someTime(stage);
  const typical = lately(stage, ({ writes }) => writes, FIRST_GUESS_WRITES);
  return { atWrite: 1 + stage.chances.below(Math.ceil(typical)) };
}

/** Never spoils a request: it is there to see it go by. */
function atWrite(write: number, act: () => void): FaultRule {
  const when = (request: ProxiedRequest): boolean => {
    if (request.write === write) act();
    return false;
  };
  return { when, fault: faults.hang };
}

interface Fate {
  readonly death?: Death | undefined;
  /** Of all requests from now on; those that are in force already, where none are given. */
  readonly rules?: readonly FaultRule[];
}

/** One process from its start to its end. */
async function runTick(stage: Stage, now: Instant, { death, rules }: Fate): Promise<TickEnd> {
  const { tally, proxy } = stage;
  const tick = startTick(stage.ticker, now);
  tally.ticks += 1;
  const over = new AbortController();
  if (death !== undefined && 'after' in death)
    sleep(death.after, undefined, { signal: over.signal }).then(tick.kill, () => {});
  const watching = death !== undefined && 'atWrite' in death ? [atWrite(death.atWrite, tick.kill)] : [];
  if (rules !== undefined) proxy.set([...watching, ...rules]);
  const end = await tick.ended;
  over.abort();
  if (end.code === undefined) tally.kills += 1;
  count(tally.codes, end.code === undefined ? 'by SIGKILL' : `with ${end.code}`);
  return end;
}

async function twoTicks(stage: Stage, now: Instant): Promise<void> {
  const { chances, tally } = stage;
  const areKilled = chances.chance(0.5);
  const { rules, met } = disturb(chances, chances.pick([0, 0.02]), areKilled);
  const death = (): Death | undefined => (areKilled ? someTime(stage) : undefined);
  tally.doubles += 1;
  const first = runTick(stage, now, { death: death(), rules });
  await sleep(chances.below(300));
  await Promise.all([first, runTick(stage, now, { death: death() })]);
  for (const [name, times] of met) count(tally.faults, name, times);
}

async function oneTick(stage: Stage, now: Instant, isKilled: boolean): Promise<void> {
  const { chances, tally } = stage;
  const death = isKilled ? someDeath(stage) : undefined;
  const probability = isKilled ? chances.pick([0, 0, 0.02]) : chances.pick([0.005, 0.02, 0.1]);
  const { rules, met } = disturb(chances, probability, death !== undefined && 'after' in death);
  await runTick(stage, now, { death, rules });
  for (const [name, times] of met) count(tally.faults, name, times);
}

async function disturbedTick(stage: Stage, now: Instant): Promise<void> {
  const way = stage.chances.weighed(WAYS);
  await (way === 'two at once' ? twoTicks(stage, now) : oneTick(stage, now, way === 'killed'));
}

/** Ticks of one minute that go wrong. */
export async function disturbMinute(stage: Stage, now: Instant): Promise<void> {
  const number = COUNTS[stage.chances.weighed(NUMBERS)];
  for (let tick = 0; tick < number; tick++) await disturbedTick(stage, now);
}

/** Undisturbed ticks of the same minute until one says that all is done. */
export async function settleMinute(
  stage: Stage,
  now: Instant,
): Promise<{ readonly end: TickEnd; readonly reads: number }> {
  const { proxy, tally } = stage;
  for (let repeat = 0; ; repeat++) {
    await proxy.idle();
    const end = await runTick(stage, now, { rules: [] });
    if (end.code === 0) return { end, reads: proxy.requests().filter(({ write }) => write === 0).length };
    tally.repeated += 1;
    if (repeat === MOST_REPEATS)
      throw new Error(`an undisturbed tick ended with ${end.code}:\n${end.stderr}${end.stdout.slice(-3000)}`);
  }
}
