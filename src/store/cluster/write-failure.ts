import type { WriteFailure } from '#store/port.ts';
import type { Attempted } from './client.ts';

type Refusal = Extract<Attempted, { state: 'refused' | 'failed' }>;

function conflictOf(answer: Extract<Refusal, { state: 'refused' }>): WriteFailure {
  const { reason, causes, message } = answer;
  if (reason === 'AlreadyExists') return { kind: 'exists', message };
  const owned = causes.find((cause) => cause.reason === 'FieldManagerConflict');
  if (owned === undefined) return { kind: 'conflict', message };
  return { kind: 'fieldConflict', message: `${owned.field}: ${owned.message}` };
}

/** Another uid is told as a change of a field that cannot change. */
function isConflict({ causes }: Extract<Refusal, { state: 'refused' }>): boolean {
  return causes.length > 0 && causes.every(({ field }) => field === 'metadata.uid');
}

const RIGHTS = 'bind the ClusterRole minutehand-reconcile of policies/rbac to this account';

/** Quotas and admission forbid as well, in other words. */
function isMissingRight(message: string): boolean {
  return / cannot [a-z]+ resource /.test(message);
}

/** What a refusal means to whoever asked for the write. */
export function writeFailure(answer: Refusal): WriteFailure {
  if (answer.state === 'failed') return { kind: 'transient', message: answer.message };
  const { status, causes, message } = answer;
  switch (status) {
    case 401:
    case 403:
      return causes.some(({ reason }) => reason === 'NamespaceTerminating')
        ? { kind: 'terminating', message }
        : { kind: 'forbidden', message, ...(isMissingRight(message) ? { fix: RIGHTS } : {}) };
    case 404:
    case 410:
      return { kind: 'gone', message };
    case 409:
      return conflictOf(answer);
    case 422:
      return { kind: isConflict(answer) ? 'conflict' : 'invalid', message };
    default:
      return { kind: status === 429 || status >= 500 ? 'transient' : 'invalid', message };
  }
}

/** A JSON Patch whose `test` fails is told as unprocessable without a cause; so is what some webhooks refuse. */
function isFailedTest(answer: Refusal): boolean {
  return (
    answer.state === 'refused' &&
    answer.status === 422 &&
    answer.causes.length === 0 &&
    !answer.message.includes('denied the request')
  );
}

export function patchFailure(answer: Refusal): WriteFailure {
  if (isFailedTest(answer)) return { kind: 'conflict', message: 'it changed since it was read' };
  return writeFailure(answer);
}
