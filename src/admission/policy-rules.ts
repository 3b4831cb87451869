import { EvaluationError } from '@marcbachmann/cel-js';
import type { FieldPath, JsonObject } from '#core/object/object.ts';
import type { Compiled, Evaluator, Result } from './cel/evaluator.ts';
import type { Term } from './cel/rewrite.ts';
import { lazyMap, Unknown, withUnknown } from './cel/unknown.ts';
import { fieldOf } from './expression-field.ts';
import { toldBy } from './message.ts';
import type { Broken } from './outcome.ts';
import type { Policy } from './policy.ts';
import { textOf } from './schema.ts';
import { policyOwner, type RuleName, type Tally } from './tally.ts';

const NAMES = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'authorizer', 'variables'];

/** What a policy is asked about, in one binding and with one set of parameters. */
export interface PolicyCase {
  readonly policy: Policy;
  readonly severity: 'error' | 'warning';
  readonly values: ReadonlyMap<string, unknown>;
  /** Names that only a server can give a value, with the reason. */
  readonly unknown: ReadonlyMap<string, string>;
  /** Whether the policy is about the request at all, if that is not known here. */
  readonly doubt: string | undefined;
  readonly object: JsonObject;
}

export interface PolicyJudge {
  readonly judge: (one: PolicyCase) => readonly Broken[];
}

/** Asks the rules of policies. */
export function policyJudge(evaluator: Evaluator, tally: Tally): PolicyJudge {
  const compile = (expression: string): Compiled => evaluator.compile(expression, NAMES);

  function run(expression: string, variables: ReadonlyMap<string, unknown>): Result {
    const compiled = compile(expression);
    if (!compiled.ok) return { state: 'open', reason: compiled.reason };
    return compiled.program.run(variables);
  }

  /** Each variable is made when it is first read, as a server does. */
  function scopeOf({ policy, values, unknown }: PolicyCase): Scope {
    const made = new Map<string, Result>();
    const expressions = new Map(
      policy.variables.map(({ name, expression }) => [textOf(name), textOf(expression) ?? '']),
    );
    const variables = lazyMap(new Map(), (name) => {
      const expression = expressions.get(name);
      if (expression === undefined) return undefined;
      const result = made.get(name) ?? run(expression, scope);
      made.set(name, result);
      if (result.state === 'value') return result.value;
      if (result.state === 'error') throw new EvaluationError(result.message);
      const open = new Unknown(result.reason);
      evaluator.tell(open);
      throw open;
    });
    const scope = withUnknown([...values, ['variables', variables]], unknown, evaluator.tell);
    return scope;
  }

  /** @returns false where the policy does not apply, a reason where that is not known */
  function conditionOf(one: PolicyCase, scope: Scope): Condition {
    const results = one.policy.conditions.map(({ expression }) => run(textOf(expression) ?? '', scope));
    if (results.some((result) => result.state === 'value' && result.value === false))
      return { applies: 'no' };
    for (const result of results) {
      if (result.state === 'error') return { applies: 'failed', message: result.message };
      if (result.state === 'open') return { applies: 'unknown', reason: result.reason };
    }
    return one.doubt === undefined ? { applies: 'yes' } : { applies: 'unknown', reason: one.doubt };
  }

  function fieldFor(expression: string, { policy, object }: PolicyCase): FieldPath {
    const compiled = compile(expression);
    if (!compiled.ok) return [];
    const terms = policy.variables.flatMap((variable): readonly (readonly [string, Term])[] => {
      const of = compile(textOf(variable['expression']) ?? '');
      return of.ok ? [[textOf(variable['name']) ?? '', of.program.term]] : [];
    });
    return fieldOf(compiled.program.term, new Map(terms), object);
  }

  function told(source: JsonObject, scope: Scope, problem: string | undefined): string {
    const otherwise = `failed expression: ${textOf(source['expression']) ?? ''}`;
    return toldBy({ source, otherwise, problem }, (text) => run(text, scope));
  }

  function validateOne(one: PolicyCase, { source, rule, scope, condition }: Validation): readonly Broken[] {
    const expression = textOf(source['expression']) ?? '';
    const result = run(expression, scope);
    if (result.state === 'open') {
      tally.open(rule, result.reason);
      return [];
    }
    const passes = result.state === 'value' ? result.value === true : one.policy.ignoresErrors;
    // What holds for everybody was asked, whoever it is about.
    if (!passes && condition.applies === 'unknown') {
      tally.open(rule, condition.reason);
      return [];
    }
    tally.evaluated(rule);
    if (passes) return [];
    const what = told(source, scope, result.state === 'error' ? result.message : undefined);
    return [{ rule, severity: one.severity, path: fieldFor(expression, one), what }];
  }

  function validate(one: PolicyCase, scope: Scope, condition: Condition): readonly Broken[] {
    return one.policy.validations.flatMap((source, index) => {
      const rule = { owner: policyOwner(one.policy.name), part: `validation ${index + 1}` };
      return validateOne(one, { source, rule, scope, condition });
    });
  }

  return {
    judge: (one) => {
      const scope = scopeOf(one);
      const condition = conditionOf(one, scope);
      if (condition.applies === 'no') return [];
      if (condition.applies !== 'failed') return validate(one, scope, condition);
      const rule = { owner: policyOwner(one.policy.name), part: 'matchConditions' };
      tally.evaluated(rule);
      const what = `whether the policy applies cannot be told (${condition.message})`;
      return one.policy.ignoresErrors ? [] : [{ rule, severity: one.severity, path: [], what }];
    },
  };
}

type Condition =
  | { readonly applies: 'yes' | 'no' }
  | { readonly applies: 'unknown'; readonly reason: string }
  | { readonly applies: 'failed'; readonly message: string };

type Scope = ReadonlyMap<string, unknown>;

interface Validation {
  readonly source: JsonObject;
  readonly rule: RuleName;
  readonly scope: Scope;
  readonly condition: Condition;
}
