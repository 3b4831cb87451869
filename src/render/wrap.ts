/** A blank that may end a line; not the ones inside `23 h 59 min ago` or `Sun 2026-11-29 04:00 +01:00`. */
const BREAK =
  / (?!(?:d|h|min|s|late|ago)\b|(?<=\b(?:in|d|h|min) )\d+ (?:d|h|min|s)\b|\d{4}-\d\d-\d\d\b|[+-]?\d\d:\d\d|UTC\))/;

/** Lines of at most `width` characters, broken at blanks; a longer word keeps a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(BREAK)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (line !== '' && joined.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = joined;
    }
  }
  return [...lines, line];
}

/** A text behind a label, its further lines under the first. */
export function hanging(label: string, text: string, width: number): string {
  const room = Math.max(20, width - label.length);
  return label + wrap(text, room).join(`\n${' '.repeat(label.length)}`);
}

/** The text, or as much of it as fits with an ellipsis. */
export function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}
