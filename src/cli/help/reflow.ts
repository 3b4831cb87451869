import { wrap } from '#render/wrap.ts';
import { HELP_WIDTH } from './rows.ts';

/** Each paragraph as lines that fit. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((block) => wrap(block.replaceAll('\n', ' '), HELP_WIDTH).join('\n'))
    .join('\n\n');
}
