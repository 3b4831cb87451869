import { isCountable, type Pass } from './pass.ts';
import type { Pod } from './pod.ts';
import { inRemovalOrder } from './removal-order.ts';
import { MOST_PER_PASS } from './resources.ts';

interface Sorted {
  readonly unusable: readonly Pod[];
  readonly usable: readonly Pod[];
}

/**
 * What a pod without usable index does is in no counter; the same is true of one without the finalizer, which a tick
 * took off and then ended before it could delete the pod.
 */
function sortedByUse(pass: Pass): Sorted {
  const isUsable = (pod: Pod): boolean => pod.tracked && isCountable(pass, pod);
  return {
    unusable: pass.active.filter((pod) => !isUsable(pod)),
    usable: pass.active.filter(isUsable),
  };
}

/** All but the most advanced pod of each index. */
function duplicates(pods: readonly Pod[]): ReadonlySet<Pod> {
  const kept = new Map<number | undefined, Pod>();
  const removed = new Set<Pod>();
  for (const pod of inRemovalOrder(pods)) {
    const before = kept.get(pod.index);
    if (before !== undefined) removed.add(before);
    kept.set(pod.index, pod);
  }
  return removed;
}

/** The active pods that are to go, in this order (job.md 2.6). */
export function surplusPods(pass: Pass, wanted: number): readonly Pod[] {
  const surplus = Math.max(0, pass.active.length - wanted);
  const { unusable, usable } = sortedByUse(pass);
  const repeated = pass.spec.indexed ? duplicates(usable) : new Set<Pod>();
  const first = [...unusable, ...repeated];
  const missing = Math.max(0, surplus - first.length);
  if (missing === 0) return first.slice(0, MOST_PER_PASS);
  const rest = inRemovalOrder(usable.filter((pod) => !repeated.has(pod)));
  return [...first, ...rest.slice(0, missing)].slice(0, MOST_PER_PASS);
}
