import { pathText } from '#api/issue.ts';
import { shownValue } from '#api/shown-value.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import type { FieldPath, JsonObject } from '#core/object/object.ts';

/** Whose Jobs are carried out here (job.md 2.16): the value of `spec.managedBy`. */
export const MANAGED_BY = 'minutehand.dev/job';

const OUR_DOMAIN = 'minutehand.dev/';
const LETTERS_PER_SLIP = 6;

function isNear(value: string): boolean {
  if (value === MANAGED_BY) return false;
  return (
    value.toLowerCase().startsWith(OUR_DOMAIN) ||
    nearestName(value, [MANAGED_BY], LETTERS_PER_SLIP) !== undefined
  );
}

/**
 * The API takes every name of a manager, and leaves the Job to it: a slip in ours makes a Job that nobody ever carries out.
 * @param spec of a Job, which stands at the path
 */
export function managerWarnings({ managedBy }: JsonObject, path: FieldPath): readonly Finding[] {
  if (typeof managedBy !== 'string' || !isNear(managedBy)) return [];
  const own = [...path, 'managedBy'];
  return [
    {
      code: 'UnknownManager',
      severity: 'warning',
      path: own,
      what: `${pathText(own)} is ${shownValue(managedBy, own)}, a manager that nobody knows`,
      why: 'the Job is carried out neither here nor by Kubernetes',
      fix: `write ${MANAGED_BY}`,
    },
  ];
}
