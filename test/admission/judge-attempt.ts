import { type Admission, createAdmission } from '#admission/admission.ts';
import type { Judged } from '#admission/judged.ts';
import type { Broken } from '#admission/outcome.ts';
import { readRuleSet } from '#admission/rule-set.ts';
import { JOB } from '#api/resources.ts';
import { EVENT } from '#core/object/resource.ts';
import { CUSTOM_RESOURCES } from '#test/gen/crd/files.ts';
import { policyFiles } from '#test/policies/read-policies.ts';
import { type Account, type Attempt, NAMESPACE } from '#test/policies/rule-case.ts';

export const TYPES = [...CUSTOM_RESOURCES.map(({ resource }) => resource), JOB, EVENT];
const OWN = readRuleSet(
  [...policyFiles('crd'), ...policyFiles('admission')].flatMap(({ documents }) => documents),
);
/** Outside any ServiceAccount, as the administrator of the cases is. */
const ADMINISTRATOR = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** As the server names a ServiceAccount and the groups that it is in. */
function userOf(account: Account | undefined): {
  readonly username: string;
  readonly groups: readonly string[];
} {
  if (account === undefined) return ADMINISTRATOR;
  return {
    username: `system:serviceaccount:${NAMESPACE}:${account}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`, 'system:authenticated'],
  };
}

function judgedOf(attempt: Attempt): Judged {
  const common = { user: userOf(attempt.as), dryRun: attempt.dryRun === true };
  switch (attempt.verb) {
    case 'create':
      return { ...common, operation: 'CREATE', object: attempt.object };
    case 'update':
      return { ...common, operation: 'UPDATE', object: attempt.object, old: attempt.given };
    case 'status': {
      const object = { ...attempt.given, status: attempt.status };
      return { ...common, operation: 'UPDATE', subresource: 'status', object, old: attempt.given };
    }
    case 'delete':
      return { ...common, operation: 'DELETE', old: attempt.given };
  }
}

/** The rules of `policies/`, as files. */
export function ownAdmission(): Admission {
  return createAdmission(OWN, { types: TYPES, objects: [] });
}

export function judgeAttempt(admission: Admission, attempt: Attempt): readonly Broken[] {
  return admission.judge(judgedOf(attempt));
}
