import { textMember } from '#core/object/canonical.ts';
import type { FailureRule } from './job-spec.ts';
import { type Pod, statusList, terminatedState } from './pod.ts';

/** What `spec.podFailurePolicy` says of a failed pod. */
export interface PolicyMatch {
  readonly action: string;
  /** Position of the rule. */
  readonly rule: number;
  /** What matched, as a sentence of the API. */
  readonly message: string;
}

type ExitCodes = NonNullable<FailureRule['exitCodes']>;

function isMatchingCode({ operator, values }: ExitCodes, code: number): boolean {
  // A container that succeeded is never why a pod failed, not even for NotIn.
  if (code === 0) return false;
  if (operator === 'In') return values.includes(code);
  return operator === 'NotIn' && !values.includes(code);
}

/** The first container that ended with such a code; init containers, sidecars among them, come behind the others. */
function matchingContainer(pod: Pod, codes: ExitCodes): readonly [name: string, code: number] | undefined {
  const { containerName } = codes;
  for (const key of ['containerStatuses', 'initContainerStatuses']) {
    for (const status of statusList(pod, key)) {
      const name = textMember(status, 'name') ?? '';
      const code = terminatedState(status)?.exitCode;
      if (containerName !== undefined && containerName !== name) continue;
      if (typeof code === 'number' && isMatchingCode(codes, code)) return [name, code];
    }
  }
  return undefined;
}

function podText({ object: { metadata } }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function ruleMessage(pod: Pod, rule: FailureRule, position: number): string | undefined {
  const end = `matching ${rule.action} rule at index ${position}`;
  if (rule.exitCodes !== undefined) {
    const found = matchingContainer(pod, rule.exitCodes);
    if (found === undefined) return undefined;
    return `Container ${found[0]} for pod ${podText(pod)} failed with exit code ${found[1]} ${end}`;
  }
  const condition = statusList(pod, 'conditions').find(({ type, status }) =>
    rule.conditions.some((pattern) => pattern.type === type && pattern.status === status),
  );
  if (condition === undefined) return undefined;
  return `Pod ${podText(pod)} has condition ${textMember(condition, 'type') ?? ''} ${end}`;
}

/** The first rule that matches; undefined where none does, and where there is no policy (job.md 2.10). */
export function matchFailurePolicy(
  rules: readonly FailureRule[] | undefined,
  pod: Pod,
): PolicyMatch | undefined {
  for (const [position, rule] of (rules ?? []).entries()) {
    const message = ruleMessage(pod, rule, position);
    if (message !== undefined) return { action: rule.action, rule: position, message };
  }
  return undefined;
}

/** Ignored failures are in no counter. */
export function isIgnored(rules: readonly FailureRule[] | undefined, pod: Pod): boolean {
  return matchFailurePolicy(rules, pod)?.action === 'Ignore';
}
