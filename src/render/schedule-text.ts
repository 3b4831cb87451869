import type { Change } from '#core/change/change.ts';
import type { RetentionChanges, ScheduleChanges, WorkChanges } from '#core/change/change-set.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import { changeText } from '#render/change-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Tone } from '#render/palette.ts';
import type { TextOptions } from '#render/text-options.ts';
import { hasNext, nextText, toneOf, type VerdictView, verdictFacts } from '#render/verdict-text.ts';
import { toneOfWork } from '#render/work-tone.ts';
import { hanging } from '#render/wrap.ts';

const INDENT = '    ';
const LABEL = 16;

/** A labelled paragraph; the label alone is coloured, so that width counts characters and not escapes. */
export function labelled(label: string, text: string, options: TextOptions, tone: Tone = 'faint'): string {
  const padded = `${INDENT}${label.padEnd(LABEL)}`;
  const plain = hanging(padded, text, options.width);
  return INDENT + options.palette[tone](label) + plain.slice(INDENT.length + label.length);
}

function headingText({ verdict, key }: ScheduleChanges, { palette }: TextOptions): string {
  const reason = verdict.reason === undefined ? '' : ` (${escapeText(verdict.reason)})`;
  return `${palette[toneOf(verdict.code)](verdict.code)}  ${palette.strong(objectText(key))}${reason}`;
}

function changeLines(changes: readonly (Change | WorkChange)[], options: TextOptions): readonly string[] {
  return changes.flatMap((change) => {
    const { label, tone, lines } = changeText(change);
    return lines.map((line, index) => labelled(index === 0 ? label : '', line, options, tone));
  });
}

/** What an object that decides how many runs are kept wants deleted. */
export function retentionText({ key, changes }: RetentionChanges, options: TextOptions): string {
  const { palette } = options;
  const heading = `${palette.warning('prunes')}  ${palette.strong(objectText(key))}`;
  return [heading, ...changeLines(changes, options)].join('\n');
}

/** An order of a driver: where it stands, why, and every change. */
export function workText({ key, state, reason, detail, changes }: WorkChanges, options: TextOptions): string {
  const { palette } = options;
  const why = reason === undefined ? '' : ` (${escapeText(reason)})`;
  const heading = `${palette[toneOfWork(state)](state)}  ${palette.strong(objectText(key))}${why}`;
  const facts = detail === undefined ? [] : [labelled('because', escapeText(detail), options)];
  return [heading, ...facts, ...changeLines(changes, options)].join('\n');
}

/** A schedule in full: verdict, slot, what it stands for, every change, what comes next. */
export function scheduleText(schedule: ScheduleChanges, view: VerdictView, options: TextOptions): string {
  const { verdict, changes } = schedule;
  const creates = changes.some(({ verb }) => verb === 'create');
  const facts = verdictFacts(verdict, view)
    .filter(({ label }) => !(creates && label === 'run'))
    .map(({ label, text }) => labelled(label, text, options));
  const written = changeLines(changes, options);
  const next = hasNext(verdict.code) ? [labelled('next', nextText(verdict, view), options)] : [];
  return [headingText(schedule, options), ...facts, ...written, ...next].join('\n');
}
