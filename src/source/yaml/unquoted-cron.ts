/** An expression that YAML takes for an alias (`*`) or a reserved sign (`@`). */
export interface UnquotedCron {
  readonly expression: string;
  /** Offset into the line. */
  readonly column: number;
}

// Only at the front of a value: a star further in, as in `0 3 * * *`, is text.
const STAR = /(?:^|[:?-]\s|[[{,])\s*(\*(?:[/\s,-][^#\]}]*|$))/;
const MACRO =
  /(?:^|[:?-]\s|[[{,])\s*(@(?:every\s+[0-9a-z.]+|every|hourly|daily|midnight|weekly|monthly|yearly|annually|reboot))/;

export function findUnquotedCron(line: string): UnquotedCron | undefined {
  const match = STAR.exec(line) ?? MACRO.exec(line);
  if (match?.[1] === undefined) return undefined;
  const column = match.index + match[0].length - match[1].length;
  const inFlow = /[[{]/.test(line.slice(0, column));
  const [expression = ''] = inFlow ? match[1].split(/,\s/) : [match[1]];
  return { expression: expression.trim(), column };
}
