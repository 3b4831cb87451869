import { type Measurement, median } from './section.ts';

/** A measurement with what it comes to, as printed and as written to JSON. */
export interface Figure extends Measurement {
  readonly section: string;
  readonly median: number;
  /** The first subject of its scenario. */
  readonly reference: string;
  /** How many times as long per item as the reference. */
  readonly ratio: number;
}

export function figures(section: string, measurements: readonly Measurement[]): Figure[] {
  return measurements.map((measurement) => {
    const first = measurements.find((other) => other.scenario === measurement.scenario) ?? measurement;
    const perItem = (one: Measurement) => median(one.runs) / one.items;
    return {
      section,
      ...measurement,
      median: median(measurement.runs),
      reference: first.subject,
      ratio: perItem(measurement) / perItem(first),
    };
  });
}

const HEADINGS = [
  'section',
  'scenario',
  'subject',
  'items',
  'median ms',
  'clock',
  'µs an item',
  'ratio',
  'note',
];

export function table(rows: readonly Figure[]): string {
  const cells = rows.map((row) => [
    row.section,
    row.scenario,
    row.subject,
    String(row.items),
    row.median.toFixed(1),
    row.clock ?? 'wall',
    ((row.median * 1000) / row.items).toFixed(2),
    row.ratio.toFixed(row.ratio < 10 ? 2 : 0),
    row.note ?? '',
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column > 2 && column < 8 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
