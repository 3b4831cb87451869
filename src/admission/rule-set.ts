import type { JsonObject } from '#core/object/object.ts';
import { type Definition, readDefinition } from './definition.ts';
import { type Binding, type Policy, readBinding, readPolicy } from './policy.ts';

/** Definitions, policies and what puts them in force, from one source. */
export interface RuleSet {
  /** By group and kind. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly bindings: readonly Binding[];
  /** Policies that nothing puts in force. */
  readonly unbound: readonly string[];
}

export function definitionId(group: string, kind: string): string {
  return `${group}/${kind}`;
}

export function readRuleSet(objects: readonly JsonObject[]): RuleSet {
  const definitions = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((object) => readDefinition(object) ?? []);
  const policies = objects.flatMap((object) => readPolicy(object) ?? []);
  const bindings = objects.flatMap((object) => readBinding(object) ?? []);
  const bound = new Set(bindings.map(({ policy }) => policy));
  return {
    definitions: new Map(definitions.map((one) => [definitionId(one.group, one.kind), one])),
    policies: new Map(policies.map((one) => [one.name, one])),
    bindings,
    unbound: policies.map(({ name }) => name).filter((name) => !bound.has(name)),
  };
}

/** Both; where they have something of the same name, that of the second. */
export function mergedRules(own: RuleSet, given: RuleSet): RuleSet {
  const names = new Set(given.bindings.map(({ name }) => name));
  const kept = own.bindings.filter(({ name }) => !names.has(name));
  const bound = new Set(kept.map(({ policy }) => policy));
  return {
    definitions: new Map([...own.definitions, ...given.definitions]),
    policies: new Map([...own.policies, ...given.policies]),
    bindings: [...kept, ...given.bindings],
    unbound: given.unbound.filter((name) => !bound.has(name)),
  };
}
