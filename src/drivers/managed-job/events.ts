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

export function failedCreateEvent(message: string): EventDraft {
  return {
    type: 'Warning',
    reason: 'FailedCreate',
    action: 'Create',
    note: `Error creating: ${message}`,
    // What goes on failing is told once.
    identity: message,
  };
}

/** So many events of one reason are told one by one. */
const MOST_ALONE = 3;

/** Where many pods come or go at once, one event tells of all of them. */
export function gatheredEvents(events: readonly EventDraft[]): readonly EventDraft[] {
  return ['SuccessfulCreate', 'SuccessfulDelete'].reduce<readonly EventDraft[]>((all, reason) => {
    const alike = all.filter((event) => event.reason === reason);
    const [first] = alike;
    if (first === undefined || alike.length <= MOST_ALONE) return all;
    const names = alike.map(({ identity }) => identity);
    const verb = reason === 'SuccessfulCreate' ? 'Created' : 'Deleted';
    const note = `${verb} ${names.length} pods: ${names.slice(0, MOST_ALONE).join(', ')} and ${names.length - MOST_ALONE} more`;
    const gathered = { ...first, note, identity: `${first.identity} and ${names.length - 1} more` };
    return [gathered, ...all.filter((event) => event.reason !== reason)];
  }, events);
}
