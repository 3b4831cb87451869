import type { Place } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';

/** The source line with its number and a mark under the column; a long line is cut around the mark. */
export function codeFrame(line: string, { line: number, column }: Place, width: number): readonly string[] {
  const gutter = `${number} | `;
  const room = Math.max(20, width - gutter.length - 4);
  const start = column > room ? column - 1 - Math.floor(room / 2) : 0;
  const shown = line.replace(/\r$/, '').slice(start, start + room);
  // What stands before the mark is escaped by itself, since an escape is wider than what it stands for.
  const before = escapeText(shown.slice(0, column - 1 - start));
  const ellipsis = start > 0 ? '…' : '';
  return [
    `${gutter}${ellipsis}${before}${escapeText(shown.slice(column - 1 - start))}`,
    `${' '.repeat(gutter.length - 2)}| ${' '.repeat(ellipsis.length + [...before].length)}^`,
  ];
}
