import { JOB, POD } from '#api/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Work, WorkInput } from '#core/run/driver.ts';
import { orphanedPods } from './orphans.ts';
import { TRACKING_FINALIZER } from './resources.ts';

function orphanWork(pod: KubeObject): Work {
  return {
    type: POD,
    source: { object: pod },
    state: 'releasing',
    detail: 'its Job is gone',
    steps: [{ verb: 'release', finalizers: [TRACKING_FINALIZER] }],
    events: [],
    findings: [],
    facts: [],
  };
}

/** Pods that only their finalizer holds. Of a namespace whose Jobs could not all be read, nobody knows any. */
export function orphanWorks(pods: readonly KubeObject[], { referents, now }: WorkInput): readonly Work[] {
  const byNamespace = Map.groupBy(pods, ({ metadata: { namespace = '' } }) => namespace);
  return [...byNamespace].flatMap(([namespace, own]) => {
    const jobs = referents.inNamespace(JOB, namespace);
    if (jobs.state === 'unreadable') return [];
    const uids = new Set(jobs.objects.map(({ metadata }) => metadata.uid ?? ''));
    return orphanedPods(own, uids, now).map(orphanWork);
  });
}
