import type { Decision, Finding } from '#core/kind.ts';
import type { OwedSlots } from '#core/slot/decide-slot.ts';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { transitionsBetween } from '#core/time/zone.ts';

const DAY = 86_400;

/** What the search of the built-in controller starts from. */
export interface SearchWindow {
  readonly anchor: Instant;
  readonly now: Instant;
  /** `startingDeadlineSeconds`; undefined = back to the anchor. */
  readonly seconds: number | undefined;
}

/**
 * The slot that the built-in controller takes, cron-job.md 1.6: it searches from now minus the deadline, trusts the
 * first gap found there, jumps by it and walks on, so that irregular schedules can lose their latest slot.
 */
function estimatedSlot(timing: Timing, window: SearchWindow): Instant | undefined {
  const { anchor, now, seconds } = window;
  const from = seconds === undefined ? anchor : instant(Math.max(anchor, now - seconds));
  // Slots of `@every` are counted from where the search starts, so that a deadline moves them along with now.
  const walk = timing.kind === 'every' ? { ...timing, anchor: from } : timing;
  const first = firstAfter(walk, from);
  if (first === undefined || first > now) return undefined;
  const second = firstAfter(walk, first);
  if (second === undefined || now < second) return first;
  const gap = second - first;
  const count = Math.floor((now - first) / gap) + 1;
  const probe = instant(first + (count - 2) * gap);
  return latestAtOrBefore(walk, now, probe);
}

/** Clock changes at which the library behind the built-in controller finds other slots (cron.md 8). */
function oddTransitions(timing: Timing, around: Instant): readonly Instant[] {
  return transitionsBetween(timing.zone, instant(around - DAY), instant(around + DAY))
    .filter(({ at, before, after }) => {
      const wholeHours = (after - before) % 3600 === 0;
      const local = (((at + before) % DAY) + DAY) % DAY;
      const skipsMidnight = after > before && (local === 0 || local + (after - before) > DAY);
      return !wholeHours || skipsMidnight || local % 3600 !== 0;
    })
    .map(({ at }) => at);
}

function finding(what: string, why: string): Finding {
  return { code: 'KubernetesMayDiffer', severity: 'note', path: ['spec', 'schedule'], what, why };
}

function slotText(slot: Instant | undefined): string {
  return slot === undefined ? 'no slot' : formatInstant(slot);
}

function clockNotes(timing: Timing, instants: readonly Instant[]): Finding[] {
  if (timing.kind === 'every') return [];
  const changes = new Set(instants.flatMap((around) => oddTransitions(timing, around)));
  return [...changes].map((at) =>
    finding(
      `the clocks of ${timing.zone.name} change at ${formatInstant(at)} in a way that the built-in controller's library gets wrong`,
      'it loses or moves slots around changes that are not whole hours or that skip midnight',
    ),
  );
}

/** Where the built-in controller may start another slot than the one foretold (decision 1). */
export function foretellCronJob(decision: Decision, window: SearchWindow): readonly Finding[] {
  switch (decision.state) {
    case 'deleting':
    case 'badTiming':
    case 'never':
    case 'suspended':
    case 'resumed':
      return [];
    case 'waiting':
      return clockNotes(decision.timing, [
        window.now,
        ...(decision.next === undefined ? [] : [decision.next]),
      ]);
    case 'expired':
    case 'held':
    case 'done':
    case 'leaving':
    case 'taken':
    case 'deferred':
    case 'blocked':
    case 'empty':
    case 'fire':
      return owedNotes(decision, window);
  }
}

type Owing = Extract<Decision, { readonly owed: OwedSlots; readonly timing: Timing }>;

function owedNotes({ state, timing, owed }: Owing, window: SearchWindow): readonly Finding[] {
  const wanted = state === 'expired' ? undefined : owed.slot;
  const estimate = estimatedSlot(timing, window);
  const clocks = clockNotes(timing, [owed.slot, ...(owed.next === undefined ? [] : [owed.next])]);
  if (estimate === wanted) return clocks;
  return [
    finding(
      `the built-in controller is expected to find ${slotText(estimate)} where ${slotText(wanted)} is owed`,
      'it estimates the latest slot from the first gap that it sees, counted from the last slot or from now minus the deadline',
    ),
    ...clocks,
  ];
}
