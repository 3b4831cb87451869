import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

function conditionIs(status: JsonObject, type: string, wanted: string): boolean {
  const list = Array.isArray(status.conditions) ? status.conditions : [];
  return list.some((one: Json) => isObject(one) && one.type === type && one.status === wanted);
}

function has(status: JsonObject, type: string): boolean {
  return conditionIs(status, type, 'True');
}

function numberOf(status: JsonObject, key: string): number {
  return Number(status[key] ?? 0);
}

function uidsOf(status: JsonObject): readonly string[] {
  const lists = isObject(status.uncountedTerminatedPods) ? status.uncountedTerminatedPods : {};
  return [lists.succeeded, lists.failed].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
}

function expanded(text: unknown): readonly number[] {
  if (typeof text !== 'string' || text === '') return [];
  return text.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

function isAscending(indexes: readonly number[], completions: number): boolean {
  return indexes.every((index, at) => index > (indexes[at - 1] ?? -1) && index < completions);
}

type Rule = readonly [name: string, isBroken: boolean];

function terminalRules(before: JsonObject, after: JsonObject): readonly Rule[] {
  const complete = has(after, 'Complete');
  const failed = has(after, 'Failed');
  const met = has(after, 'SuccessCriteriaMet');
  const target = has(after, 'FailureTarget');
  const finished = complete || failed;
  return [
    ['Complete and Failed', complete && failed],
    ['Complete without SuccessCriteriaMet', complete && !met],
    ['Failed without FailureTarget', failed && !target],
    ['SuccessCriteriaMet and FailureTarget', met && target],
    ['SuccessCriteriaMet and Failed', met && failed],
    ['Complete and FailureTarget', complete && target],
    ['Complete without completionTime', complete && after.completionTime === undefined],
    ['completionTime without Complete', !complete && after.completionTime !== undefined],
    ['completionTime before startTime', complete && `${after.completionTime}` < `${after.startTime}`],
    ['finished without startTime', finished && after.startTime === undefined],
    ['finished and active', finished && numberOf(after, 'active') > 0],
    ['finished and terminating', finished && numberOf(after, 'terminating') > 0],
    ['finished and uncounted', finished && uidsOf(after).length > 0],
    ...['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'].map(
      (type): Rule => [`${type} taken back`, has(before, type) && !has(after, type)],
    ),
  ];
}

function indexRules(spec: JsonObject, after: JsonObject): readonly Rule[] {
  const completions = Number(spec.completions ?? Number.NaN);
  const completed = expanded(after.completedIndexes);
  const failed = expanded(after.failedIndexes);
  return [
    ['completedIndexes not ascending', !isAscending(completed, completions)],
    ['failedIndexes not ascending', !isAscending(failed, completions)],
    ['an index that is completed and failed', completed.some((index) => failed.includes(index))],
    [
      'completedIndexes of no Indexed Job',
      completed.length > 0 && (spec.completionMode ?? 'NonIndexed') !== 'Indexed',
    ],
    [
      'failedIndexes without a limit per index',
      after.failedIndexes !== undefined && spec.backoffLimitPerIndex === undefined,
    ],
  ];
}

/** What the API server of Kubernetes 1.36 refuses in a write to `jobs/status` (job.md 2.16); empty: nothing. */
export function statusProblems(job: KubeObject, after: JsonObject): readonly string[] {
  const before = isObject(job.status) ? job.status : {};
  const spec = isObject(job.spec) ? job.spec : {};
  const mayShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  const resumes = conditionIs(before, 'Suspended', 'True') && conditionIs(after, 'Suspended', 'False');
  const moved = before.startTime !== undefined && before.startTime !== after.startTime;
  const uids = uidsOf(after);
  const rules: readonly Rule[] = [
    ['more ready than active', numberOf(after, 'ready') > numberOf(after, 'active')],
    ['a negative number', ['active', 'ready', 'terminating'].some((key) => numberOf(after, key) < 0)],
    ['failed falls', numberOf(after, 'failed') < numberOf(before, 'failed')],
    ['succeeded falls', numberOf(after, 'succeeded') < numberOf(before, 'succeeded') && !mayShrink],
    ['startTime changes', moved && spec.suspend !== true && !resumes],
    ['a uid twice', new Set(uids).size < uids.length || uids.includes('')],
    ['too many uids', uids.length > 500],
    ...terminalRules(before, after),
    ...indexRules(spec, after),
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([name]) => name);
}
