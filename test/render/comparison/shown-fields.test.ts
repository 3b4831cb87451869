import { expect, test } from 'vitest';
import type { FieldDiff } from '#core/change/diff.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { comparisonMarkdown } from '#render/comparison/comparison-markdown.ts';
import { comparisonText } from '#render/comparison/comparison-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { at } from '#test/support/given-tick.ts';

const POD = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  shortNames: [],
  namespaced: true,
};

/** The last path first: whoever shows them puts them in order. */
function fieldsOf(count: number): readonly FieldDiff[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `/data/key-${String(count - index).padStart(2, '0')}`,
    before: 'old',
    after: 'new',
  }));
}

/** A change of nothing but these fields. */
function comparisonOf(fields: readonly FieldDiff[]): Comparison {
  return {
    formatVersion: 1,
    now: at('2026-11-30T10:00:00Z'),
    until: at('2026-12-07T10:00:00Z'),
    basis: 'recorded',
    base: 'base',
    head: 'head',
    totals: {
      added: 0,
      removed: 0,
      changed: 0,
      affected: 0,
      unchanged: 0,
      firingsBefore: 0,
      firingsAfter: 0,
      firingsAdded: 0,
      firingsRemoved: 0,
      firingsMoved: 0,
      firesNow: 0,
      cancels: 0,
      prunes: 0,
      invalid: 0,
      neverFires: 0,
    },
    days: [],
    peaks: [],
    schedules: [],
    referents: [
      {
        type: POD,
        key: { group: '', kind: 'PodTemplate', namespace: 'harbor', name: 'dump' },
        change: 'changed',
        broken: [],
        mended: [],
        fields,
        prunes: [],
      },
    ],
    broken: [],
  };
}

test.each([
  [1, 1, undefined],
  [40, 40, undefined],
  [41, 40, 'and 1 more field'],
  [45, 40, 'and 5 more fields'],
])('of %i fields a terminal and a comment show the same %i', (count, shown, more) => {
  const comparison = comparisonOf(fieldsOf(count));
  const text = comparisonText(comparison, [], DEFAULT_TEXT);
  const { body } = comparisonMarkdown(comparison, [], { id: 'main' });
  const names = (output: string, pattern: RegExp): readonly string[] =>
    [...output.matchAll(pattern)].map(([, name = '']) => name);
  const wanted = Array.from({ length: shown }, (_, index) => `key-${String(index + 1).padStart(2, '0')}`);
  expect(names(text, /data\.(key-\d+): old/g)).toEqual(wanted);
  expect(names(body, /^- data\.(key-\d+): old/gm)).toEqual(wanted);
  expect(names(body, /^\+ data\.(key-\d+): new/gm)).toEqual(wanted);
  const told = (output: string): string | undefined => /and \d+ more fields?/.exec(output)?.[0];
  expect([told(text), told(body)]).toEqual([more, more]);
  expect(body).toContain(`<summary>${count} field`);
});
