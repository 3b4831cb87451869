import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { type Transition, transitionsBetween } from '#core/time/zone.ts';
import { countLocal, nextLocal } from './local-time.ts';
import type { Timing } from './timing.ts';

/** What a clock change does to a schedule. Base slots are meant; jitter does not know about clocks. */
export interface DstNote {
  /** Clean rule: skipped or doubled. Safe rule, fixed times: moved behind the gap, or the second pass suppressed. */
  readonly effect: 'skipped' | 'doubled' | 'moved' | 'suppressed';
  /** The clock change. */
  readonly at: Instant;
  /** The first local time that is missing or comes twice, `2026-03-29T02:30`. */
  readonly wall: string;
  /** How many local times of the schedule it concerns. */
  readonly count: number;
  /** The instants of `wall`: none if it is skipped, where it moved to, or both passes. */
  readonly instants: readonly Instant[];
  /** One sentence for people. */
  readonly what: string;
}

/** The clock changes in (after, upTo] that touch a slot, in order. */
export function dstNotes(timing: Timing, after: Instant, upTo: Instant): readonly DstNote[] {
  if (timing.kind === 'every' || timing.never) return [];
  return transitionsBetween(timing.zone, after, upTo).flatMap((change) => noteOf(timing, change) ?? []);
}

function noteOf(timing: Timing, change: Transition): DstNote | undefined {
  const gap = change.after > change.before;
  const [from, end] = [change.before, change.after]
    .map((offset) => Math.ceil((change.at + offset) / 60))
    .sort((a, b) => a - b);
  if (from === undefined || end === undefined) return undefined;
  const count = countLocal(timing.fields, from, end);
  if (count === 0) return undefined;
  const first = nextLocal(timing.fields, from, end);
  const wall = formatInstant(instant(first * 60)).slice(0, 16);
  const passes = [change.before, change.after].map((offset) => instant(first * 60 - offset));
  const where = `${wall}${count > 1 ? ` and ${count - 1} more` : ''}`;
  const note = gap ? gapNote(timing, change, where) : repeatNote(timing, passes, where);
  return { ...note, at: change.at, wall, count };
}

type Effect = Pick<DstNote, 'effect' | 'instants' | 'what'>;

function gapNote(timing: Timing, change: Transition, where: string): Effect {
  const missing = `${where} does not exist in ${timing.zone.name}`;
  if (!timing.safe) return { effect: 'skipped', instants: [], what: `${missing}: no slot` };
  return {
    effect: 'moved',
    instants: [change.at],
    what: `${missing}: the slot is ${formatInstant(change.at)} instead`,
  };
}

function repeatNote(timing: Timing, passes: readonly Instant[], where: string): Effect {
  const [first = '', second = ''] = passes.map(formatInstant);
  const twice = `${where} comes twice in ${timing.zone.name}`;
  return timing.safe
    ? {
        effect: 'suppressed',
        instants: passes,
        what: `${twice}: the slot is ${first}, and ${second} is none`,
      }
    : { effect: 'doubled', instants: passes, what: `${twice}: slots at ${first} and ${second}` };
}
