import { type ObjectField, readItem, readList, readObject, report, rootObject } from '#api/field.ts';
import type { Issue } from '#api/issue.ts';
import {
  type LabelRequirement,
  type Labels,
  meetsAll,
  parseInt64,
  requirementProblem,
} from '#api/label-requirement.ts';
import { checkLabels, labelValueProblem, qualifiedNameProblem } from '#api/metadata.ts';
import { checkTexts, readTextMap, readTextOrEmpty } from '#api/read-scalar.ts';
import { type SelectorToken, selectorTokens } from '#api/selector-tokens.ts';
import { plain } from '#api/shown-value.ts';
import type { FieldPath, Json } from '#core/object/object.ts';

export type LabelMatcher = (labels: Labels) => boolean;

export type ParsedSelector = { readonly matches: LabelMatcher } | { readonly problem: string };

/** What is left to read of a selector's text. */
interface Rest {
  readonly tokens: readonly SelectorToken[];
  at: number;
}

type Step<T> = { readonly done: T } | { readonly problem: string };

const END: SelectorToken = { kind: 'end', text: '' };

function next(rest: Rest): SelectorToken {
  return rest.tokens[rest.at] ?? END;
}

function expected(found: SelectorToken, what: string): { readonly problem: string } {
  return { problem: `found '${plain(found.text)}', expected: ${what}` };
}

function isSymbol(token: SelectorToken, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}

/** `(a,,b)`: an element may be empty, and `()` is the empty value alone. */
function parseValues(rest: Rest): Step<ReadonlySet<string>> {
  if (!isSymbol(next(rest), '(')) return expected(next(rest), "'('");
  rest.at++;
  const values = new Set<string>();
  for (;;) {
    const token = next(rest);
    if (token.kind === 'word') rest.at++;
    values.add(token.kind === 'word' ? token.text : '');
    const separator = next(rest);
    if (!isSymbol(separator, ',') && !isSymbol(separator, ')')) return expected(separator, "',' or ')'");
    rest.at++;
    if (separator.text === ')') return { done: values };
  }
}

/** The single value after `=`, `==`, `!=`, `>` or `<`; nothing is the empty value. */
function parseValue(rest: Rest): Step<string> {
  const token = next(rest);
  if (token.kind === 'end' || isSymbol(token, ',')) return { done: '' };
  if (token.kind !== 'word') return expected(token, 'identifier');
  rest.at++;
  return { done: token.text };
}

function parseSet(rest: Rest, key: string, operator: 'In' | 'NotIn'): Step<LabelRequirement> {
  const values = parseValues(rest);
  if ('problem' in values) return values;
  const problem = requirementProblem(key, values.done);
  return problem === undefined ? { done: { operator, key, values: values.done } } : { problem };
}

function parseComparison(rest: Rest, key: string, symbol: string): Step<LabelRequirement> {
  const value = parseValue(rest);
  if ('problem' in value) return value;
  const problem = requirementProblem(key, [value.done]);
  if (problem !== undefined) return { problem };
  if (symbol !== '>' && symbol !== '<') {
    const operator = symbol === '!=' ? 'NotIn' : 'In';
    return { done: { operator, key, values: new Set([value.done]) } };
  }
  const bound = parseInt64(value.done);
  if (bound === undefined) {
    return {
      problem: `values[0]: for 'Gt', 'Lt' operators, the value must be an integer, not '${value.done}'`,
    };
  }
  return { done: { operator: symbol === '>' ? 'Gt' : 'Lt', key, bound } };
}

function parseOperation(rest: Rest, key: string, operator: SelectorToken): Step<LabelRequirement> {
  switch (operator.text) {
    case 'in':
      return parseSet(rest, key, 'In');
    case 'notin':
      return parseSet(rest, key, 'NotIn');
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return parseComparison(rest, key, operator.text);
    default:
      return expected(operator, 'in, notin, =, ==, !=, >, <');
  }
}

function parseRequirement(rest: Rest): Step<LabelRequirement> {
  const isNegated = isSymbol(next(rest), '!');
  if (isNegated) rest.at++;
  const key = next(rest);
  if (key.kind !== 'word')
    return expected(key, isNegated ? 'identifier' : "!, identifier, or 'end of string'");
  rest.at++;
  const after = next(rest);
  if (isNegated || after.kind === 'end' || isSymbol(after, ',')) {
    const problem = requirementProblem(key.text, []);
    if (problem !== undefined) return { problem };
    return { done: { operator: isNegated ? 'DoesNotExist' : 'Exists', key: key.text } };
  }
  rest.at++;
  return parseOperation(rest, key.text, after);
}

