import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import { ANSWER_CLASSES } from '#core/requests.ts';
import { PHASES } from '#core/tick-record.ts';
import { KINDS } from '#kinds/index.ts';
import { METRICS } from '#render/metrics/definitions.ts';
import { allRules } from './files.ts';

/** The words that a tick puts into these labels. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  verdict: VERDICT_CODES,
  code: ANSWER_CLASSES,
  phase: [...PHASES, 'total'],
  kind: KINDS.map(({ resource }) => resource.kind),
};

const dashboard = readFileSync('examples/monitoring/dashboard.json', 'utf8');
const queries = [
  ...allRules().map(({ expr }) => expr),
  ...[...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '']) => JSON.parse(text) as string,
  ),
];

interface Matcher {
  readonly metric: string;
  readonly label: string;
  readonly value: string;
}

function matchersOf(metric: string, query: string): readonly Matcher[] {
  const selectors = [...query.matchAll(new RegExp(`\\b${metric}\\{([^}]*)\\}`, 'g'))];
  return selectors.flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label = '', text = '']) =>
      text.split('|').map((value) => ({ metric, label, value })),
    ),
  );
}

const matchers = Object.values(METRICS).flatMap(({ name }) =>
  queries.flatMap((query) => matchersOf(name, query)),
);

describe('what is asked of the figures that a tick pushes', () => {
  test('is asked by labels that they have', () => {
    const labels = Object.fromEntries(Object.values(METRICS).map(({ name, labels }) => [name, labels]));
    const strangers = matchers.filter(({ metric, label }) => !labels[metric]?.includes(label));
    expect(strangers).toEqual([]);
    expect(matchers.length).toBeGreaterThan(10);
  });

  test('is asked by words that a tick uses', () => {
    // A variable of the dashboard stands for any of them.
    const fixed = matchers.filter(({ value }) => !value.startsWith('$'));
    expect(fixed.filter(({ label, value }) => !WORDS[label]?.includes(value))).toEqual([]);
  });

  test('is grouped by labels that they have', () => {
    const grouped = queries.flatMap((query) =>
      [...query.matchAll(/\b(?:by|without) \(([^)]*)\) \((?:max_over_time\()?(minutehand_\w+)/g)].flatMap(
        ([, names = '', metric = '']) => names.split(', ').map((label) => ({ metric, label })),
      ),
    );
    const strangers = grouped.filter(({ metric, label }) => {
      const definition = Object.values(METRICS).find(({ name }) => name === metric);
      return definition !== undefined && !(definition.labels as readonly string[]).includes(label);
    });
    expect(strangers).toEqual([]);
    expect(grouped.length).toBeGreaterThan(5);
  });
});
