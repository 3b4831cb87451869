import { isObject } from '#core/object/canonical.ts';

/** Tags, outputs and texts that the templates of one order may render together, each round of a loop again. */
const MAX_STEPS = 10_000;
/** What they may make or look through together, in characters and items. */
const MAX_WORK = 512 * 1024;

/** What the templates of one order may do together: counted, since a stopwatch tells another end on each machine. */
export interface TemplateBudget {
  readonly step: () => void;
  readonly work: (amount: number) => void;
}

/** Ends a render once more was counted than is allowed; what is no amount counts as too much. */
function limit(most: number, problem: string): (amount: number) => void {
  let used = 0;
  return (amount) => {
    used += Math.max(0, Number(amount));
    if (!(used <= most)) throw new Error(problem);
  };
}

export function openBudget(): TemplateBudget {
  const step = limit(MAX_STEPS, `more than ${MAX_STEPS} steps in the templates of one order`);
  return {
    step: () => step(1),
    work: limit(MAX_WORK, `more work than on ${MAX_WORK} characters in the templates of one order`),
  };
}

type Work = TemplateBudget['work'];

/**
 * Counts what is gone through to make a text of a value, or to compare it: lists with all that is in them.
 * @param depth lists around it: a text is made of it once for each
 */
export function weigh(value: unknown, work: Work, depth = 1): void {
  work(typeof value === 'string' ? value.length : depth);
  if (Array.isArray(value)) for (const item of value) weigh(item, work, depth + 1);
}

/** The same with the members of objects, and their keys. */
export function weighWhole(value: unknown, work: Work): void {
  work(typeof value === 'string' ? value.length : 1);
  if (Array.isArray(value)) for (const item of value) weighWhole(item, work);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      work(key.length);
      weighWhole(member, work);
    }
  }
}

/** Counts the entries of a list or an object, without what is in them. */
export function weighEntries(value: unknown, work: Work): void {
  if (Array.isArray(value)) work(value.length);
  else if (typeof value === 'object' && value !== null) work(Object.keys(value).length);
  work(1);
}

/** What a filter has made, which is as long as this. */
export function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1;
}
