import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const FOLDER = 'examples/monitoring';
export const RULES = resolve(FOLDER, 'rules.yaml');
export const TRIAL = resolve(FOLDER, 'try/prometheus.yaml');
export const README = `${FOLDER}/README.md`;

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

export function readYaml(name: string): unknown {
  return parse(readFileSync(resolve(FOLDER, name), 'utf8'));
}

export function ruleGroups(): readonly RuleGroup[] {
  return (readYaml('rules.yaml') as { readonly groups: readonly RuleGroup[] }).groups;
}

export function allRules(): readonly Rule[] {
  return ruleGroups().flatMap(({ rules }) => rules);
}
