import { MANAGED_BY } from '#api/managed-by.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { evaluateJob } from '#drivers/managed-job/evaluate.ts';
import type { Evaluation, JobStep } from '#drivers/managed-job/evaluation.ts';
import { statusProblems } from './status-rules.ts';

const FINALIZER = 'batch.kubernetes.io/job-tracking';
const BACKOFF = 'minutehand.dev/backoff';
const SETTINGS = { managedBy: MANAGED_BY };
const MOST_PASSES = 12;

/** A pod at the moment when its finalizer came off, with the list of the status that it stood on then. */
export interface Release {
  readonly pod: KubeObject;
  readonly listed: 'succeeded' | 'failed' | 'nowhere';
  readonly status: JsonObject;
}

/** One Job and its pods as an API server holds them; values are replaced, never changed. */
export interface World {
  readonly job: KubeObject;
  readonly pods: ReadonlyMap<string, KubeObject>;
  readonly problems: readonly string[];
  readonly jobDeleted: boolean;
  readonly released: readonly Release[];
  /** How many pods had a name: no two of them have one uid. */
  readonly created: ReadonlyMap<string, number>;
}

export function worldOf(spec: JsonObject): World {
  const job: KubeObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default', uid: 'uid-job', resourceVersion: '1' },
    spec: {
      managedBy: SETTINGS.managedBy,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.test/work:1' }] },
      },
      ...spec,
    },
  };
  return { job, pods: new Map(), problems: [], jobDeleted: false, released: [], created: new Map() };
}

export function evaluate(world: World, now: Instant): Evaluation {
  return evaluateJob({ job: world.job, pods: [...world.pods.values()], now, settings: SETTINGS });
}

export function phaseOf({ status }: KubeObject): string {
  return isObject(status) ? `${status.phase}` : '';
}

function isGone({ metadata, ...pod }: KubeObject): boolean {
  const isOver = ['Succeeded', 'Failed'].includes(phaseOf({ metadata, ...pod }));
  return metadata.deletionTimestamp !== undefined && isOver && (metadata.finalizers ?? []).length === 0;
}

/** The world with one pod replaced, which vanishes once it is deleted, over and released. */
export function withPod(world: World, pod: KubeObject): World {
  const pods = new Map(world.pods);
  if (isGone(pod)) pods.delete(pod.metadata.name);
  else pods.set(pod.metadata.name, pod);
  return { ...world, pods };
}

function problem(world: World, text: string): World {
  return { ...world, problems: [...world.problems, text] };
}

function create(world: World, pod: KubeObject, now: Instant): World {
  const { name } = pod.metadata;
  if (world.pods.has(name)) return problem(world, `${name} exists already`);
  const times = (world.created.get(name) ?? 0) + 1;
  const metadata = { ...pod.metadata, uid: `uid-${name}-${times}`, creationTimestamp: formatInstant(now) };
  const after = withPod(world, { ...pod, metadata, status: { phase: 'Pending' } });
  return { ...after, created: new Map(world.created).set(name, times) };
}

export function deletePod(world: World, name: string, now: Instant): World {
  const pod = world.pods.get(name);
  if (pod === undefined) return problem(world, `${name} is deleted and does not exist`);
  const deletionTimestamp = pod.metadata.deletionTimestamp ?? formatInstant((now + 30) as Instant);
  const metadata = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 };
  return withPod(world, { ...pod, metadata });
}

function listedAs(status: JsonObject, uid: string | undefined): Release['listed'] {
  const lists = isObject(status.uncountedTerminatedPods) ? status.uncountedTerminatedPods : {};
  const isOn = (list: Json | undefined): boolean => Array.isArray(list) && list.includes(uid ?? '');
  return isOn(lists.failed) ? 'failed' : isOn(lists.succeeded) ? 'succeeded' : 'nowhere';
}

function releasePod(world: World, name: string): World {
  const pod = world.pods.get(name);
  if (pod === undefined) return problem(world, `${name} is released and does not exist`);
  if (pod.metadata.finalizers?.includes(FINALIZER) !== true)
    return problem(world, `${name} is released twice`);
  const finalizers = pod.metadata.finalizers.filter((one) => one !== FINALIZER);
  const status = isObject(world.job.status) ? world.job.status : {};
  const release: Release = { pod, status, listed: listedAs(status, pod.metadata.uid) };
  const after = withPod(world, { ...pod, metadata: { ...pod.metadata, finalizers } });
  return { ...after, released: [...world.released, release] };
}

function writeStatus(world: World, { status, backoff }: JobStep & { readonly verb: 'status' }): World {
  const { job } = world;
  const problems = statusProblems(job, status).map((text) => `${text}: ${JSON.stringify(status)}`);
  const { [BACKOFF]: _before, ...others } = job.metadata.annotations ?? {};
  const annotations = backoff === undefined ? others : { ...others, [BACKOFF]: backoff };
  const written = { ...job, metadata: { ...job.metadata, annotations }, status };
  return { ...world, job: written, problems: [...world.problems, ...problems] };
}

function applyStep(world: World, step: JobStep, now: Instant): World {
  switch (step.verb) {
    case 'create':
      return step.pods.reduce((after, pod) => create(after, pod, now), world);
    case 'release':
      return releasePod(world, step.pod.metadata.name);
    case 'delete':
      return deletePod(world, step.pod.metadata.name, now);
    case 'status':
      return writeStatus(world, step);
    case 'deleteJob':
      return { ...world, jobDeleted: true };
  }
}

/** Every single write: a batch of creates may be cut short, too. */
export function writesOf({ steps }: Evaluation): readonly JobStep[] {
  return steps.flatMap((step) =>
    step.verb === 'create' ? step.pods.map((pod): JobStep => ({ verb: 'create', pods: [pod] })) : [step],
  );
}

export function applyAll(world: World, steps: readonly JobStep[], now: Instant): World {
  return steps.reduce((after, step) => applyStep(after, step, now), world);
}

/** Passes until nothing is left to do, with no pod going on in between. */
export function settle(world: World, now: Instant): World {
  let settled = world;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (settled.jobDeleted) return settled;
    const { steps } = evaluate(settled, now);
    if (steps.length === 0) return settled;
    settled = applyAll(settled, steps, now);
  }
  return problem(settled, 'it never comes to rest');
}
