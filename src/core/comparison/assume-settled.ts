import { timingOf } from '#core/entry-timing.ts';
import { keyId } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { type Timing, unbound } from '#core/slot/timing.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import type { Side } from './merge-effects.ts';

/** What is taken for the state of a schedule of which nothing was recorded. */
export interface Assumed {
  readonly status: JsonObject;
  /** RFC 3339; of a manifest that names none. */
  readonly creationTimestamp: string;
}

/** Of a suspended schedule the one before: how long it has been suspended nobody knows, and one slot was missed. */
function settledSlot(
  { timing, suspended }: { timing: Timing; suspended: boolean },
  now: Instant,
): Instant | undefined {
  if (timing.kind === 'every') return undefined;
  const latest = latestAtOrBefore(unbound(timing), now);
  if (latest === undefined || !suspended) return latest;
  return latestAtOrBefore(unbound(timing), instant(latest - 1));
}

function assumedOf({ changes, entry }: Side, now: Instant): Assumed | undefined {
  if (entry === undefined || entry.range !== undefined) return undefined;
  const { decision, schedule } = entry;
  if (schedule.object.status !== undefined) return undefined;
  const timing = timingOf(decision);
  if (timing === undefined) return undefined;
  const slot = settledSlot({ timing, suspended: schedule.suspended }, now);
  if (slot === undefined) return undefined;
  const written = changes.changes.find((change) => change.verb === 'apply');
  const fresh: KubeObject = {
    ...schedule.object,
    ...(written === undefined ? {} : { status: written.fields }),
  };
  const plan = schedule.planRuns(slot, timing);
  const status = schedule.moveAnchor(fresh, { slot, next: firstAfter(unbound(timing), slot), plan });
  return { status, creationTimestamp: formatInstant(slot) };
}

/**
 * Where no status is known: each schedule of the base is taken to have run its latest slot up to now, and while it is
 * suspended to have missed it. By `keyId`.
 */
export function assumeSettled({ changeSet, entries }: Reconciliation): ReadonlyMap<string, Assumed> {
  const found = new Map<string, Assumed>();
  for (const changes of changeSet.schedules) {
    const id = keyId(changes.key);
    const assumed = assumedOf({ changes, entry: entries.get(id) }, changeSet.now);
    if (assumed !== undefined) found.set(id, assumed);
  }
  return found;
}
