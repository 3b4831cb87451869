import { describe, expect, test } from 'vitest';
import { pathText } from '#api/issue.ts';
import { ADMISSION_CASES } from '#test/policies/admission-cases.ts';
import { BACKUP_CASES } from '#test/policies/backup-cases.ts';
import { DEFINITION_CASES } from '#test/policies/definition-cases.ts';
import { LIMIT_CASES } from '#test/policies/limit-cases.ts';
import type { Attempt, RuleCase } from '#test/policies/rule-case.ts';
import { RULE_CASES } from '#test/policies/rule-cases.ts';
import { judgeAttempt, ownAdmission } from './judge-attempt.ts';

const CEL_CASES = [...DEFINITION_CASES, ...ADMISSION_CASES, ...BACKUP_CASES];

/** The same table holds against a real API server in `test/cluster/policies.test.ts`. */
describe('the rules of policies/, evaluated here', () => {
  test('are those of the table', () => {
    expect(RULE_CASES).toHaveLength(CEL_CASES.length + LIMIT_CASES.length);
  });

  test.each(CEL_CASES)('say what the server says: $name ($file)', (one) => {
    const admission = ownAdmission();
    expect(judgeAttempt(admission, one.accepted)).toEqual([]);
    const refused = judgeAttempt(admission, one.refused);
    expect(refused.map(({ what }) => what)).toContainEqual(expect.stringContaining(one.says));
    expect(refused.some(({ severity }) => severity === 'error')).toBe(one.onlyWarned !== true);
    if (one.field !== undefined) expect(refused.map(({ path }) => pathText(path))).toContain(one.field);
    expect(admission.tally.openRules()).toEqual([]);
  });

  test.each(LIMIT_CASES)('leave to the schema what is no rule in CEL: $name', (one: RuleCase) => {
    const admission = ownAdmission();
    const refusedBy = (attempt: Attempt) =>
      judgeAttempt(admission, attempt).filter(({ severity }) => severity === 'error');
    expect(refusedBy(one.accepted)).toEqual([]);
    expect(admission.tally.openRules()).toEqual([]);
    expect(refusedBy(one.refused)).toEqual([]);
  });
});
