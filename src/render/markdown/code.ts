import { inertLine } from './inert.ts';

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** A value inside a line: what is in it stays text, whatever it is. In `table`, the pipes are seen to. */
export function codeSpan(text: string): string {
  const shown = inertLine(text);
  // A span of nothing is none.
  if (shown.trim() === '') return '`""`';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[ `]|[ `]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** The same between HTML tags, such as in the summary of `details`, where backticks mean nothing. */
export function htmlCode(text: string): string {
  const shown = inertLine(text).replace(/[!-,.:-@[-`{-~]/g, (mark) => `&#${mark.codePointAt(0)};`);
  return `<code>${shown}</code>`;
}

/** A difference as it is. The fence is longer than any in the text, so that nothing in it ends the block. */
export function diffBlock(text: string): string {
  const lines = text.replace(/(?:\r\n|\n|\r)$/, '').split(/\r\n|\n|\r/);
  const shown = lines.map(inertLine).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}diff\n${shown}\n${fence}\n`;
}
