/** Rows in columns as wide as their widest cell; the last column is not padded. Cells are safe and uncoloured. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  // Not Math.max over all cells: a call takes only so many arguments, and a day of minutes is many rows.
  const widths = head.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line);
}
