import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asksForEmptyWrite, type CaseRow, expectedOf, type PassResult } from './case-row.ts';
import { runCase } from './run-case.ts';

interface Deviation {
  readonly class: string;
  readonly why: string;
  /** The values that differ, and no other. */
  readonly ours: Partial<PassResult>;
}

/** cron-job.md, decision 2: every deviation is of one of these classes. */
const CLASSES = [
  'estimate',
  'every-drift',
  'go-dst',
  'hang',
  'derived-active',
  'uid-ownership',
  'fresh-read',
];

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

const ROWS = readJson<readonly CaseRow[]>('../../cases/cronjob-cases.json');
const DEVIATIONS = readJson<Readonly<Record<string, Deviation>>>('./deviations.json');

describe('one pass over one CronJob as Kubernetes does it, with --grace 0s', () => {
  test.each(ROWS.map((row) => [row.id, row] as const))('%s', (id, row) => {
    const { result, problems } = runCase(row);
    expect(problems).toEqual([]);
    const deviation = DEVIATIONS[id];
    expect(result, row.about).toEqual({ ...expectedOf(row), ...deviation?.ours });
  });
});

describe('the list of deviations', () => {
  test('the case file is whole', () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).toBe(180);
  });

  test.each(Object.entries(DEVIATIONS))('%s differs in exactly the listed values', (id, deviation) => {
    const row = ROWS.find((candidate) => candidate.id === id);
    expect(row).toBeDefined();
    expect(CLASSES).toContain(deviation.class);
    expect(deviation.why.length).toBeGreaterThan(20);
    const theirs: Readonly<Record<string, unknown>> = row === undefined ? {} : { ...expectedOf(row) };
    expect(Object.keys(deviation.ours).length).toBeGreaterThan(0);
    for (const [field, ours] of Object.entries(deviation.ours)) expect(ours).not.toEqual(theirs[field]);
  });

  test('writes that would change no value are asked for by these rows only', () => {
    expect(ROWS.filter(asksForEmptyWrite).map(({ id }) => id)).toEqual([
      'history-cleaned-even-if-create-fails',
      'history-under-limit',
      'history-order-started-goes-first',
      'history-order-same-start',
      'history-order-by-start',
      'history-with-bad-schedule',
    ]);
  });
});