/**
 * Reads the text that kubectl takes after `-l`: `app=web,tier in (a,b),!legacy`.
 * A blank text matches everything. The problem is worded as by apimachinery's label package.
 */
export function parseLabelSelector(text: string): ParsedSelector {
  const rest: Rest = { tokens: selectorTokens(text), at: 0 };
  const requirements: LabelRequirement[] = [];
  while (next(rest).kind !== 'end') {
    const step = parseRequirement(rest);
    if ('problem' in step) return { problem: `unable to parse requirement: ${step.problem}` };
    requirements.push(step.done);
    const separator = next(rest);
    if (separator.kind === 'end') break;
    if (!isSymbol(separator, ',')) return expected(separator, "',' or 'end of string'");
    rest.at++;
    if (next(rest).kind === 'end') return expected(next(rest), "identifier after ','");
  }
  return { matches: (labels) => meetsAll(requirements, labels) };
}

/** @returns undefined when the values are no list of strings, which is reported */
function readValues(expression: ObjectField): ReadonlySet<string> | undefined {
  const issues = expression.check.issues.length;
  checkTexts(expression, 'values');
  if (expression.check.issues.length > issues) return undefined;
  const values = new Set<string>();
  const list = readList(expression, 'values');
  for (let index = 0; index < (list?.value.length ?? 0); index++) {
    const item = list?.value[index];
    const value = typeof item === 'string' ? item : '';
    const problem = labelValueProblem(value);
    if (problem !== undefined)
      report(expression, ['values', index], { kind: 'invalid', value, detail: problem });
    values.add(value);
  }
  return values;
}

function checkArity(
  expression: ObjectField,
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist',
  count: number,
): void {
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && count === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    report(expression, ['values'], { kind: 'required', detail });
  } else if (!takesValues && count > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    report(expression, ['values'], { kind: 'forbidden', detail });
  }
}

/** The rules of apimachinery's ValidateLabelSelectorRequirement. */
function readExpression(expression: ObjectField): LabelRequirement | undefined {
  const key = readTextOrEmpty(expression, 'key');
  const operator = readTextOrEmpty(expression, 'operator');
  const values = readValues(expression);
  if (key === undefined || operator === undefined || values === undefined) return undefined;
  const problem = qualifiedNameProblem(key);
  if (problem !== undefined) report(expression, ['key'], { kind: 'invalid', value: key, detail: problem });
  switch (operator) {
    case 'In':
    case 'NotIn':
      checkArity(expression, operator, values.size);
      return { operator, key, values };
    case 'Exists':
    case 'DoesNotExist':
      checkArity(expression, operator, values.size);
      return { operator, key };
    default: {
      const detail = 'not a valid selector operator';
      report(expression, ['operator'], { kind: 'invalid', value: operator, detail });
      return undefined;
    }
  }
}

/** The requirements of a LabelSelector whose issues are reported where they stand. */
function readRequirements(selector: ObjectField): readonly LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  const labels = readTextMap(selector, 'matchLabels');
  if (labels !== undefined) checkLabels(labels);
  for (const [key, value] of Object.entries(labels?.value ?? {})) {
    const values = new Set([typeof value === 'string' ? value : '']);
    requirements.push({ operator: 'In', key, values });
  }
  const expressions = readList(selector, 'matchExpressions');
  for (let index = 0; index < (expressions?.value.length ?? 0); index++) {
    const expression = expressions === undefined ? undefined : readItem(expressions, index);
    const requirement = expression === undefined ? undefined : readExpression(expression);
    if (requirement !== undefined) requirements.push(requirement);
  }
  return requirements;
}

/** As `readLabelSelector`, for a selector inside an object that is being checked. */
export function checkSelectorField(parent: ObjectField, key: string): LabelMatcher | undefined {
  const selector = readObject(parent, key);
  if (selector === undefined) return undefined;
  const requirements = readRequirements(selector);
  return (labels) => meetsAll(requirements, labels);
}

/**
 * A LabelSelector object (`matchLabels`, `matchExpressions`). An empty one matches everything, an absent one nothing,
 * as does one with issues: nothing may be chosen by a rule that was not understood.
 */
export function readLabelSelector(
  selector: Json | undefined,
  path: FieldPath,
): { readonly matches: LabelMatcher; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const root = rootObject(selector, { base: path, issues });
  const requirements = root === undefined ? [] : readRequirements(root);
  if (selector === undefined || selector === null || issues.length > 0)
    return { matches: () => false, issues };
  return { matches: (labels) => meetsAll(requirements, labels), issues };
}
