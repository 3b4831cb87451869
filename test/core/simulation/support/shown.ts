import { keyText } from '#core/object/key.ts';
import type { Simulation } from '#core/simulation/simulate.ts';
import type { MissedSlots } from '#core/simulation/tally.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** What became of one schedule, as two ways to find it out are compared. */
export interface Shown {
  readonly starts: readonly string[];
  readonly missed: readonly string[];
  readonly pending: string;
  readonly runs: number;
  readonly replaced: number;
  readonly heldSeconds: number;
  readonly ends: number;
}

export function startText(slot: Instant, at: Instant): string {
  return `${formatInstant(slot)} at ${formatInstant(at)}`;
}

export function missedText({ fate, first, last, count, settledAt, by }: MissedSlots): string {
  const range = count === 1 ? formatInstant(first) : `${formatInstant(first)}..${formatInstant(last)}`;
  const settled = settledAt === undefined ? '' : ` at ${formatInstant(settledAt)}`;
  return `${fate} ${range} (${count})${settled}${by === undefined ? '' : ` by ${formatInstant(by)}`}`;
}

export function shownSimulation({ schedules }: Simulation): Readonly<Record<string, Shown>> {
  return Object.fromEntries(
    schedules.map(({ key, account }) => {
      const { started, missed, pending, runs, replaced, held, successes, failures } = account;
      const shown: Shown = {
        starts: started.map(({ slot, at }) => startText(slot, at)),
        missed: missed.map(missedText),
        pending: pending === undefined ? '' : missedText(pending),
        runs,
        replaced,
        heldSeconds: held.seconds,
        ends: successes.count + failures,
      };
      return [keyText(key), shown];
    }),
  );
}
