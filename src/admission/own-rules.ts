import type { JsonObject } from '#core/object/object.ts';
import rules from './own-rules.json' with { type: 'json' };
import { type RuleSet, readRuleSet } from './rule-set.ts';

/** The definitions and policies of `policies/`, which `npm run gen` puts beside this file. */
export function ownRules(): RuleSet {
  const objects: readonly JsonObject[] = rules;
  return readRuleSet(objects);
}
