import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { KindRules } from '#core/kind-rules.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { scheduleText } from '#render/schedule-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import type { VerdictView } from '#render/verdict-text.ts';

/** What came of suspending or resuming; `client` and `server` are dry runs, and so is `refused` of one that cannot be done. */
export type SuspensionOutcome = 'unchanged' | 'done' | 'client' | 'server' | 'refused';

const DRY: Readonly<Record<'client' | 'server' | 'refused', string>> = {
  client: 'This was a dry run: nothing was written.',
  server: 'This was a dry run: the server checked it and stored nothing.',
  refused: 'This was a dry run, and the real one is refused: nothing was written, and nothing would be.',
};

const PASSING: Readonly<Record<KindRules['suspendedSlots'], string>> = {
  consumed: 'Slots that pass meanwhile are not made up for.',
  owed: 'The latest slot that passes meanwhile is due once it is resumed, if its deadline allows.',
  none: '',
};

/** Ends with a line break. */
export function suspendedText(
  key: ObjectKey,
  outcome: SuspensionOutcome,
  slots: KindRules['suspendedSlots'],
): string {
  const what = objectText(key);
  switch (outcome) {
    case 'unchanged':
      return `${what} is suspended already: nothing was written.\n`;
    case 'done':
      return `${what} was suspended: no slot of it is run until it is resumed, and runs at work go on. ${PASSING[slots]}\n`;
    case 'client':
    case 'server':
    case 'refused':
      return `${what} would be suspended. ${PASSING[slots]}\n${DRY[outcome]}\n`;
  }
}

/** What the next tick would do with a schedule that is resumed; told before that is done. Ends with a line break. */
export function resumingText(
  schedule: ScheduleChanges,
  view: VerdictView & { readonly now: Instant },
  options: TextOptions,
): string {
  const head = `Once ${objectText(schedule.key)} is resumed, a tick at ${utcText(view.now)} does this:`;
  return `${head}\n\n${scheduleText(schedule, view, options)}\n\n`;
}

/** Ends with a line break. */
export function resumedText(key: ObjectKey, outcome: SuspensionOutcome): string {
  const what = objectText(key);
  switch (outcome) {
    case 'unchanged':
      return `${what} is not suspended: nothing was written.\n`;
    case 'done':
      return `${what} was resumed.\n`;
    case 'client':
    case 'server':
    case 'refused':
      return `${DRY[outcome]}\n`;
  }
}
