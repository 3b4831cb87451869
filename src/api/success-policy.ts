import { isAbsent, type ObjectField, readItem, readList, report } from '#api/field.ts';
import { countIndexes } from '#api/index-list.ts';
import { tooLong, tooMany } from '#api/issue.ts';
import { byteLength } from '#api/metadata.ts';
import { readCount, readText } from '#api/read-scalar.ts';

const MAX_RULES = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;

/** @returns how many indexes are listed; undefined when none are, or when they cannot be counted */
function checkIndexes(rule: ObjectField, completions: number | undefined): number | undefined {
  const indexes = readText(rule, 'succeededIndexes');
  if (indexes === undefined) return undefined;
  if (byteLength(indexes) > MAX_INDEXES_LENGTH)
    report(rule, ['succeededIndexes'], tooLong(MAX_INDEXES_LENGTH));
  const result = countIndexes(indexes, completions ?? Number.POSITIVE_INFINITY);
  if ('count' in result) return result.count;
  const detail = `error parsing succeededIndexes: ${result.problem}`;
  report(rule, ['succeededIndexes'], { kind: 'invalid', value: indexes, detail });
  return undefined;
}

function checkRule(rule: ObjectField, completions: number | undefined): void {
  if (isAbsent(rule, 'succeededCount') && isAbsent(rule, 'succeededIndexes')) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified';
    report(rule, [], { kind: 'required', detail });
  }
  const listed = checkIndexes(rule, completions);
  const count = readCount(rule, 'succeededCount', 32);
  if (count === undefined) return;
  if (completions !== undefined && count > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    report(rule, ['succeededCount'], { kind: 'invalid', value: count, detail });
  }
  if (listed !== undefined && count > listed) {
    const what = 'the number of indexes in the specified succeededIndexes field';
    const detail = `must be less than or equal to ${listed} (${what})`;
    report(rule, ['succeededCount'], { kind: 'invalid', value: count, detail });
  }
}

/**
 * The rules of batch/v1 SuccessPolicy of an Indexed Job (job.md 2.2 and 2.11).
 * @param completions undefined when the Job does not say; what depends on it is not judged then
 */
export function checkSuccessPolicy(policy: ObjectField, completions: number | undefined): void {
  const rules = readList(policy, 'rules');
  if (rules?.value.length === 0 || isAbsent(policy, 'rules')) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    report(policy, ['rules'], { kind: 'required', detail });
  }
  if (rules === undefined) return;
  if (rules.value.length > MAX_RULES) report(rules, [], tooMany(rules.value.length, MAX_RULES));
  for (let index = 0; index < rules.value.length; index++) {
    const rule = readItem(rules, index);
    if (rule !== undefined) checkRule(rule, completions);
  }
}
