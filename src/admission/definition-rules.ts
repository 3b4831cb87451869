import { Optional } from '@marcbachmann/cel-js';
import { isObject, sameValue } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import type { Compiled, Evaluator, Result } from './cel/evaluator.ts';
import type { Definition } from './definition.ts';
import { readFieldPath } from './field-path.ts';
import { toldBy } from './message.ts';
import type { Broken } from './outcome.ts';
import { objectsOf, propertyOf, type Schema, schemaAt, textOf, textsOf } from './schema.ts';
import { misfit } from './structural.ts';
import { definitionOwner, type RuleName, type Tally } from './tally.ts';
import { typedValue } from './typed-value.ts';

const RULES = 'x-kubernetes-validations';

interface Rule {
  readonly compiled: Compiled;
  /** Says something only of a change. */
  readonly transition: boolean;
  readonly optionalOld: boolean;
  readonly source: JsonObject;
}

interface Level {
  readonly schema: Schema;
  readonly value: Json;
  /** Absent where there is none, or none that can be told to be the same one. */
  readonly old: Json | undefined;
  readonly path: FieldPath;
  /** The path of the schema: `[]` stands for every item, `{}` for every entry. */
  readonly place: string;
}

/** A level with what its rules see. */
interface AskedLevel extends Level {
  readonly self: unknown;
  readonly before: unknown;
}

/** An object as its schema admits it. */
export interface AdmittedObject {
  readonly object: JsonObject;
  /** Absent where it is new. */
  readonly old: JsonObject | undefined;
  readonly isInvalid: boolean;
}

/** Asks the rules of definitions. */
export interface DefinitionJudge {
  readonly judge: (definition: Definition, version: string, one: AdmittedObject) => readonly Broken[];
}

export function definitionJudge(evaluator: Evaluator, tally: Tally): DefinitionJudge {
  const compiled = new WeakMap<Schema, readonly Rule[]>();

  function rulesOf(schema: Schema): readonly Rule[] {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const rules = objectsOf(schema[RULES]).map((source): Rule => {
      const text = textOf(source['rule']) ?? '';
      const both = evaluator.compile(text, ['self', 'oldSelf']);
      const transition = both.ok && both.program.names.has('oldSelf');
      return { source, compiled: both, transition, optionalOld: source['optionalOldSelf'] === true };
    });
    compiled.set(schema, rules);
    return rules;
  }

  function run({ compiled: rule, optionalOld }: Rule, level: AskedLevel): Result {
    if (!rule.ok) return { state: 'open', reason: rule.reason };
    return rule.program.run(variablesOf(level, optionalOld));
  }

  function messageOf({ source, optionalOld }: Rule, level: AskedLevel, problem: string | undefined): string {
    const variables = variablesOf(level, optionalOld);
    const otherwise = `failed rule: ${textOf(source['rule']) ?? ''}`;
    return toldBy({ source, otherwise, problem }, (expression) => {
      const made = evaluator.compile(expression, ['self', 'oldSelf']);
      return made.ok ? made.program.run(variables) : { state: 'open', reason: made.reason };
    });
  }

  function askOne(rule: Rule, name: RuleName, level: AskedLevel): readonly Broken[] {
    const result = run(rule, level);
    if (result.state === 'open') {
      tally.open(name, result.reason);
      return [];
    }
    tally.evaluated(name);
    if (result.state === 'value' && result.value === true) return [];
    const problem = result.state === 'error' ? result.message : undefined;
    const path = [...level.path, ...readFieldPath(textOf(rule.source['fieldPath']) ?? '')];
    return [{ rule: name, severity: 'error', path, what: messageOf(rule, level, problem) }];
  }

  function ask(owner: string, level: Level): readonly Broken[] {
    const { schema, value, old } = level;
    const rules = rulesOf(schema);
    if (rules.length === 0) return [];
    const place = level.place === '' ? 'object' : level.place;
    const self = typedValue(value, schema);
    const before = old === undefined ? undefined : typedValue(old, schema);
    return rules.flatMap((rule, index): readonly Broken[] => {
      const name = { owner, part: `${place} ${index + 1}` };
      const silent = rule.transition && !rule.optionalOld && old === undefined;
      return silent ? [] : askOne(rule, name, { ...level, self, before });
    });
  }

  function walk(owner: string, level: Level): readonly Broken[] {
    if (level.value === null) return [];
    // What was stored before its rules is left alone as long as it does not change.
    const asked = level.old !== undefined && sameValue(level.value, level.old) ? [] : ask(owner, level);
    return [...asked, ...inside(level).flatMap((one) => walk(owner, one))];
  }

  return {
    judge: (definition, version, { object: value, old, isInvalid }) => {
      const schema = definition.schemas.get(version);
      if (schema === undefined) return [];
      const owner = definitionOwner(definition.name);
      const wrong = misfit(value, schema);
      if (wrong !== undefined) {
        if (isInvalid) return [];
        const where = wrong.length === 0 ? 'an object' : wrong.join('.');
        tally.open({ owner, part: '' }, `${where} does not fit the schema`);
        return [];
      }
      return walk(owner, { schema, value, old, path: [], place: '' });
    },
  };
}

/** What was before may be a value that is there or not, where the rule says so. */
function variablesOf({ self, before }: AskedLevel, optionalOld: boolean): ReadonlyMap<string, unknown> {
  const variables = new Map([['self', self]]);
  if (optionalOld) variables.set('oldSelf', before === undefined ? Optional.none() : Optional.of(before));
  else if (before !== undefined) variables.set('oldSelf', before);
  return variables;
}

function itemsOf({ schema, value, old, path, place }: Level): readonly Level[] {
  const items = schemaAt(schema, 'items');
  if (items === undefined || !Array.isArray(value)) return [];
  const keys =
    schema['x-kubernetes-list-type'] === 'map' ? textsOf(schema['x-kubernetes-list-map-keys']) : [];
  const before = Array.isArray(old) && keys.length > 0 ? old.filter(isObject) : [];
  return value.map((item: Json, index): Level => {
    const same = isObject(item)
      ? before.find((one) => keys.every((key) => sameValue(one[key], item[key])))
      : undefined;
    return { schema: items, value: item, old: same, path: [...path, index], place: `${place}[]` };
  });
}

/** What is one level further down, each with what it was. */
function inside(level: Level): readonly Level[] {
  const { schema, value, old, path, place } = level;
  if (Array.isArray(value)) return itemsOf(level);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Level[] => {
    const property = propertyOf(schema, name);
    if (property === undefined || (place === '' && name === 'metadata')) return [];
    const isField = isObject(schema['properties']) && Object.hasOwn(schema['properties'], name);
    const below = isField ? (place === '' ? name : `${place}.${name}`) : `${place}{}`;
    const before = isObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
    return [{ schema: property, value: member, old: before, path: [...path, name], place: below }];
  });
}
