import { JOB_SPEC_FIELDS } from '#api/job-fields.ts';
import { JOB, POD } from '#api/resources.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { listingOf, typeId } from '#core/observed.ts';
import type { Driver, DriverInput, LabelledReference, Wants, Work, WorkInput } from '#core/run/driver.ts';
import { checkJob, checkJobChange } from './check.ts';
import { observedWork } from './observed.ts';
import { orphanWorks } from './orphan-works.ts';
import { PLAY } from './play.ts';
import { isOver, readPod } from './pod.ts';
import { DRIVER_ID, MANAGED_LABEL, MANAGED_LABEL_VALUE, TRACKING_FINALIZER } from './resources.ts';
import { hasEnded } from './ttl.ts';
import { isManagedHere, jobWork, unreadableWork } from './work.ts';

/** The pods of all Jobs at once, and those whose Job is gone. */
const PODS: LabelledReference = {
  type: POD,
  namespace: '',
  labels: { [MANAGED_LABEL]: MANAGED_LABEL_VALUE },
};

function jobsOf({ observed }: DriverInput): readonly SourcedObject[] {
  const listing = listingOf(observed, JOB);
  return listing.state === 'read' ? listing.objects.filter(({ object }) => isManagedHere(object)) : [];
}

function isManaging({ settings }: DriverInput): boolean {
  return settings.writers[DRIVER_ID] !== 'observe';
}

function wants(input: DriverInput): Wants {
  return { templates: false, objects: [], labelled: isManaging(input) ? [PODS] : [] };
}

function works(input: WorkInput): readonly Work[] {
  const jobs = jobsOf(input);
  if (!isManaging(input)) return jobs.map((source) => observedWork(source));
  const pods = input.live.labelled(PODS);
  if (pods.state === 'unreadable') return jobs.map((source) => unreadableWork(source, pods.reason));
  const own = Map.groupBy(pods.objects, (pod) => controllerOf(pod)?.uid);
  return [
    ...jobs.map((source) => jobWork(source, own.get(source.object.metadata.uid) ?? [], input)),
    ...orphanWorks(pods.objects, input),
  ];
}

/** A Job whose time to live is over, and pods of a Job that are not over; finalizers of pods that have our mark. */
function mayEnd(object: KubeObject, order: KubeObject, verb: 'delete' | 'release'): boolean {
  const isOrder = object.metadata.uid === order.metadata.uid;
  if (verb === 'release') {
    const isTracked = object.metadata.finalizers?.includes(TRACKING_FINALIZER) === true;
    const isMarked = object.metadata.annotations?.[OWNER_UID_ANNOTATION] !== undefined;
    return object.kind === POD.kind && isTracked && (isOrder ? isMarked : isManagedHere(order));
  }
  if (!isManagedHere(order)) return false;
  if (isOrder)
    return isObject(order.spec) && order.spec.ttlSecondsAfterFinished !== undefined && hasEnded(order);
  return !isOver(readPod(object));
}

/** Reconciles Jobs that name it in `spec.managedBy`. */
export const MANAGED_JOBS: Driver = {
  id: DRIVER_ID,
  // No selector of the API finds the Jobs that name it: all of a cluster are read.
  unset: 'off',
  orders: [JOB],
  spent: [],
  types: [],
  beside: [],
  openIn: () => [],
  creates: [POD],
  mayEnd,
  knownFields: { [typeId(JOB)]: { spec: JOB_SPEC_FIELDS } },
  check: checkJob,
  checkChange: checkJobChange,
  follow: () => [],
  wants,
  works,
  play: PLAY,
};
