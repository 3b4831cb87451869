/** Ends an evaluation that costs more than is spent on it. */
export class TooCostly extends Error {}

/** Steps of one expression: rounds of loops, characters and items that are made, compared or searched. */
const MAX_STEPS = 500_000;
/** The same over all expressions together: what rules may cost in all, and what each object adds to it. */
const FIRST_SHARE = 10_000_000;
const SHARE = 50_000;
/** Characters of one expression; the longest of ours has some 500. */
export const MAX_EXPRESSION = 16_384;

/** Counts what an evaluation costs, so that no rule makes the program hang. */
export interface Meter {
  /** Begins another expression. */
  readonly begin: () => void;
  readonly spend: (steps: number) => void;
  /** Adds the share of another object. */
  readonly grant: () => void;
}

export function createMeter(): Meter {
  let left = 0;
  let total = FIRST_SHARE;
  return {
    begin: () => {
      left = MAX_STEPS;
    },
    grant: () => {
      total += SHARE;
    },
    spend: (steps) => {
      left -= steps;
      total -= steps;
      if (total < 0) throw new TooCostly('all rules together cost more steps than are spent on them');
      if (left < 0) throw new TooCostly(`it costs more than ${MAX_STEPS} steps`);
    },
  };
}
