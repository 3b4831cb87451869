import type { Account } from './ledger.ts';
import type { ScheduleSimulation } from './simulate.ts';
import type { HeldTime, SlotFate } from './tally.ts';

/** What all schedules add up to. */
export interface SimulationTotals {
  readonly schedules: number;
  readonly fates: Readonly<Partial<Record<SlotFate, number>>>;
  /** Slots that wait at the end. */
  readonly pending: number;
  readonly held: HeldTime;
  readonly heldBy: Readonly<Record<string, HeldTime>>;
  readonly runs: number;
  readonly replaced: number;
  /** The schedule that went the longest between two starts. */
  readonly longestGap: ScheduleSimulation | undefined;
}

function gapSeconds({ account: { starts } }: ScheduleSimulation): number {
  return starts.longestGap === undefined ? 0 : starts.longestGap.until - starts.longestGap.from;
}

function addHeld(a: HeldTime | undefined, b: HeldTime): HeldTime {
  return { slots: (a?.slots ?? 0) + b.slots, seconds: (a?.seconds ?? 0) + b.seconds };
}

function sum(accounts: readonly Account[], of: (account: Account) => number): number {
  return accounts.reduce((total, account) => total + of(account), 0);
}

export function simulationTotals(schedules: readonly ScheduleSimulation[]): SimulationTotals {
  const accounts = schedules.map(({ account }) => account);
  const fates: Partial<Record<string, number>> = {};
  const heldBy: Record<string, HeldTime> = {};
  for (const account of accounts) {
    for (const [fate, count] of Object.entries(account.fates)) fates[fate] = (fates[fate] ?? 0) + count;
    for (const [why, held] of Object.entries(account.heldBy)) heldBy[why] = addHeld(heldBy[why], held);
  }
  const longest = schedules.reduce<ScheduleSimulation | undefined>(
    (best, one) => (gapSeconds(one) > (best === undefined ? 0 : gapSeconds(best)) ? one : best),
    undefined,
  );
  return {
    schedules: schedules.length,
    fates,
    pending: accounts.filter(({ pending }) => pending !== undefined).length,
    held: accounts.reduce<HeldTime>((total, { held }) => addHeld(total, held), { slots: 0, seconds: 0 }),
    heldBy,
    runs: sum(accounts, ({ runs }) => runs),
    replaced: sum(accounts, ({ replaced }) => replaced),
    longestGap: longest,
  };
}
