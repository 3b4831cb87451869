import type { DeleteChange } from '#core/change/change.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
import { applyDelete, fateOf } from './apply-delete.ts';
import { failWrite, note, type Progress, report } from './apply-progress.ts';

/** A run to be replaced, behind what carries it out. */
interface Victim {
  readonly workload: DeleteChange | undefined;
  readonly run: DeleteChange;
}

/** What carries a run out stands right before it and is of another type. */
function victimsOf(changes: readonly DeleteChange[]): readonly Victim[] {
  const victims: Victim[] = [];
  let workload: DeleteChange | undefined;
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1];
    const isWorkload = workload === undefined && change.marks === undefined && next?.marks !== undefined;
    if (isWorkload) workload = change;
    else {
      victims.push({ workload, run: change });
      workload = undefined;
    }
  }
  return victims;
}

/** In their order; once one could not be deleted, nothing more is, since nothing will be started in their place. */
export async function applyVictims(
  progress: Progress,
  changes: readonly DeleteChange[],
): Promise<readonly DeleteOutcome[]> {
  const outcomes: DeleteOutcome[] = [];
  for (const victim of victimsOf(changes)) {
    const failed = outcomes.some(({ state }) => state === 'failed' || state === 'skipped');
    const message = 'another run to be replaced could not be deleted';
    if (failed) outcomes.push(...leaveBoth(progress, victim, { state: 'skipped' }, message));
    else outcomes.push(...(await applyVictim(progress, victim)));
  }
  return outcomes;
}

async function applyVictim(progress: Progress, victim: Victim): Promise<readonly DeleteOutcome[]> {
  const { workload, run } = victim;
  if (workload === undefined || progress.stopReason() !== undefined) {
    const changes = workload === undefined ? [run] : [workload, run];
    return inTurn(progress, changes);
  }
  const spared = await whySpared(progress, victim);
  if (spared !== undefined) return spared;
  const first = await applyDelete(progress, workload);
  if (first.state === 'failed' || first.state === 'skipped')
    return [first, ...leave(progress, run, { state: 'skipped' }, 'what carries it out could not be stopped')];
  // What carries the run out has ended by itself: the run is about to say how.
  const message = 'what carries it out has finished meanwhile';
  if (first.state === 'changed')
    return [first, ...leave(progress, run, { state: 'changed', message }, message)];
  return [first, await applyDelete(progress, run)];
}

async function inTurn(
  progress: Progress,
  changes: readonly DeleteChange[],
): Promise<readonly DeleteOutcome[]> {
  const outcomes: DeleteOutcome[] = [];
  for (const change of changes) outcomes.push(await applyDelete(progress, change));
  return outcomes;
}

/** The run is read live before what carries it out is stopped (snapshot-schedule.md 3.3). */
async function whySpared(progress: Progress, victim: Victim): Promise<readonly DeleteOutcome[] | undefined> {
  const { run } = victim;
  const read = await progress.store.get(run.type, run.key);
  if (read.state === 'missing') return leaveBoth(progress, victim, { state: 'gone' }, 'gone already');
  if (read.state === 'failed') {
    failWrite(progress, run, { kind: 'transient', message: read.message });
    const { message } = read;
    return [...leave(progress, victim.workload, { state: 'skipped' }, message), { state: 'failed', message }];
  }
  const same = read.object.metadata.uid === run.precondition.uid;
  switch (same ? fateOf(progress, run, read.object) : 'over') {
    case 'delete':
      return undefined;
    case 'leaving':
      return leaveBoth(progress, victim, { state: 'gone' }, 'being deleted already');
    case 'over': {
      const message = 'it changed meanwhile and was left alone';
      report(progress, run, 'ChangedMeanwhile', { message });
      return leaveBoth(progress, victim, { state: 'changed', message }, message);
    }
    case 'blocked': {
      const message = 'it changed meanwhile to a phase that this build does not know and was left alone';
      failWrite(progress, run, { kind: 'conflict', message });
      return [
        ...leave(progress, victim.workload, { state: 'skipped' }, message),
        { state: 'failed', message },
      ];
    }
  }
}

function leave(
  progress: Progress,
  change: DeleteChange | undefined,
  outcome: DeleteOutcome,
  message: string,
): readonly DeleteOutcome[] {
  if (change === undefined) return [];
  note(progress, change, outcome.state === 'skipped' ? 'skipped' : 'unnecessary', message);
  return [outcome];
}

function leaveBoth(
  progress: Progress,
  { workload, run }: Victim,
  outcome: DeleteOutcome,
  message: string,
): readonly DeleteOutcome[] {
  return [...leave(progress, workload, outcome, message), ...leave(progress, run, outcome, message)];
}
