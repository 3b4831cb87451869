import type { AppliedChange, AppliedSchedule, ApplyReport } from '#core/change/applied.ts';
import { countApplied } from '#core/change/applied-document.ts';
import { maskText, newMask } from '#core/change/mask.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Tone } from '#render/palette.ts';
import { grouped, plural } from '#render/plural.ts';
import { labelled } from '#render/schedule-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { toneOf } from '#render/verdict-text.ts';

function toneOfState(state: AppliedChange['state']): Tone {
  switch (state) {
    case 'done':
      return 'good';
    case 'unnecessary':
      return 'faint';
    case 'failed':
      return 'bad';
    case 'skipped':
      return 'warning';
  }
}

function verbText({ change }: AppliedChange): string {
  switch (change.verb) {
    case 'create':
      return `create ${objectText(change.key)}`;
    case 'delete':
      return `delete ${objectText(change.key)}`;
    case 'annotate':
      return `annotate ${objectText(change.key)}`;
    case 'apply':
      return 'status';
    case 'event':
      return `event ${typeof change.object.reason === 'string' ? escapeText(change.object.reason) : ''}`;
  }
}

function changeLine(applied: AppliedChange, options: TextOptions): string {
  const { state, message } = applied;
  const why = message === undefined ? '' : `: ${escapeText(maskText(message, newMask()))}`;
  const word = state === 'unnecessary' ? 'not needed' : state;
  return labelled(word, verbText(applied) + why, options, toneOfState(state));
}

function isNoteworthy({ state, message }: AppliedChange): boolean {
  return state !== 'done' || message !== undefined;
}

function scheduleLines(one: AppliedSchedule, options: TextOptions, all: boolean): string[] {
  const shown = all ? one.applied : one.applied.filter(isNoteworthy);
  if (shown.length === 0) return [];
  const { code } = one.verdict;
  const head = `${options.palette[toneOf(code)](code)}  ${options.palette.strong(objectText(one.schedule.key))}`;
  return [[head, ...shown.map((applied) => changeLine(applied, options))].join('\n')];
}

function sum(report: ApplyReport): string {
  const { done, unnecessary, failed, skipped } = countApplied(report);
  const parts = [`${plural(done, 'change')} applied`];
  if (unnecessary > 0) parts.push(`${grouped(unnecessary)} not needed`);
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  if (skipped > 0) parts.push(`${grouped(skipped)} skipped`);
  return `${parts.join(', ')}${report.partial ? '; what is left stays due for the next tick' : ''}.`;
}

export interface ApplyTextOptions extends TextOptions {
  /** Every change, not only what did not simply succeed. */
  readonly all?: boolean;
}

/** What came of a change set; one quiet line where there was nothing to do. Ends with a line break. */
export function applyText(report: ApplyReport, options: ApplyTextOptions): string {
  if (report.schedules.length === 0) return 'Nothing to do.\n';
  const blocks = report.schedules.flatMap((one) => scheduleLines(one, options, options.all === true));
  return `${[...blocks, sum(report)].join('\n\n')}\n`;
}
