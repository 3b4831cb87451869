import { expect, test } from 'vitest';
import type { Measurement } from './section.ts';
import { figures, table } from './table.ts';

function measured(scenario: string, subject: string, runs: readonly number[], items: number): Measurement {
  return { scenario, subject, runs, items };
}

const MEASURED = [
  measured('small', 'theirs', [30, 10, 20], 10),
  { ...measured('small', 'ours', [10], 20), note: '50 runs a second' },
  measured('large', 'theirs too', [8], 1),
  measured('large', 'ours', [2, 4], 1),
];

test('each figure has the first subject of its scenario as reference, and its ratio per item', () => {
  expect(
    figures('some', MEASURED).map(({ subject, reference, median, ratio, note }) => [
      subject,
      reference,
      median,
      ratio,
      note,
    ]),
  ).toEqual([
    ['theirs', 'theirs', 20, 1, undefined],
    ['ours', 'theirs', 10, 0.25, '50 runs a second'],
    ['theirs too', 'theirs too', 8, 1, undefined],
    ['ours', 'theirs too', 3, 0.375, undefined],
  ]);
});

test('the table has a line for each, with its note', () => {
  const lines = table(figures('some', MEASURED)).split('\n');
  expect(lines).toHaveLength(2 + MEASURED.length);
  expect(lines[3]).toMatch(/^some +small +ours +20 +10\.0 +wall +500\.00 +0\.25 +50 runs a second$/);
});
