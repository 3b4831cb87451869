import { ADMISSION_CASES } from './admission-cases.ts';
import { BACKUP_CASES } from './backup-cases.ts';
import { DEFINITION_CASES } from './definition-cases.ts';
import { LIMIT_CASES } from './limit-cases.ts';
import type { RuleCase } from './rule-case.ts';

/** Every rule of `policies/` with something that it takes and something that it refuses. */
export const RULE_CASES: readonly RuleCase[] = [
  ...DEFINITION_CASES,
  ...LIMIT_CASES,
  ...ADMISSION_CASES,
  ...BACKUP_CASES,
];
