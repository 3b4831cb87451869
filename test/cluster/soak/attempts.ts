import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '#core/time/instant.ts';
import { median } from '#test/bench/section.ts';
import type { FaultProxy } from '#test/support/fault-proxy.ts';
import type { Dice } from './dice.ts';
import { disturb } from './disturbance.ts';
import { count, type Tally } from './report.ts';
import { startTick, type TickEnd, type Ticker } from './tick-process.ts';

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

const NUMBERS = { none: 1, one: 5, two: 3, three: 1 } as const;
const COUNTS = { none: 0, one: 1, two: 2, three: 3 } as const;
const WAYS = { killed: 8, faulty: 4, 'two at once': 2 } as const;

/** At any moment of a tick, a little behind its end included. */
function lifetime({ tally, chances }: Stage): number {
  const lately = tally.minutes.slice(-9).map(({ milliseconds }) => milliseconds);
  const typical = lately.length === 0 ? FIRST_GUESS_MS : median(lately);
  return chances.below(Math.ceil(typical * 1.1));
}

async function watch(stage: Stage, now: Instant, killAfter?: number): Promise<TickEnd> {
  const { tally } = stage;
  const tick = startTick(stage.ticker, now);
  tally.ticks += 1;
  const waited = new AbortController();
  if (killAfter !== undefined)
    sleep(killAfter, undefined, { signal: waited.signal }).then(tick.kill, () => {});
  const end = await tick.ended;
  waited.abort();
  if (end.code === undefined) tally.kills += 1;
  count(tally.codes, end.code === undefined ? 'by SIGKILL' : `with ${end.code}`);
  return end;
}

async function disturbedTick(stage: Stage, now: Instant): Promise<void> {
  const { chances, tally, proxy } = stage;
  const way = chances.weighed(WAYS);
  const isKilled = way === 'killed' || (way === 'two at once' && chances.chance(0.5));
  const probability = way === 'killed' ? chances.pick([0, 0, 0.02]) : chances.pick([0.005, 0.02, 0.1]);
  const { rules, met } = disturb(chances, probability, isKilled);
  proxy.set(rules);
  const killAfter = isKilled ? lifetime(stage) : undefined;
  if (way === 'two at once') {
    tally.doubles += 1;
    const other = sleep(chances.below(300)).then(() => watch(stage, now, killAfter));
    await Promise.all([watch(stage, now, killAfter), other]);
  } else await watch(stage, now, killAfter);
  for (const [name, times] of met) count(tally.faults, name, times);
  proxy.set([]);
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
    proxy.set([]);
    const end = await watch(stage, now);
    if (end.code === 0) return { end, reads: proxy.requests().filter(({ write }) => write === 0).length };
    tally.repeated += 1;
    if (repeat === MOST_REPEATS)
      throw new Error(`an undisturbed tick ended with ${end.code}:\n${end.stderr}${end.stdout.slice(-3000)}`);
  }
}
