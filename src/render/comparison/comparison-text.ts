import type {
  Comparison,
  ReferentComparison,
  ScheduleComparison,
  Tripped,
} from '#core/comparison/comparison.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Place } from '#core/object/object.ts';
import { maskedText } from '#render/masked-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Tone } from '#render/palette.ts';
import type { TextOptions } from '#render/text-options.ts';
import { hanging } from '#render/wrap.ts';
import {
  type EffectLine,
  effectLines,
  fieldTexts,
  problemText,
  referentLines,
  sentenceOf,
} from './effect-lines.ts';
import { basisText, guardText, isUnchanged, sidesText, totalsLines, unchangedText } from './totals-lines.ts';

const LABEL = 14;
const TONES: Readonly<Record<ScheduleComparison['change'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warning',
  affected: 'accent',
};

function line(effect: EffectLine, { palette, width }: TextOptions): string {
  const { label, guard } = effect;
  const padded = `    ${label}`.padEnd(LABEL);
  const wrapped = hanging(padded, sentenceOf(effect), width);
  return guard === undefined ? wrapped : palette.bad(padded) + wrapped.slice(padded.length);
}

function placeText({ place }: ScheduleComparison | ReferentComparison): string {
  return place === undefined ? '' : `  ${maskedText(place.file)}:${place.line}`;
}

function placeOf(place: Place | undefined): string {
  return place === undefined ? '' : `${maskedText(place.file)}:${place.line}:${place.column}: `;
}

/** Of an object on neither side, or of none. */
function looseText(problem: Diagnostic, { palette, width }: TextOptions): string {
  const isError = problem.severity === 'error';
  const label = isError ? 'broken' : 'warning';
  const text = hanging(`${label}  `, `${placeOf(problem.place)}${problemText(problem)}`, width);
  return `${palette[isError ? 'bad' : 'warning'](label)}${text.slice(label.length)}`;
}

function block(
  one: ScheduleComparison | ReferentComparison,
  lines: readonly EffectLine[],
  options: TextOptions,
): string {
  const { palette } = options;
  const head = `${palette[TONES[one.change]](one.change)}  ${palette.strong(objectText(one.key))}${palette.faint(placeText(one))}`;
  const fields = fieldTexts(one.fields).map((text, index) => ({ label: index === 0 ? 'fields' : '', text }));
  return [head, ...[...lines, ...fields].map((each) => line(each, options))].join('\n');
}

/** What a change does to the firings, for a terminal; one line where it does nothing. Ends with a line break. */
export function comparisonText(
  comparison: Comparison,
  tripped: readonly Tripped[],
  options: TextOptions,
): string {
  if (isUnchanged(comparison)) return `${unchangedText(comparison)}\n`;
  const { palette } = options;
  const basis = basisText(comparison);
  const head = [
    palette.strong(sidesText(comparison)),
    ...(basis === undefined ? [] : [hanging('', basis, options.width)]),
    '',
    ...totalsLines(comparison).map((text) => hanging('', text, options.width)),
  ];
  const blocks = [
    ...comparison.schedules.map((one) => block(one, effectLines(one), options)),
    ...comparison.referents.map((one) => block(one, referentLines(one), options)),
  ];
  const loose = comparison.broken.map((one) => looseText(one, options));
  const guards = tripped.map((one) => `${palette.bad('guard')}  ${guardText(one)}`);
  return `${[head.join('\n'), ...loose, ...blocks, ...(guards.length === 0 ? [] : [guards.join('\n')])].join('\n\n')}\n`;
}
