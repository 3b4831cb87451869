import { timingOf } from '#core/entry-timing.ts';
import type { Decision, EventDraft, SettleInput } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import { countBetween } from '#core/slot/search.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { isTracked, type Tracked, trackedJobs } from './active.ts';

/** More real slots than this missed is "many" (cron-job.md 1.6 and decision 2). */
const MANY = 100;
const SHOWN_NAMES = 5;

type Type = EventDraft['type'];

interface JobRef {
  readonly name: string;
  readonly uid?: string;
}

function about(run: JobRef, type: Type, reason: string, note: string): EventDraft {
  return { type, reason, action: 'Observe', note, identity: `${run.name}/${run.uid ?? ''}` };
}

function onSlot(slot: Instant, type: Type, reason: string, note: string): EventDraft {
  return { type, reason, action: 'Schedule', note, slot, identity: String(slot) };
}

function onSpec(cronJob: KubeObject, reason: string, note: string): EventDraft {
  return {
    type: 'Warning',
    reason,
    action: 'Schedule',
    note,
    identity: `generation ${cronJob.metadata.generation ?? 0}`,
  };
}

/** A run that had gone or changed by itself is nothing that we did. */
function deleteEvents(job: JobRef, outcome: DeleteOutcome): EventDraft[] {
  switch (outcome.state) {
    case 'deleted':
      return [{ ...about(job, 'Normal', 'SuccessfulDelete', `Deleted job ${job.name}`), action: 'Delete' }];
    case 'failed':
      return [
        { ...about(job, 'Warning', 'FailedDelete', `Deleted job: ${outcome.message}`), action: 'Delete' },
      ];
    case 'gone':
    case 'changed':
    case 'skipped':
      return [];
  }
}

function removalOf(input: SettleInput, run: Run): DeleteOutcome | undefined {
  const index = input.removed.indexOf(run);
  return index < 0 ? undefined : (input.outcomes.removals?.[index] ?? { state: 'deleted' });
}

function refOf({ object }: Run): JobRef {
  const { name, uid } = object.metadata;
  return { name, ...(uid === undefined ? {} : { uid }) };
}

/** What the Jobs themselves tell: ended, made by hand, gone. */
function jobEvents(input: SettleInput, tracked: readonly Tracked[]): EventDraft[] {
  const events: EventDraft[] = [];
  for (const run of input.runs) {
    if (removalOf(input, run)?.state === 'deleted') continue;
    const job = refOf(run);
    const { name } = job;
    if (isFinished(run) && isTracked(run, tracked)) {
      events.push(
        about(job, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${run.phaseText}`),
      );
    } else if (!isFinished(run) && run.manual && !isTracked(run, tracked)) {
      events.push(
        about(
          job,
          'Warning',
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${name}`,
        ),
      );
    }
  }
  const listed = new Set(input.runs.map((run) => run.object.metadata.name));
  const missing = tracked.filter((one) => !listed.has(one.name));
  return [
    ...events,
    ...missing.map((one) => about(one, 'Normal', 'MissingJob', `Active job went missing: ${one.name}`)),
  ];
}

/** Real slots in the window that is still wanted; only more than a hundred matters. */
function missedMany(decision: Decision, window: MissedWindow): boolean {
  switch (decision.state) {
    case 'held':
    case 'done':
    case 'fire':
    case 'leaving':
    case 'taken':
    case 'blocked':
    case 'empty':
    case 'deferred': {
      if (decision.owed.count <= MANY) return false;
      const from =
        window.seconds === undefined
          ? window.anchor
          : instant(Math.max(window.anchor, window.now - window.seconds));
      return countBetween(decision.timing, from, window.now, MANY + 1) > MANY;
    }
    case 'deleting':
    case 'badTiming':
    case 'never':
    case 'suspended':
    case 'resumed':
    case 'waiting':
    case 'expired':
      return false;
  }
}

/** How far back a slot may lie and still count as missed. */
export interface MissedWindow {
  readonly anchor: Instant;
  readonly now: Instant;
  /** The effective deadline; undefined = back to the anchor. */
  readonly seconds: number | undefined;
}

function fireEvents(
  decision: Decision & { readonly state: 'fire' },
  outcomes: SettleInput['outcomes'],
): EventDraft[] {
  const events = decision.victims.flatMap((victim, index): EventDraft[] => {
    const outcome = outcomes.victims[index];
    const job = { name: victim.key.name, uid: victim.precondition.uid };
    return outcome === undefined ? [] : deleteEvents(job, outcome);
  });
  const { slot } = decision.owed;
  const name = decision.creates[0]?.key.name ?? '';
  const outcome = outcomes.creates[0];
  if (outcome?.state === 'created')
    events.push(onSlot(slot, 'Normal', 'SuccessfulCreate', `Created job ${name}`));
  if (outcome?.state === 'refused' || outcome?.state === 'failed') {
    events.push(onSlot(slot, 'Warning', 'FailedCreate', `Error creating job ${name}: ${outcome.message}`));
  }
  return events;
}

function slotEvents(cronJob: KubeObject, { decision, outcomes }: SettleInput): EventDraft[] {
  switch (decision.state) {
    case 'badTiming': {
      const reason = decision.problem.code === 'UnknownTimeZone' ? 'UnknownTimeZone' : 'UnparseableSchedule';
      return [onSpec(cronJob, reason, decision.problem.what)];
    }
    case 'never':
      return [
        onSpec(cronJob, 'InvalidSchedule', `no time matches the schedule ${decision.timing.expression}`),
      ];
    case 'held': {
      const names = decision.by.map((run: Run) => run.object.metadata.name);
      const shown = names.slice(0, SHOWN_NAMES).join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');
      const slot = formatInstant(decision.owed.slot);
      const note = decision.by.every(({ phase }) => phase === 'unknown')
        ? `Not starting job because nobody can tell whether prior execution is running (slot ${slot}, unknown: ${shown})`
        : `Not starting job because prior execution is running and concurrency policy is Forbid (slot ${slot}, running: ${shown})`;
      return [onSlot(decision.owed.slot, 'Normal', 'JobAlreadyActive', note)];
    }
    case 'fire':
      return fireEvents(decision, outcomes);
    case 'deleting':
    case 'suspended':
    case 'resumed':
    case 'waiting':
    case 'expired':
    case 'done':
    case 'leaving':
    case 'taken':
    case 'blocked':
    case 'empty':
    case 'deferred':
      return [];
  }
}

function storedPrefix(decision: Decision): boolean {
  return timingOf(decision)?.storedPrefix === true && decision.state !== 'suspended';
}

/** The events of one pass in the order of the built-in controller's pass, cron-job.md 1.5 and 1.13. */
export function cronJobEvents(
  cronJob: KubeObject,
  input: SettleInput,
  window: MissedWindow,
): readonly EventDraft[] {
  const history = input.removed.flatMap((run) =>
    deleteEvents(refOf(run), removalOf(input, run) ?? { state: 'deleted' }),
  );
  const { decision } = input;
  const events = [...history, ...jobEvents(input, trackedJobs(cronJob))];
  if (storedPrefix(decision))
    events.push(
      onSpec(cronJob, 'UnsupportedSchedule', 'CRON_TZ or TZ used in schedule; use timeZone instead'),
    );
  if (missedMany(decision, window) && 'owed' in decision && decision.owed !== undefined) {
    events.push(
      onSlot(
        decision.owed.slot,
        'Warning',
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      ),
    );
  }
  return [...events, ...slotEvents(cronJob, input)];
}
