import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { compareText } from '#core/object/key.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { RunEnd } from '#core/run/lifecycle.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { RunDuration } from './duration.ts';
import { type JobsDocument, toJobsDocument } from './orders/order-document.ts';
import type { ScheduleSimulation, Simulation } from './simulate.ts';
import type { HeldTime, MissedSlots, Moments, SlotFate } from './tally.ts';
import { simulationTotals } from './totals.ts';

interface GapDocument {
  readonly seconds: number;
  readonly from: string;
  readonly until: string;
}

interface MomentsDocument {
  readonly count: number;
  readonly first?: string;
  readonly last?: string;
  readonly longestGap?: GapDocument;
}

interface CountsDocument {
  /** By what became of them; they add up to all slots that were owed. */
  readonly slots: Readonly<Record<string, number>>;
  readonly held: HeldTime & { readonly reasons: Readonly<Record<string, HeldTime>> };
  readonly runs: number;
  readonly replaced: number;
}

export interface MissedSlotsDocument {
  readonly fate: SlotFate;
  readonly first: string;
  readonly last: string;
  readonly count: number;
  readonly settledAt?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly runs?: readonly string[];
  readonly heldSeconds?: number;
}

/** What somebody must know to read the numbers of a schedule. */
export interface SimulationRemarks {
  /** Who acts on it outside the simulation. */
  readonly actor?: string;
  /** Its slots follow from a uid that it does not have yet: they are an example. */
  readonly example?: true;
}

/** The published form of a simulation. */
export interface SimulationDocument {
  readonly formatVersion: 1;
  readonly from: string;
  readonly until: string;
  readonly tickOffsetSeconds: number;
  readonly outcome: RunEnd;
  readonly totals: CountsDocument & {
    readonly schedules: number;
    readonly longestGap?: GapDocument & { readonly object: ObjectDocument };
  };
  readonly schedules: readonly (ObjectDocument &
    SimulationRemarks &
    CountsDocument & {
      readonly timeZone: string | null;
      readonly duration?: RunDuration;
      readonly starts: MomentsDocument;
      readonly successes: MomentsDocument;
      readonly missed: readonly MissedSlotsDocument[];
      readonly pending?: MissedSlotsDocument;
      /** Why nothing of it starts. */
      readonly why?: string;
    })[];
  /** Jobs with `spec.managedBy: minutehand.dev/job`, where there are any. */
  readonly jobs?: JobsDocument;
}

function gapDocument({ from, until }: NonNullable<Moments['longestGap']>): GapDocument {
  return { seconds: until - from, from: formatInstant(from), until: formatInstant(until) };
}

function momentsDocument({ count, first, last, longestGap }: Moments): MomentsDocument {
  return {
    count,
    ...(first === undefined ? {} : { first: formatInstant(first) }),
    ...(last === undefined ? {} : { last: formatInstant(last) }),
    ...(longestGap === undefined ? {} : { longestGap: gapDocument(longestGap) }),
  };
}

function missedDocument(missed: MissedSlots): MissedSlotsDocument {
  const { fate, first, last, count, settledAt, by, ...words } = missed;
  return {
    fate,
    first: formatInstant(first),
    last: formatInstant(last),
    count,
    ...(settledAt === undefined ? {} : { settledAt: formatInstant(settledAt) }),
    ...(by === undefined ? {} : { by: formatInstant(by) }),
    ...words,
  };
}

/** In one order, whatever happened first. */
function inOrder<T>(record: Readonly<Partial<Record<string, T>>>): Readonly<Record<string, T>> {
  const entries = Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}

type Counted = Pick<ReturnType<typeof simulationTotals>, 'fates' | 'held' | 'heldBy' | 'runs' | 'replaced'>;

function countsDocument({ fates, held, heldBy, runs, replaced }: Counted, pending: number): CountsDocument {
  const slots = { ...inOrder(fates), ...(pending === 0 ? {} : { pending }) };
  return { slots, held: { ...held, reasons: inOrder(heldBy) }, runs, replaced };
}

function scheduleDocument(
  { type, key, zone, duration, account, idle }: ScheduleSimulation,
  remarks: SimulationRemarks,
): SimulationDocument['schedules'][number] {
  const { pending, missed, starts, successes } = account;
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    timeZone: zone?.name ?? null,
    ...remarks,
    ...(duration === undefined ? {} : { duration }),
    ...countsDocument(account, pending === undefined ? 0 : 1),
    starts: momentsDocument(starts),
    successes: momentsDocument(successes),
    missed: missed.map(missedDocument),
    ...(pending === undefined ? {} : { pending: missedDocument(pending) }),
    ...(idle === undefined ? {} : { why: idle.detail ?? idle.code }),
  };
}

export interface SimulationDocumentOptions {
  readonly tickOffsetSeconds: number;
  readonly outcome: SimulationDocument['outcome'];
  readonly remarksOf: (schedule: ScheduleSimulation) => SimulationRemarks;
}

export function toSimulationDocument(
  { from, until, schedules, orders }: Simulation,
  { tickOffsetSeconds, outcome, remarksOf }: SimulationDocumentOptions,
): SimulationDocument {
  const totals = simulationTotals(schedules);
  const longest = totals.longestGap;
  const gap = longest?.account.starts.longestGap;
  return {
    formatVersion: 1,
    from: formatInstant(from),
    until: formatInstant(until),
    tickOffsetSeconds,
    outcome,
    totals: {
      schedules: totals.schedules,
      ...countsDocument(totals, totals.pending),
      ...(longest === undefined || gap === undefined
        ? {}
        : {
            longestGap: {
              ...gapDocument(gap),
              object: toObjectDocument(apiVersionOf(longest.type), longest.key),
            },
          }),
    },
    schedules: schedules.map((schedule) => scheduleDocument(schedule, remarksOf(schedule))),
    ...(orders.length === 0 ? {} : { jobs: toJobsDocument(orders) }),
  };
}
