import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { CronJob, Job } from './jobs.ts';

const OURS = [SLOT_ANNOTATION, OWNER_UID_ANNOTATION];

/**
 * What the maker of a Job decides, without what the server gives to each: uids have a word in their place. Our two
 * annotations are left out, because only we write them.
 */
export function likenessOf(job: Job): unknown {
  const { name, namespace, labels, annotations = {}, ownerReferences, uid } = job.metadata;
  const kept = Object.entries(annotations).filter(([key]) => !OURS.includes(key));
  const likeness = {
    metadata: { name, namespace, labels, annotations: Object.fromEntries(kept), ownerReferences },
    spec: job.spec,
  };
  const owner = ownerReferences?.[0]?.uid ?? '';
  return JSON.parse(
    JSON.stringify(likeness).replaceAll(uid, 'its own uid').replaceAll(owner, 'the uid of its owner'),
  );
}

/** Times of day are those of the moment, so that only their presence is told. */
export function statusLikeness({ metadata, status }: CronJob): unknown {
  const { active = [], lastScheduleTime, lastSuccessfulTime } = status;
  return {
    name: metadata.name,
    active: active.map(({ name }) => name).sort(),
    lastScheduleTime,
    hasSucceeded: lastSuccessfulTime !== undefined,
  };
}
