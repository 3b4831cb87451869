import type { Decision, Finding } from '#core/kind.ts';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { transitionsBetween } from '#core/time/zone.ts';

/**
 * The slot that the built-in controller takes, cron-job.md 1.6: it trusts the first gap after the anchor, jumps by
 * it and walks from there, so that irregular schedules can lose their latest slot.
 */
export function estimatedSlot(timing: Timing, anchor: Instant, now: Instant): Instant | undefined {
  const first = firstAfter(timing, anchor);
  if (first === undefined || first > now) return undefined;
  const second = firstAfter(timing, first);
  if (second === undefined || now < second) return first;
  const gap = second - first;
  const count = Math.floor((now - first) / gap) + 1;
  const probe = instant(first + (count - 2) * gap);
  return latestAtOrBefore(timing, now, probe);
}

/** Clock changes at which the library behind the built-in controller finds other slots (cron.md 8). */
function oddTransition(timing: Timing, slot: Instant): Instant | undefined {
  const DAY = 86_400;
  const odd = transitionsBetween(timing.zone, instant(slot - DAY), instant(slot + DAY)).find(
    ({ at, before, after }) => {
      const wholeHours = (after - before) % 3600 === 0;
      const local = (((at + before) % DAY) + DAY) % DAY;
      const skipsMidnight = after > before && (local === 0 || local + (after - before) > DAY);
      return !wholeHours || skipsMidnight || local % 3600 !== 0;
    },
  );
  return odd?.at;
}

function finding(what: string, why: string): Finding {
  return { code: 'KubernetesMayDiffer', severity: 'note', path: ['spec', 'schedule'], what, why };
}

/** Where the built-in controller may start another slot than the one foretold. */
export function foretellCronJob(decision: Decision, anchor: Instant, now: Instant): readonly Finding[] {
  if (
    !('owed' in decision) ||
    decision.owed === undefined ||
    !('timing' in decision) ||
    decision.timing === undefined
  )
    return [];
  const { timing, owed } = decision;
  const notes: Finding[] = [];
  const estimate = estimatedSlot(timing, anchor, now);
  if (estimate !== owed.slot) {
    const theirs = estimate === undefined ? 'no slot' : formatInstant(estimate);
    notes.push(
      finding(
        `the built-in controller is expected to find ${theirs} where ${formatInstant(owed.slot)} is owed`,
        'it estimates the latest slot from the first gap after the last one',
      ),
    );
  }
  const change = oddTransition(timing, owed.slot);
  if (change !== undefined) {
    notes.push(
      finding(
        `the clocks of ${timing.zone.name} change at ${formatInstant(change)} in a way that the built-in controller's library gets wrong`,
        'it loses or moves slots around changes that are not whole hours or that skip midnight',
      ),
    );
  }
  return notes;
}
