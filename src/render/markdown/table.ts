/** A cell ends at a pipe, in code too; before an escaped one each backslash counts for itself. */
function cellText(markdown: string): string {
  return markdown.replace(/[\r\n]+/g, ' ').replace(/(\\*)\|/g, '$1$1\\|');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cellText).join(' | ')} |`;
}

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A table. Its cells are Markdown already: texts of objects go through `codeSpan` or `escapeMarkdown` before. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  // A row that is too short or too long would shift its cells under other titles.
  const cells = rows.map((given) => columns.map((_column, index) => given[index] ?? ''));
  return [row(columns.map(({ title }) => title)), row(rule), ...cells.map(row)].join('\n') + '\n';
}
