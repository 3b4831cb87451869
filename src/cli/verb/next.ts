import type { NextFlags } from '#cli/command/next.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import { readObjectRef } from '#cli/find-schedule.ts';
import type { Io } from '#cli/io.ts';
import { lookAt } from '#cli/look.ts';
import { wantedSchedules } from '#cli/one-schedule.ts';
import { readingCode } from '#cli/outcome.ts';
import { print } from '#cli/print.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import { type ForecastWindow, forecastSchedules } from '#core/forecast.ts';
import { toForecastDocument } from '#core/forecast-document.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { nextSlotsText } from '#render/next-text.ts';

const COUNT = 5;
/** A week of a schedule that fires every minute. */
const MOST_IN_WINDOW = 10_080;

function windowOf(flags: NextFlags, now: Instant): ForecastWindow {
  if (flags.for === undefined) return { count: flags.count ?? COUNT };
  return { count: flags.count ?? MOST_IN_WINDOW, upTo: instant(now + flags.for) };
}

/** Shows the next slots of every schedule, or of those that are named. */
export async function next(flags: NextFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const ref = words.length === 0 ? undefined : readObjectRef(words);
  if (ref?.ok === false) return usageError(io, ref.message);
  return lookAt({ flags, io }, async (sight) => {
    const { tick, changeSet, now } = sight;
    const wanted = wantedSchedules(sight, ref?.value, io);
    if (!wanted.ok) return wanted.shown;
    const { value: schedules, told } = wanted;
    const { entries } = tick.reconciliation;
    const forecasts = forecastSchedules(
      { changeSet: { ...changeSet, schedules }, entries },
      windowOf(flags, now),
    );
    const view = {
      document: () => toForecastDocument(forecasts, now),
      text: () =>
        nextSlotsText(forecasts, now, {
          ...textOptions(io.stdout, io, flags),
          failedReads: sight.failedReads,
        }),
    };
    await print(flags.output, view, io);
    if (flags.count === undefined && forecasts.some(({ slots }) => slots.length === MOST_IN_WINDOW)) {
      io.stderr.write(`The list stops after ${MOST_IN_WINDOW} slots of a schedule; --count allows more.\n`);
    }
    return { code: readingCode(sight), diagnostics: told };
  });
}
