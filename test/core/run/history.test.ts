import { describe, expect, test } from 'vitest';
import { type HistoryPool, outlivedRuns, surplusRuns } from '#core/run/history.ts';
import type { Run } from '#core/run/phase.ts';
import { instant } from '#core/time/instant.ts';
import { runOf } from './run-of.ts';

function done(name: string, historyTime?: number, more: Partial<Run> = {}): Run {
  const age = historyTime === undefined ? {} : { historyTime: instant(historyTime) };
  return runOf(name, { phase: 'succeeded', ...age, ...more });
}

function names(runs: readonly Run[]): readonly string[] {
  return runs.map((run) => run.object.metadata.name);
}

const keepOne: readonly HistoryPool[] = [{ phases: ['succeeded', 'failed'], limit: 1 }];

/** Every order of a few runs. */
function orders<T>(items: readonly T[]): readonly T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    orders(items.toSpliced(index, 1)).map((rest): T[] => [item, ...rest]),
  );
}

describe('finished runs beyond a limit', () => {
  test.each<readonly [string, readonly Run[], readonly string[]]>([
    ['the oldest go first', [done('a', 30), done('b', 10), done('c', 20)], ['b', 'c']],
    ['equal ages go by name', [done('b', 10), done('c', 10), done('a', 10)], ['a', 'b']],
    ['runs without an age are the youngest', [done('a'), done('b', 10), done('c', 20)], ['b', 'c']],
    ['runs without an age go by name among themselves', [done('c'), done('a'), done('b')], ['a', 'b']],
    ['both phases share the pool', [done('a', 10), done('b', 20, { phase: 'failed' })], ['a']],
    ['runs under deletion do not count', [done('a', 10, { terminating: true }), done('b', 20)], []],
    ['strays do not count', [done('a', 10, { stray: true }), done('b', 20)], []],
    ['unfinished runs do not count', [runOf('a', { historyTime: instant(1) }), done('b', 20)], []],
    ['unknown phases do not count', [done('a', 10, { phase: 'unknown' }), done('b', 20)], []],
    ['manual runs count', [done('a', 10, { manual: true }), done('b', 20)], ['a']],
  ])('%s, in whatever order they are read', (_name, runs, wanted) => {
    for (const order of orders(runs)) expect(names(surplusRuns(keepOne, order))).toEqual(wanted);
  });

  test('pools are trimmed one after the other, each by its own limit', () => {
    const pools: readonly HistoryPool[] = [
      { phases: ['succeeded'], limit: 0 },
      { phases: ['failed'], limit: 1 },
    ];
    const failed = [done('x', 1, { phase: 'failed' }), done('y', 2, { phase: 'failed' })];
    expect(names(surplusRuns(pools, [...failed, done('a', 9)]))).toEqual(['a', 'x']);
  });

  test('without pools nothing goes', () => {
    expect(surplusRuns([], [done('a', 1), done('b', 2)])).toEqual([]);
  });
});

describe('runs that have outlived themselves', () => {
  test.each([
    ['a second before the end', 99, []],
    ['exactly at the end', 100, ['a']],
    ['later', 101, ['a']],
  ])('%s', (_name, now, wanted) => {
    const runs = [done('a', 1, { removeAt: instant(100) }), done('b', 1)];
    expect(names(outlivedRuns(runs, instant(now)))).toEqual(wanted);
  });

  test('a run under deletion is not deleted again', () => {
    const run = done('a', 1, { removeAt: instant(100), terminating: true });
    expect(outlivedRuns([run], instant(200))).toEqual([]);
  });
});
