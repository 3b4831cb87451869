import { takeCensus } from '#core/census.ts';
import type { CreateChange } from '#core/change/change.ts';
import { type ChangeSet, countChanges, type ScheduleChanges } from '#core/change/change-set.ts';
import { laneRoom } from '#core/change/lane-room.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { unmetText } from '#core/change/verdict-of.ts';
import { compileSchedule, createOf } from '#core/decide.ts';
import { forecastEntry } from '#core/forecast.ts';
import { keyId } from '#core/object/key.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { referentsOf } from '#core/referents.ts';
import type { Run } from '#core/run/phase.ts';
import { indexRuns } from '#core/run/run-index.ts';
import { heldByHand } from '#core/run-by-hand.ts';
import type { Entry } from '#core/settle.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import { countBetween, enumerateSlots } from '#core/slot/search.ts';
import { type Timing, unbound } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

/** More slots than anybody wants to make up for in one go. */
export const MOST_SLOTS = 5000;

export interface BackfillInput {
  /** The schedule as a tick sees it. */
  readonly schedule: ScheduleChanges;
  readonly entry: Entry;
  readonly observed: Observed;
  readonly now: Instant;
  readonly graceSeconds: number;
  /** The first and the last instant of the range, both in it. */
  readonly from: Instant;
  readonly to: Instant;
  readonly maxCreates: number;
  readonly maxCreatesPerLane?: number | undefined;
  readonly despiteRunning: boolean;
  readonly extend?: ExtendedDays;
}

/** What would have to change for more, the nearest first. */
const LIMITS = ['lane', 'budget', 'concurrency'] as const;

/** What is done about the slots of a range that have no run. */
export interface Backfill {
  /** Creates of one schedule, the oldest slots first, and nothing else: no status is written, so that no anchor moves. */
  readonly reconciliation: Reconciliation;
  /** In the range, up to now. */
  readonly slots: number;
  /** Slots of which every run exists, or that have nothing to start. */
  readonly settled: number;
  /** Missing runs that another backfill has to make. */
  readonly left: number;
  readonly leftBy: (typeof LIMITS)[number] | undefined;
  /** Why runs of some slots cannot be made. */
  readonly unmet: readonly string[];
}

export type BackfillResult =
  | { readonly state: 'planned'; readonly backfill: Backfill }
  | { readonly state: 'held'; readonly entry: Entry; readonly by: readonly Run[] }
  | { readonly state: 'badTiming'; readonly what: string }
  | { readonly state: 'tooMany' };

/** The missing slots of a range, under a budget and the schedule's own concurrency. */
export function planBackfill(input: BackfillInput): BackfillResult {
  const { entry, from, now, extend } = input;
  const compiled = compileSchedule(entry.schedule, extend);
  if (!compiled.ok) return { state: 'badTiming', what: compiled.problem.what };
  const { timing } = compiled;
  // Of any slot, whether it was owed or not.
  const whole = unbound(timing);
  const after = instant(from - 1);
  const upTo = instant(Math.min(input.to, now));
  if (countBetween(whole, after, upTo, MOST_SLOTS + 1) > MOST_SLOTS) return { state: 'tooMany' };
  const slots = enumerateSlots(whole, after, upTo, MOST_SLOTS);
  const found = missingOf(input, timing, slots);
  const by = found.creates.length === 0 || input.despiteRunning ? [] : heldByHand(entry, input.observed);
  if (by.length > 0) return { state: 'held', entry, by };
  return { state: 'planned', backfill: withinBudget(input, timing, slots.length, found) };
}

interface Missing {
  readonly creates: readonly CreateChange[];
  readonly settled: number;
  readonly unmet: readonly string[];
}

/** The runs that each slot would have had, by the same census as that of a tick. */
function missingOf(
  { entry, observed, now, graceSeconds }: BackfillInput,
  timing: Timing,
  slots: readonly Instant[],
): Missing {
  const { kind, schedule, runs, proved } = entry;
  const listing = listingOf(observed, kind.run);
  const index = indexRuns(listing.state === 'read' ? listing.objects : [], kind.runKeys);
  const referents = referentsOf(observed);
  const input = { kind, schedule, runs, others: () => [], proved, index, referents, graceSeconds, now };
  const creates: CreateChange[] = [];
  const unmet = new Set<string>();
  let settled = 0;
  for (const slot of slots) {
    const plan = schedule.planRuns(slot, timing);
    const census = takeCensus(input, plan, slot);
    creates.push(...census.missing.map((planned) => createOf(kind, planned, slot)));
    if (census.missing.length + census.unmet.length === 0) settled += 1;
    for (const one of census.unmet) unmet.add(unmetText(one));
  }
  return { creates, settled, unmet: [...unmet] };
}

/** One slot at a time where runs must not overlap: all at once would be what the policy forbids. */
function withinBudget(input: BackfillInput, timing: Timing, slots: number, found: Missing): Backfill {
  const { entry, maxCreates, despiteRunning } = input;
  const { creates, settled, unmet } = found;
  const alone = entry.schedule.concurrency !== 'Allow' && !despiteRunning;
  const allowed = alone ? creates.filter(({ slot }) => slot === creates[0]?.slot) : creates;
  const affordable = allowed.slice(0, maxCreates);
  const kept = withinLanes(input, affordable);
  const left = creates.length - kept.length;
  const before = { lane: affordable.length, budget: allowed.length, concurrency: creates.length };
  const leftBy = LIMITS.find((limit) => kept.length < before[limit]);
  return { reconciliation: reconciliationOf(input, timing, kept), slots, settled, left, leftBy, unmet };
}

/** The oldest first, as in a tick. */
function withinLanes(
  { entry: { schedule }, maxCreatesPerLane }: BackfillInput,
  creates: readonly CreateChange[],
): readonly CreateChange[] {
  if (maxCreatesPerLane === undefined) return creates;
  const room = laneRoom(maxCreatesPerLane);
  return creates.filter(({ object }) => {
    const lanes = schedule.lanes(object);
    if (room.full(lanes) !== undefined) return false;
    room.take(lanes);
    return true;
  });
}

function verdictOf({ entry, now }: BackfillInput, timing: Timing, creates: readonly CreateChange[]): Verdict {
  const [next] = forecastEntry(entry, timing, now, { count: 1 });
  const coming = next === undefined ? {} : { next: next.slot };
  const [first] = creates;
  if (first === undefined) return { code: 'waiting', ...coming };
  const runs = creates.map(({ key }) => key.name);
  return { code: 'fired', slot: first.slot, lateSeconds: now - first.slot, runs, ...coming };
}

function reconciliationOf(
  input: BackfillInput,
  timing: Timing,
  creates: readonly CreateChange[],
): Reconciliation {
  const { schedule, entry, now, graceSeconds } = input;
  const verdict = verdictOf(input, timing, creates);
  const schedules = [{ ...schedule, verdict, changes: creates, backfill: true as const }];
  const changeSet: ChangeSet = {
    formatVersion: 1,
    now,
    graceSeconds,
    schedules,
    retention: [],
    works: [],
    counts: countChanges(schedules, []),
    diagnostics: [],
  };
  return {
    changeSet,
    entries: new Map([[keyId(schedule.key), entry]]),
    works: new Map(),
    tellsEvents: true,
    settleWith: () => undefined,
    phaseOf: () => 'unknown',
    mayPrune: () => false,
  };
}
