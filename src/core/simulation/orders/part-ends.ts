import type { RunEnd } from '#core/run/lifecycle.ts';
import type { PartEnd } from '#core/run/part-play.ts';

/** How long a part takes, and how it comes out. */
export interface GivenEnd {
  readonly seconds: number;
  readonly end: PartEnd;
}

export interface PlaceRange {
  readonly first: number;
  readonly last: number;
}

/** The ends of parts in the order in which they begin; the last one is that of all further parts. */
export interface PartRule {
  /** The name of an order, or of the schedule that makes it; all of them if it is left out. */
  readonly order?: string;
  /** The places that it is for; each has its own series. */
  readonly places?: readonly PlaceRange[];
  readonly ends: readonly [GivenEnd, ...GivenEnd[]];
}

export interface PartEnds {
  readonly rules: readonly PartRule[];
  /** Where no rule and no schedule says how long a part takes. */
  readonly seconds: number;
  readonly outcome: RunEnd;
}

/** Which part of which order it is. */
export interface PartTurn {
  /** Of the order and of its schedule. */
  readonly names: readonly string[];
  readonly place: number | undefined;
  /** How many began before it in its place; where there are no places, in its order. */
  readonly before: number;
}

const FAILED: PartEnd = { exitCode: 1 };
const SUCCEEDED: PartEnd = { exitCode: 0 };

function isFor({ order, places }: PartRule, { names, place }: PartTurn): boolean {
  const isNamed = order === undefined || names.includes(order);
  const isThere =
    places === undefined ||
    (place !== undefined && places.some(({ first, last }) => place >= first && place <= last));
  return isNamed && isThere;
}

function closeness({ order, places }: PartRule): number {
  return (order === undefined ? 0 : 1) + (places === undefined ? 0 : 2);
}

/**
 * What is given for the place, else for the order, else for all; of several that are as close the last one.
 * @param seconds where no rule says it
 */
export function endOfPart({ rules, outcome }: PartEnds, turn: PartTurn, seconds: number): GivenEnd {
  let best: PartRule | undefined;
  for (const rule of rules) {
    if (isFor(rule, turn) && (best === undefined || closeness(rule) >= closeness(best))) best = rule;
  }
  if (best === undefined) return { seconds, end: outcome === 'failed' ? FAILED : SUCCEEDED };
  return best.ends[turn.before] ?? best.ends.at(-1) ?? best.ends[0];
}
