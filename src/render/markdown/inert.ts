import { escapeText } from '#render/escape-text.ts';

/** One line without anything unseen, and without the beginning of a comment: only our own marker is one. */
export function inertLine(text: string): string {
  return escapeText(text).replaceAll('<!--', '<\\x21--');
}

/** As many code units as asked for at most, never half a character; what was cut is an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(0, most - 1));
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
