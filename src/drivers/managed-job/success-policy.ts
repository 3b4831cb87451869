import { commonSize, type Intervals, parseIntervals, sizeOf } from './intervals.ts';
import type { SuccessRule } from './job-spec.ts';

function isMet({ indexes, count }: SuccessRule, completed: Intervals, completions: number): boolean {
  if (indexes === undefined) return count !== undefined && sizeOf(completed) >= count;
  const listed = parseIntervals(indexes, completions);
  if (listed.length === 0) return false;
  const done = commonSize(listed, completed);
  return done === sizeOf(listed) || (count !== undefined && done >= count);
}

/** Position of the first rule of `spec.successPolicy` that is met; while no index is done, none is (job.md 2.11). */
export function metSuccessRule(
  rules: readonly SuccessRule[],
  completed: Intervals,
  completions: number,
): number | undefined {
  if (completed.length === 0) return undefined;
  const position = rules.findIndex((rule) => isMet(rule, completed, completions));
  return position < 0 ? undefined : position;
}
