import { hanging, wrap } from '#render/wrap.ts';
import { HELP_WIDTH } from './rows.ts';

/** One paragraph as lines that fit. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((block) => wrap(block.replaceAll('\n', ' '), HELP_WIDTH).join('\n'))
    .join('\n\n');
}

/** A title and `  0   done …` below it, each code with what follows it under itself. */
export function codeList(text: string): string {
  const [title = '', ...lines] = text.split('\n');
  const entries: string[] = [];
  for (const line of lines) {
    const isEntry = /^ {2}\S/.test(line);
    if (isEntry) entries.push(line);
    else entries.push(`${entries.pop() ?? ''} ${line.trim()}`);
  }
  const shown = entries.map((entry) => {
    const [, code = '', when = ''] = /^( {2}\S+ +)(.*)$/.exec(entry) ?? [];
    return hanging(code, when, HELP_WIDTH);
  });
  return [title, ...shown].join('\n');
}
