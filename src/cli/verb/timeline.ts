import type { TimelineFlags } from '#cli/command/timeline.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import { readObjectRef } from '#cli/find-schedule.ts';
import type { Io } from '#cli/io.ts';
import { lookAt, type Sight } from '#cli/look.ts';
import { wantedSchedules } from '#cli/one-schedule.ts';
import { readingCode } from '#cli/outcome.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { openZone, type Zone } from '#core/time/zone.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { startOfDay } from '#core/timeline/days.ts';
import { type Timeline, type TimelineRequest, timelineOf } from '#core/timeline/timeline.ts';
import { escapeText } from '#render/escape-text.ts';

/** The first instant behind year 9999. */
const END_OF_TIME = 253_402_300_800;

function windowOf({ start, window }: TimelineFlags, zone: Zone, now: Instant): TimelineRequest {
  const from = start ?? startOfDay(zone, now);
  return { zone, from, end: instant(Math.min(from + window, END_OF_TIME)) };
}

/** Only the form that is asked for is loaded. */
async function rendered(
  timeline: Timeline,
  { failedReads }: Pick<Sight, 'failedReads'>,
  flags: TimelineFlags,
  io: Io,
): Promise<string> {
  switch (flags.output) {
    case 'text': {
      const { timelineText } = await import('#render/timeline/timeline-text.ts');
      return timelineText(timeline, { ...textOptions(io.stdout, io, flags), failedReads });
    }
    case 'svg':
      return (await import('#render/timeline/timeline-svg.ts')).timelineSvg(timeline, { failedReads });
    case 'html':
      return (await import('#render/timeline/timeline-html.ts')).timelineHtml(timeline, { failedReads });
    case 'json': {
      const { toTimelineDocument } = await import('#core/timeline/document.ts');
      return (await import('#render/json.ts')).toJson(toTimelineDocument(timeline));
    }
  }
}

/** Shows the slots of every schedule, or of those that are named, over a window of days. */
export async function timeline(flags: TimelineFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const ref = words.length === 0 ? undefined : readObjectRef(words);
  if (ref?.ok === false) return usageError(io, ref.message);
  const problem = zoneNameProblem(flags.timezone);
  if (problem !== undefined) {
    const { what, fix } = problem;
    return usageError(io, escapeText(`--timezone: ${what}${fix === undefined ? '' : `; ${fix}`}`));
  }
  const zone = openZone(flags.timezone);
  return lookAt({ flags, io }, async (sight) => {
    const { tick, changeSet, now } = sight;
    const wanted = wantedSchedules(sight, ref?.value, io);
    if (!wanted.ok) return wanted.shown;
    const { value: schedules, told } = wanted;
    const { entries } = tick.reconciliation;
    const input = { changeSet: { ...changeSet, schedules }, entries, observed: tick.observed };
    io.stdout.write(await rendered(timelineOf(input, windowOf(flags, zone, now)), sight, flags, io));
    return { code: readingCode(sight), diagnostics: told };
  });
}
