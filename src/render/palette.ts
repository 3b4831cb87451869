/** How a renderer sets words apart. Every function gets text that is already escaped. */
export interface Palette {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
}

export type Tone = keyof Palette;

function same(text: string): string {
  return text;
}

/** Without a terminal, or with NO_COLOR. */
export const PLAIN: Palette = {
  strong: same,
  faint: same,
  good: same,
  warning: same,
  bad: same,
  accent: same,
};

function style(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}

/** The eight colours that every terminal has. */
export const ANSI: Palette = {
  strong: style(1, 22),
  faint: style(2, 22),
  good: style(32, 39),
  warning: style(33, 39),
  bad: style(31, 39),
  accent: style(36, 39),
};
