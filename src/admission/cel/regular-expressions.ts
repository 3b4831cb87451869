import { EvaluationError } from '@marcbachmann/cel-js';
import { RE2JS, RE2JSException } from 're2js';
import type { Meter } from './meter.ts';

/** Longer ones are not read. */
const MAX_LENGTH = 4096;
/** Steps for each character of an expression: case folding makes large tables of short classes. */
const COMPILATION = 50;

/** Counted in the units of JavaScript's texts. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The next match, from left to right; undefined behind the last one. */
export type Search = () => Match | undefined;

function compiled(expression: string, spend: Meter['spend']): RE2JS {
  if (expression.length > MAX_LENGTH)
    throw new EvaluationError(`the regular expression has more than ${MAX_LENGTH} characters`);
  spend(expression.length * COMPILATION);
  try {
    return RE2JS.compile(expression);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new EvaluationError(`the regular expression: ${error.message}`);
  }
}

/** Each expression is read once, and each search is paid for before it begins, as if it went over all that is left. */
export function regexSearches({ spend }: Pick<Meter, 'spend'>): (text: string, expression: string) => Search {
  const known = new Map<string, RE2JS>();
  return (text, expression) => {
    const regex = known.get(expression) ?? compiled(expression, spend);
    known.set(expression, regex);
    const matcher = regex.matcher(text);
    let from = 0;
    return () => {
      spend(regex.programSize() * (text.length - from + 1));
      if (!matcher.find()) return undefined;
      from = matcher.end();
      return { start: matcher.start(), end: from, text: matcher.group() ?? '' };
    };
  };
}
