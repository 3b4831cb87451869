import type { Issue } from '#api/issue.ts';
import { issueFinding } from '#api/issue-finding.ts';
import type { JobContext } from '#api/job-name.ts';
import { checkJobTemplate } from '#api/job-template.ts';
import type { Finding } from '#core/kind.ts';
import type { JsonObject } from '#core/object/object.ts';

/** The API refuses longer names on create; stored ones are acted on while the Job's name fits (decision 8). */
const MAX_NAME = 52;
export const MAX_RUN_NAME = 63;
const RUN_SUFFIX = 9;

/** For the minutes that the name of a Job ends in. */
export function leavesNoRoom(name: string): boolean {
  return name.length + RUN_SUFFIX > MAX_RUN_NAME;
}

/** Which Jobs a CronJob starts, as far as no slot is needed: one whose name leaves no room is told apart. */
function jobContext(name: string): JobContext {
  if (leavesNoRoom(name)) return {};
  return { jobName: `${name}-`.padEnd(name.length + RUN_SUFFIX, '0'), shownName: `${name}-MINUTES` };
}

export function nameFindings(name: string): Finding[] {
  if (name.length <= MAX_NAME) return [];
  return [
    {
      code: 'NameTooLong',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `metadata.name has ${name.length} characters: must be no more than ${MAX_NAME} characters`,
      why: leavesNoRoom(name)
        ? `the names of its Jobs would exceed ${MAX_RUN_NAME} characters`
        : 'the API server refuses such a name on create; a stored one still works',
      fix: `shorten the name by ${name.length - MAX_NAME}`,
    },
  ];
}

/** The API server takes such a CronJob: only its Jobs break the rule. */
function jobFinding(issue: Issue): Finding {
  const finding = issueFinding(issue);
  const why = 'the API server takes the CronJob and refuses each of its Jobs';
  return issue.path[0] === 'metadata' ? { ...finding, why } : finding;
}

export function templateFindings(
  spec: JsonObject,
  name: string,
): {
  readonly findings: readonly Finding[];
  readonly blocking: boolean;
} {
  const path = ['spec', 'jobTemplate'];
  if (spec.jobTemplate === undefined || spec.jobTemplate === null) {
    // A cluster cannot hold such an object; a preview can still say when it would fire.
    return {
      findings: [
        {
          code: 'InvalidField',
          severity: 'error',
          path,
          what: 'spec.jobTemplate is required',
          fix: 'add the Job that each slot starts',
        },
      ],
      blocking: false,
    };
  }
  const issues = checkJobTemplate(spec.jobTemplate, path, jobContext(name));
  const findings = issues.map(jobFinding);
  return { findings, blocking: findings.length > 0 };
}
