import { counted } from '#core/counted.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { ScheduleComparison } from './comparison.ts';
import type { Firing } from './firings.ts';
import { nextBeyond } from './next-beyond.ts';

function at({ slot, until }: Firing): string {
  if (until === undefined) return formatInstant(slot);
  return `a time between ${formatInstant(slot)} and ${formatInstant(until)}`;
}

function listedFirings(verb: string, firings: readonly Firing[]): readonly string[] {
  const [first] = firings;
  if (first === undefined) return [];
  const which = firings.length === 1 ? ',' : ', the first one';
  return [`${verb} ${counted(firings.length, 'firing')}${which} at ${at(first)}`];
}

function nextSlot(one: ScheduleComparison): readonly string[] {
  const { before, after } = nextBeyond(one) ?? {};
  if (after === undefined) return [];
  return before === undefined
    ? [`sets its next slot to ${formatInstant(after)}`]
    : [`moves its next slot from ${formatInstant(before)} to ${formatInstant(after)}`];
}

function movedFirings({ firings: { moved } }: ScheduleComparison): readonly string[] {
  const [first] = moved;
  if (first === undefined) return [];
  const which = moved.length === 1 ? '' : ', the first one';
  return [`moves ${counted(moved.length, 'firing')}${which} from ${at(first.from)} to ${at(first.to)}`];
}

/** What merging does to the slots of a schedule, short of stopping it; undefined where it leaves them as they are. */
export function firingSentence(one: ScheduleComparison): string | undefined {
  const { firings, merge, runsBefore, runsAfter } = one;
  const isOtherwise = runsBefore !== runsAfter && firings.before > 0 && firings.after > 0;
  const parts = [
    ...movedFirings(one),
    ...listedFirings('adds', firings.added),
    ...listedFirings('removes', firings.removed),
    ...nextSlot(one),
    ...(isOtherwise ? [`lets each firing start ${counted(runsAfter, 'run')} instead of ${runsBefore}`] : []),
    ...(merge.noLongerFires === undefined
      ? []
      : [`leaves out the slot ${formatInstant(merge.noLongerFires)}, which is due`]),
    ...(merge.holds === undefined ? [] : [`holds the slot ${formatInstant(merge.holds)}`]),
    ...(merge.releases === undefined ? [] : [`no longer holds the slot ${formatInstant(merge.releases)}`]),
  ];
  return parts.length === 0 ? undefined : `merging this ${parts.join('; ')}`;
}
