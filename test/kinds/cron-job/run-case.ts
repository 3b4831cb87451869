import type { CreateChange, DeleteChange } from '#core/change/change.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { Outcomes, Settings } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import type { CreateOutcome, DeleteOutcome } from '#core/run/outcome.ts';
import type { Settlement } from '#core/settle.ts';
import { formatInstant, instant, parseInstant } from '#core/time/instant.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { cronJobOf, jobsOf } from './case-objects.ts';
import type { CaseRow, PassResult } from './case-row.ts';

const SETTINGS: Settings = {
  graceSeconds: 0,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
};
const TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

function createOutcome(row: CaseRow, create: CreateChange): CreateOutcome {
  switch (row.createOutcome ?? 'created') {
    case 'created':
      return { state: 'created', object: create.object };
    case 'existsOwnedUntracked':
      return { state: 'found', object: create.object };
    case 'existsForeign':
      return { state: 'taken', message: 'already exists' };
    case 'namespaceTerminating':
      return { state: 'terminating', message: 'namespace is being terminated' };
    case 'error':
      return { state: 'failed', message: 'refused by the test' };
  }
}

function deleteOutcome(row: CaseRow): DeleteOutcome {
  return row.deleteOutcome === 'error' ? { state: 'failed', message: 'test' } : { state: 'deleted' };
}

/** What a store would answer: a create is not tried when a run that it replaces could not be deleted. */
function outcomesOf(row: CaseRow, changes: readonly (CreateChange | DeleteChange)[]): Outcomes {
  const deletes = changes.filter((change) => change.verb === 'delete');
  const victims = deletes.filter(({ reason }) => reason === 'Replaced').map(() => deleteOutcome(row));
  const removals = deletes.filter(({ reason }) => reason !== 'Replaced').map(() => deleteOutcome(row));
  const create = changes.find((change): change is CreateChange => change.verb === 'create');
  if (create === undefined) return { creates: [], victims, removals };
  const blocked = victims.some(({ state }) => state === 'failed');
  return { victims, removals, creates: [blocked ? { state: 'skipped' } : createOutcome(row, create)] };
}

function observe(row: CaseRow, object: KubeObject): Observed {
  const jobs = jobsOf(row).map((job) => ({ object: job }));
  return new Map([
    [typeId(cronJob.resource), { state: 'read', objects: [{ object }] }],
    [
      typeId(cronJob.run),
      // A direct read that fails leaves the picture of the runs incomplete.
      row.getOutcome === 'error'
        ? { state: 'unreadable', reason: 'the direct read of a tracked Job failed' }
        : { state: 'read', objects: jobs },
    ],
  ]);
}

/** The names of errors are those of the rows (cron-job.md 4). */
function errorOf(verdict: Verdict): string | null {
  switch (verdict.code) {
    case 'invalid':
      return verdict.reason ?? 'invalid without a reason';
    case 'unreadable':
      return 'GetFailed';
    case 'failed':
      if (verdict.reason === 'FailedDelete') return 'CouldNotReplace';
      return verdict.reason ?? 'NamespaceTerminating';
    case 'fired':
    case 'empty':
    case 'held':
    case 'expired':
    case 'suspended':
    case 'waiting':
    case 'observed':
    case 'conflict':
    case 'deferred':
    case 'deleting':
      return null;
  }
}

function timeOf(status: JsonObject, field: string): string | null {
  const at = parseInstant(String(status[field] ?? ''));
  return at === undefined ? null : formatInstant(at);
}

function namesOf(status: JsonObject): readonly string[] {
  const active = Array.isArray(status.active) ? status.active : [];
  return active.map((entry) => (isObject(entry) ? String(entry.name) : ''));
}

function eventReasons(settlement: Settlement | undefined): readonly string[] {
  return (settlement?.events ?? []).map((change) =>
    change.verb === 'event' ? String(change.object.reason) : change.verb,
  );
}

function resultOf(
  reconciliation: Reconciliation,
  object: KubeObject,
  writes: { readonly outcomes: Outcomes; readonly settlement: Settlement | undefined },
): PassResult {
  const [schedule] = reconciliation.changeSet.schedules;
  const { outcomes, settlement } = writes;
  const create = schedule?.changes.find((change): change is CreateChange => change.verb === 'create');
  const removed = (schedule?.changes ?? []).filter(
    (change): change is DeleteChange => change.verb === 'delete' && change.reason !== 'Replaced',
  );
  const started = outcomes.creates[0]?.state === 'created' ? create : undefined;
  const before = isObject(object.status) ? object.status : {};
  const status = settlement?.status?.fields ?? before;
  const events = eventReasons(settlement);
  return {
    create: started === undefined ? null : formatInstant(started.slot),
    deleteActive: outcomes.victims.some(({ state }) => state === 'deleted'),
    lastScheduleTime: timeOf(status, 'lastScheduleTime'),
    missedMany: events.includes('TooManyMissedTimes'),
    events,
    error: errorOf(settlement?.verdict ?? schedule?.verdict ?? { code: 'waiting' }),
    jobName: started?.object.metadata.name ?? null,
    scheduledAnnotation: started?.object.metadata.annotations?.[TIMESTAMP] ?? null,
    activeAfter: namesOf(status),
    historyDeleted: removed
      .filter((_, index) => outcomes.removals?.[index]?.state === 'deleted')
      .map(({ key }) => key.name),
    lastSuccessfulTime: timeOf(status, 'lastSuccessfulTime'),
    statusWrite: settlement?.status !== undefined,
  };
}

/** One row through the real decision and, with the row's outcomes, through the real settlement. */
export function runCase(row: CaseRow): { readonly result: PassResult; readonly problems: readonly string[] } {
  const object = cronJobOf(row);
  const input = {
    observed: observe(row, object),
    kinds: [cronJob],
    settings: SETTINGS,
    now: parseInstant(row.now) ?? instant(0),
  };
  const reconciliation = reconcile(input);
  const [schedule] = reconciliation.changeSet.schedules;
  const writes = (schedule?.changes ?? []).filter(
    (change): change is CreateChange | DeleteChange => change.verb === 'create' || change.verb === 'delete',
  );
  const outcomes = outcomesOf(row, writes);
  const settlement = schedule === undefined ? undefined : reconciliation.settleWith(schedule, outcomes);
  return {
    result: resultOf(reconciliation, object, { outcomes, settlement }),
    problems: checkChangeSet(reconciliation.changeSet, input).map(({ what }) => what),
  };
}
