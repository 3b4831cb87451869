import { keyOf } from '#core/object/key.ts';
import type { DrivenWork } from '#core/works.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import { labelled } from '#render/schedule-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { toneOfWork } from '#render/work-tone.ts';

/** Where an order stands and what it went through, for a person. */
export function orderText({ work }: DrivenWork, options: TextOptions): string {
  const { source, outcome, steps, reason, detail, facts } = work;
  const { palette } = options;
  const state = outcome ?? work.state;
  // The words are those of a tick that was done, and nothing was written.
  const condition = steps.length === 0 ? '' : ', if a tick came now';
  const why = reason === undefined ? '' : ` (${escapeText(reason)})`;
  const heading = `${palette.strong(objectText(keyOf(source.object)))}${condition}: ${palette[toneOfWork(state)](state)}${why}`;
  const lines = facts.map(({ label, text }) => labelled(label, escapeText(text), options));
  const label = steps.length === 0 ? 'because' : 'would tell';
  const because = detail === undefined ? [] : [labelled(label, escapeText(detail), options)];
  return [heading, ...because, ...lines].join('\n');
}
