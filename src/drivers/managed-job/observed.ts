import { JOB } from '#api/resources.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { Work } from '#core/run/driver.ts';
import { recordedFacts } from './facts.ts';
import { hasEnded } from './ttl.ts';
import { endOf, refusedStanding } from './work.ts';

/** Only looked at: what its status says, and no pod. */
export function observedWork(source: SourcedObject): Work {
  const { object } = source;
  const base = { type: JOB, source, steps: [], events: [], findings: [], facts: recordedFacts(object) };
  if (hasEnded(object)) return { ...base, state: 'finished', ...endOf(object.status) };
  const refused = refusedStanding(object);
  if (refused !== undefined) return { ...base, ...refused };
  return {
    ...base,
    state: 'observed',
    detail: 'it is carried out where the configuration says managedJobs: manage',
  };
}
