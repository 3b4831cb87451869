import {
  isAbsent,
  isList,
  type ListField,
  type ObjectField,
  readItem,
  readList,
  readObject,
  report,
  valueAt,
} from '#api/field.ts';
import { tooMany, unsupported } from '#api/issue.ts';
import { qualifiedNameProblem } from '#api/metadata.ts';
import { readChoice, readIntegers, readText, readTextOrEmpty } from '#api/read-scalar.ts';

const MAX_RULES = 20;
const MAX_PATTERNS = 20;
const MAX_EXIT_CODES = 255;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'] as const;
const OPERATORS = ['In', 'NotIn'] as const;
const STATUSES = ['False', 'True', 'Unknown'] as const;

/** What the rules refer to outside the policy. */
interface RuleContext {
  readonly hasLimitPerIndex: boolean;
  /** Undefined when the pod spec could not be read; names are not judged then. */
  readonly names: ReadonlySet<string> | undefined;
}

/** As `readChoice`, but an empty word counts as absent and is required. */
function requireChoice(parent: ObjectField, key: string, choices: readonly string[]): string | undefined {
  const value = readText(parent, key);
  if (value === '' || isAbsent(parent, key)) {
    const words = choices.map((choice) => `"${choice}"`).join(' ');
    report(parent, [key], { kind: 'required', detail: `valid values: [${words}]` });
  } else if (value !== undefined && !choices.includes(value)) {
    report(parent, [key], unsupported(value, choices));
  }
  return value;
}

function containerNames(podSpec: ObjectField): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of ['containers', 'initContainers']) {
    const list = podSpec.value[key] ?? [];
    for (const container of isList(list) ? list : []) {
      const name = valueAt(container, ['name']);
      if (typeof name === 'string') names.add(name);
    }
  }
  return names;
}

function checkExitCodeValues(codes: ObjectField, operator: string | undefined): void {
  const values = readIntegers(codes, 'values');
  const list = codes.value.values ?? [];
  const length = isList(list) ? list.length : 0;
  if (length === 0 && isList(list)) {
    const detail = 'at least one value is required';
    report(codes, ['values'], { kind: 'invalid', value: [], detail });
  }
  if (length > MAX_EXIT_CODES) report(codes, ['values'], tooMany(length, MAX_EXIT_CODES));
  const seen = new Set<number>();
  let isOrdered = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const [index, code] of values) {
    if (operator === 'In' && code === 0) {
      const detail = 'must not be 0 for the In operator';
      report(codes, ['values', index], { kind: 'invalid', value: code, detail });
    }
    if (seen.has(code)) report(codes, ['values', index], { kind: 'duplicate', value: code });
    seen.add(code);
    if (previous > code) isOrdered = false;
    previous = code;
  }
  if (!isOrdered) {
    const fix = `write ${[...seen]
      .sort((a, b) => a - b)
      .slice(0, 10)
      .join(', ')}`;
    const value = values.map(([, code]) => code);
    report(codes, ['values'], { kind: 'invalid', value, detail: 'must be ordered', fix });
  }
}

function checkExitCodes(codes: ObjectField, names: ReadonlySet<string> | undefined): void {
  const operator = requireChoice(codes, 'operator', OPERATORS);
  const name = readText(codes, 'containerName');
  if (name !== undefined && names !== undefined && !names.has(name)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    report(codes, ['containerName'], { kind: 'invalid', value: name, detail });
  }
  checkExitCodeValues(codes, operator);
}

function checkPattern(pattern: ObjectField): void {
  const type = readTextOrEmpty(pattern, 'type');
  const problem = type === undefined ? undefined : qualifiedNameProblem(type);
  if (problem !== undefined)
    report(pattern, ['type'], { kind: 'invalid', value: type ?? '', detail: problem });
  // An empty status is defaulted to True.
  if (pattern.value.status !== '') readChoice(pattern, 'status', STATUSES);
}

function checkConditions(list: ListField): void {
  if (list.value.length > MAX_PATTERNS) report(list, [], tooMany(list.value.length, MAX_PATTERNS));
  for (let index = 0; index < list.value.length; index++) {
    const pattern = readItem(list, index);
    if (pattern === undefined) continue;
    checkPattern(pattern);
  }
}

function checkRule(rule: ObjectField, context: RuleContext): void {
  const action = requireChoice(rule, 'action', ACTIONS);
  if (action === 'FailIndex' && !context.hasLimitPerIndex) {
    const detail = 'requires the backoffLimitPerIndex to be set';
    report(rule, ['action'], { kind: 'invalid', value: action, detail });
  }
  const codes = readObject(rule, 'onExitCodes');
  if (codes !== undefined) checkExitCodes(codes, context.names);
  const conditions = readList(rule, 'onPodConditions');
  if (conditions !== undefined) checkConditions(conditions);
  const hasCodes = !isAbsent(rule, 'onExitCodes');
  const hasConditions = !isAbsent(rule, 'onPodConditions') && conditions?.value.length !== 0;
  if (hasCodes && hasConditions) {
    const detail = 'specifying both OnExitCodes and OnPodConditions is not supported';
    report(rule, [], { kind: 'invalid', detail });
  } else if (!hasCodes && !hasConditions) {
    const detail = 'specifying one of OnExitCodes and OnPodConditions is required';
    report(rule, [], { kind: 'invalid', detail });
  }
}

/**
 * The rules of batch/v1 PodFailurePolicy (job.md 2.2 and 2.10).
 * @param spec the JobSpec that has the policy
 * @param podSpec the pod spec whose containers a rule may name; undefined when it could not be read
 */
export function checkPodFailurePolicy(
  policy: ObjectField,
  spec: ObjectField,
  podSpec: ObjectField | undefined,
): void {
  const rules = readList(policy, 'rules');
  if (rules === undefined) return;
  const names = podSpec === undefined ? undefined : containerNames(podSpec);
  const context = { hasLimitPerIndex: !isAbsent(spec, 'backoffLimitPerIndex'), names };
  if (rules.value.length > MAX_RULES) report(rules, [], tooMany(rules.value.length, MAX_RULES));
  for (let index = 0; index < rules.value.length; index++) {
    const rule = readItem(rules, index);
    if (rule !== undefined) checkRule(rule, context);
  }
}
