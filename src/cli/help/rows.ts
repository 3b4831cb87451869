import { hanging } from '#render/wrap.ts';

export type Row = readonly [left: string, right: string];

/** Fits a page of a terminal beside something else, and a comment in a review. */
export const HELP_WIDTH = 100;
/** What is longer keeps a line of its own. */
const WIDEST_LEFT = 34;

/** The column in which what is said about each row begins. */
export function leftWidth(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT));
}

/** Rows of two columns, the right one wrapped. */
export function columns(rows: readonly Row[], left = leftWidth(rows)): string {
  const indent = ' '.repeat(left + 5);
  return rows
    .map(([label, text]) => {
      const head = `  ${label.padEnd(left)}   `;
      if (label.length <= left) return hanging(head, text, HELP_WIDTH).trimEnd();
      return `  ${label}\n${hanging(indent, text, HELP_WIDTH)}`;
    })
    .join('\n');
}
