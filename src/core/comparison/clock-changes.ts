import { timingOf } from '#core/entry-timing.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Entry } from '#core/settle.ts';
import { type DstNote, dstNotes } from '#core/slot/notes.ts';
import type { Timing } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';
import type { ClockChange } from './comparison.ts';
import type { Window } from './firings.ts';

/** A schedule that is suspended has no slots that a clock change could touch. */
function openTiming(entry: Entry | undefined): Timing | undefined {
  return entry?.schedule.suspended === true ? undefined : timingOf(entry?.decision);
}

function notesOf(timing: Timing | undefined, { now, until }: Window): ReadonlyMap<Instant, DstNote> {
  const notes = timing === undefined ? [] : dstNotes(timing, now, until);
  return new Map(notes.map((note) => [note.at, note]));
}

/** Clock changes of a window that skip, double or move slots on one side and not, or otherwise, on the other. */
export function clockChanges(
  before: Entry | undefined,
  after: Entry | undefined,
  window: Window,
): readonly ClockChange[] {
  const old = notesOf(openTiming(before), window);
  const fresh = notesOf(openTiming(after), window);
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .sort((a, b) => a - b)
    .flatMap((at): readonly ClockChange[] => {
      const [one, other] = [old.get(at), fresh.get(at)];
      if (sameValue(one, other)) return [];
      return [
        {
          at,
          ...(one === undefined ? {} : { before: one.what }),
          ...(other === undefined ? {} : { after: other.what }),
        },
      ];
    });
}
