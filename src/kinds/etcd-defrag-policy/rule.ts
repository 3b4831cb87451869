import { compareQuantity, parseQuantity } from '#api/quantity.ts';
import type { Finding } from '#core/kind.ts';
import { ADVICE } from './advice.ts';
import type { DefragRule } from './schema.ts';

const PERCENT = /^[1-9][0-9]?%$/;

function invalid(field: string, what: string, fix: string): Finding {
  return {
    code: 'InvalidField',
    severity: 'error',
    path: ['spec', 'rule', field],
    what: `spec.rule.${field} ${what}`,
    fix,
  };
}

function quantityFinding(
  field: 'freeSpaceAbove' | 'minReclaim',
  value: string | number | undefined,
): Finding[] {
  if (value === undefined) return [];
  const quantity = parseQuantity(value);
  if (quantity === undefined)
    return [invalid(field, `is ${JSON.stringify(value)}, which is not a quantity`, ADVICE.quantity)];
  return quantity.sign <= 0 ? [invalid(field, `is ${value}`, ADVICE.positive)] : [];
}

function exceeds(a: string | number, b: string | number): boolean {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  return left !== undefined && right !== undefined && compareQuantity(left, right) > 0;
}

/** The rules between the fields of a defragmentation rule, etcd-defrag-policy.md A.4 and decision 9. */
export function ruleFindings(rule: DefragRule | undefined): Finding[] {
  if (rule === undefined) return [];
  const { all, freeSpaceAbove, quotaUsageAbove, minReclaim } = rule;
  const findings = [
    ...quantityFinding('freeSpaceAbove', freeSpaceAbove),
    ...quantityFinding('minReclaim', minReclaim),
  ];
  const threshold = freeSpaceAbove ?? quotaUsageAbove ?? minReclaim;
  if (all === true && threshold !== undefined) {
    findings.push(
      invalid('all', 'excludes freeSpaceAbove, quotaUsageAbove and minReclaim', ADVICE.exclusive),
    );
  }
  if (quotaUsageAbove !== undefined && !PERCENT.test(quotaUsageAbove)) {
    findings.push(invalid('quotaUsageAbove', `is ${JSON.stringify(quotaUsageAbove)}`, ADVICE.percent));
  }
  if (minReclaim !== undefined && quotaUsageAbove === undefined) {
    findings.push(invalid('minReclaim', 'needs quotaUsageAbove', ADVICE.quotaNeeded));
  }
  if (minReclaim !== undefined && freeSpaceAbove !== undefined && exceeds(minReclaim, freeSpaceAbove)) {
    findings.push(
      invalid('minReclaim', `(${minReclaim}) exceeds freeSpaceAbove (${freeSpaceAbove})`, ADVICE.floor),
    );
  }
  return findings;
}
