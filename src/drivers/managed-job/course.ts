import { type Count, countPods } from './count-pods.ts';
import { type Managed, managePods } from './manage-pods.ts';
import type { Pass } from './pass.ts';
import type { Pod } from './pod.ts';
import { tallyOf } from './tally.ts';
import { completion, type Verdict, verdictOf } from './verdict.ts';

/** What becomes of the pods in one pass, and of the Job. */
export interface Course {
  readonly managed: Managed;
  /** Deleted because the Job is decided; they keep the finalizer until they are counted. */
  readonly stopped: readonly Pod[];
  readonly verdict: Verdict | undefined;
  readonly count: Count;
  /** Pods that are left active, how many of them are ready, and how many are on their way out then. */
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

const UNMANAGED: Managed = { removals: [], creates: [] };

function countReady(pods: readonly Pod[]): number {
  return pods.filter(({ ready }) => ready).length;
}

/** Steps 4 to 7 of job.md 2.3. */
export function courseOf(pass: Pass, takenNames: ReadonlySet<string>): Course {
  const tally = tallyOf(pass);
  const decided = verdictOf(pass, tally);
  const managed = decided === undefined ? managePods(pass, tally, takenNames) : UNMANAGED;
  const stopped = decided === undefined || pass.deleting ? [] : pass.active;
  const gone = [...managed.removals, ...stopped];
  const active = pass.active.length - gone.length + managed.creates.length;
  const verdict = decided ?? completion(pass, tally, active);
  return {
    managed,
    stopped,
    verdict,
    count: countPods({ pass, tally, verdict, removals: managed.removals }),
    active,
    ready: countReady(pass.active) - countReady(gone),
    terminating: pass.terminating.length + gone.length,
  };
}
