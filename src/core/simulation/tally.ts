import type { VerdictCode } from '#core/change/verdict.ts';
import type { Instant } from '#core/time/instant.ts';

/**
 * What became of a slot: the word of its last verdict, or `superseded` by a later slot, or `ran`: its run was there
 * from the beginning.
 */
export type SlotFate = VerdictCode | 'superseded' | 'ran';

/** Slots in a row that did not run, for one reason. */
export interface MissedSlots {
  readonly fate: SlotFate;
  readonly first: Instant;
  readonly last: Instant;
  readonly count: number;
  /** The tick that settled it; absent for what is still owed at the end. */
  readonly settledAt?: Instant;
  /** The slot that stands for them. */
  readonly by?: Instant;
  readonly reason?: string;
  readonly detail?: string;
  /** The runs that held it. */
  readonly runs?: readonly string[];
  readonly heldSeconds?: number;
}

/** A slot for which runs were started, and when. */
export interface StartedSlot {
  readonly slot: Instant;
  readonly at: Instant;
}

/** Slots that waited, and for how long, per reason. */
export interface HeldTime {
  readonly slots: number;
  readonly seconds: number;
}

/** A time without a start, or without a success. */
export interface Gap {
  readonly from: Instant;
  readonly until: Instant;
}

/** Moments in their order, with the longest time between two of them. */
export interface Moments {
  readonly count: number;
  readonly first?: Instant;
  readonly last?: Instant;
  readonly longestGap?: Gap;
}

export const NO_MOMENTS: Moments = { count: 0 };

export function withMoment(moments: Moments, at: Instant): Moments {
  const { count, first = at, last, longestGap } = moments;
  const gap = last === undefined ? undefined : { from: last, until: at };
  const longest =
    gap === undefined || (longestGap !== undefined && longestGap.until - longestGap.from >= at - gap.from)
      ? longestGap
      : gap;
  return {
    count: count + 1,
    first,
    last: at,
    ...(longest === undefined ? {} : { longestGap: longest }),
  };
}
