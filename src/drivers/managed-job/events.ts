import type { EventDraft } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { JobSpec } from './job-spec.ts';
import type { JobStatus } from './job-status.ts';
import type { Pod } from './pod.ts';
import type { Verdict } from './verdict.ts';

export function suspensionEvent(suspended: boolean, now: Instant): EventDraft {
  return {
    type: 'Normal',
    reason: suspended ? 'Suspended' : 'Resumed',
    action: suspended ? 'Suspend' : 'Resume',
    note: suspended ? 'Job suspended' : 'Job resumed',
    // A Job may be suspended again and again.
    identity: formatInstant(now),
  };
}

/** Told once the Job has ended. */
export function endEvents(
  { ending, reason, message }: Verdict,
  { completions }: JobSpec,
  { succeeded }: JobStatus,
): readonly EventDraft[] {
  if (ending === 'failure')
    return [{ type: 'Warning', reason, action: 'Fail', note: message, identity: 'end' }];
  const done: EventDraft = {
    type: 'Normal',
    reason: 'Completed',
    action: 'Complete',
    note: 'Job completed',
    identity: 'end',
  };
  if (completions === undefined || succeeded <= completions) return [done];
  const note = 'Too many succeeded pods running after completion count reached';
  return [{ ...done, type: 'Warning', reason: 'TooManySucceededPods', note }, done];
}

export function unknownModeEvent(): EventDraft {
  return {
    type: 'Warning',
    reason: 'UnknownCompletionMode',
    action: 'Skip',
    note: 'Skipped Job sync because completion mode is unknown',
    identity: 'mode',
  };
}

export function podEvents(creates: readonly KubeObject[], deletes: readonly Pod[]): readonly EventDraft[] {
  const created = creates.map(
    ({ metadata: { name } }) => ['SuccessfulCreate', 'Create', 'Created', name] as const,
  );
  const deleted = deletes.map(({ name }) => ['SuccessfulDelete', 'Delete', 'Deleted', name] as const);
  return [...created, ...deleted].map(([reason, action, verb, name]) => ({
    type: 'Normal',
    reason,
    action,
    note: `${verb} pod: ${name}`,
    identity: name,
  }));
}
