import { expect, test } from 'vitest';
import type { Comparison } from '#core/comparison/comparison.ts';
import { comparisonDiagnostics } from '#core/comparison/comparison-diagnostics.ts';
import { trippedGuards } from '#core/comparison/guard.ts';

const KEY = {
  group: 'kopiur.home-operations.com',
  kind: 'SnapshotPolicy',
  namespace: 'orchard',
  name: 'data',
};
const RUN = { ...KEY, kind: 'Snapshot', name: 'tank-1' };
const TYPE = {
  ...KEY,
  version: 'v1alpha1',
  plural: 'snapshotpolicies',
  singular: 'snapshotpolicy',
  shortNames: [],
  namespaced: true,
};

test.each([
  ['an error where the guard trips', [], 'error'],
  ['a note where it is acknowledged', [{ name: 'prunes', namespace: 'orchard', object: 'data' }], 'note'],
] as const)('what the retention of a policy deletes is %s', (_name, acknowledgements, severity) => {
  const pruning: Pick<Comparison, 'schedules' | 'referents' | 'broken' | 'peaks'> = {
    schedules: [],
    referents: [
      { type: TYPE, key: KEY, change: 'changed', broken: [], mended: [], fields: [], prunes: [RUN] },
    ],
    broken: [],
    peaks: [],
  };
  const comparison = pruning as Comparison;
  const tripped = trippedGuards([{ name: 'prunes' }], comparison, acknowledgements);
  const [found, ...others] = comparisonDiagnostics(comparison, tripped, acknowledgements);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    code: 'RunsPruned',
    severity,
    object: KEY,
    what: 'merging this deletes Snapshot tank-1',
  });
  if (severity === 'error') expect(found?.fix).toContain('--acknowledge prunes=orchard/data');
});
