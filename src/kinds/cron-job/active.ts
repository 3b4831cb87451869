import type { SettleInput } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { isFinished, type Run } from '#core/run/phase.ts';

/** One entry of `status.active` as it was read. */
export interface Tracked {
  readonly name: string;
  readonly uid?: string;
  readonly entry: JsonObject;
}

export function trackedJobs(cronJob: KubeObject): readonly Tracked[] {
  const active = isObject(cronJob.status) ? cronJob.status.active : undefined;
  if (!Array.isArray(active)) return [];
  return active.flatMap((entry): Tracked[] => {
    if (!isObject(entry) || typeof entry.name !== 'string') return [];
    return [{ name: entry.name, entry, ...(typeof entry.uid === 'string' ? { uid: entry.uid } : {}) }];
  });
}

export function isTracked(run: Run, tracked: readonly Tracked[]): boolean {
  const { name, uid } = run.object.metadata;
  return tracked.some((one) => one.name === name && (one.uid === undefined || one.uid === uid));
}

function reference(job: KubeObject): JsonObject {
  const { name, namespace, uid, resourceVersion } = job.metadata;
  return {
    apiVersion: job.apiVersion,
    kind: job.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(uid === undefined ? {} : { uid }),
  };
}

function entryFor(job: KubeObject, tracked: readonly Tracked[]): JsonObject {
  const same = tracked.find((one) => one.name === job.metadata.name && one.uid === job.metadata.uid);
  return same?.entry ?? reference(job);
}

/** The Job that this tick started or found, if any. */
export function startedJob({ decision, outcomes }: SettleInput): KubeObject | undefined {
  if (decision.state !== 'fire') return undefined;
  const outcome = outcomes.creates[0];
  return outcome?.state === 'created' || outcome?.state === 'found' ? outcome.object : undefined;
}

/** One that a finalizer holds back stays, under deletion, and is still at work. */
function isReplaced(run: Run, { decision, outcomes }: SettleInput): boolean {
  if (decision.state !== 'fire' || (run.object.metadata.finalizers ?? []).length > 0) return false;
  const index = decision.victims.findIndex((victim) => victim.precondition.uid === run.object.metadata.uid);
  const outcome = outcomes.victims[index];
  return outcome?.state === 'deleted' || outcome?.state === 'gone';
}

/**
 * `status.active`: the unfinished Jobs that the schedule made, the ones tracked before first (decision 4: derived
 * from the Jobs, so that a lost status write heals).
 */
export function activeEntries(cronJob: KubeObject, input: SettleInput): readonly Json[] {
  const tracked = trackedJobs(cronJob);
  const running = input.runs.filter((run) => !run.manual && !isFinished(run) && !isReplaced(run, input));
  const position = (run: Run): number => tracked.findIndex((one) => one.name === run.object.metadata.name);
  const kept = running.filter((run) => position(run) >= 0).sort((a, b) => position(a) - position(b));
  const found = running.filter((run) => position(run) < 0).sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
  const started = startedJob(input);
  const entries = [...kept, ...found].map((run) => entryFor(run.object, tracked));
  const known = started === undefined || entries.some((entry) => entry.name === started.metadata.name);
  return known ? entries : [...entries, reference(started)];
}
