import { minuteText } from '#core/timeline/document.ts';
import type { Peak } from '#core/timeline/starts.ts';
import type { Timeline } from '#core/timeline/timeline.ts';
import { localText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { listed, plural } from '#render/plural.ts';

/** `03:00` */
export function peakMinute({ minute }: Peak): string {
  return minuteText(minute);
}

/** The day on which a peak is reached first, safe to print. */
export function peakDay({ at }: Peak, { zone }: Timeline): string {
  return localText(at, zone).slice(0, 'Sun 2026-11-29'.length);
}

/** The schedules of a peak, safe to print. */
export function peakSchedules({ schedules }: Peak): string {
  return listed(schedules.map(objectText));
}

/** What a peak is, its minute aside; safe to print. */
export function peakText(peak: Peak, timeline: Timeline): string {
  return `up to ${peak.most} at once, first on ${peakDay(peak, timeline)}; ${peak.total} on all days together: ${peakSchedules(peak)}`;
}

/** The busiest minute in one sentence. */
export function startsSentence(timeline: Timeline): string {
  const { starts } = timeline;
  const [first] = starts.peaks;
  const unplaced =
    starts.unplaced === 0
      ? ''
      : ` ${plural(starts.unplaced, 'slot')} of objects without a uid ${starts.unplaced === 1 ? 'is' : 'are'} not counted: the minute is not fixed yet.`;
  if (starts.total === 0) return `Nothing starts.${unplaced}`;
  const peak =
    first === undefined
      ? 'never two in the same minute.'
      : `at most ${starts.most} in the same minute, first at ${peakMinute(first)} on ${peakDay(first, timeline)}.`;
  return `${plural(starts.total, 'start')} in all, ${peak}${unplaced}`;
}
