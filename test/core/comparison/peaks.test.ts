import { describe, expect, test } from 'vitest';
import { peakChanges, startCounts } from '#core/comparison/peaks.ts';
import { instant } from '#core/time/instant.ts';

const NOW = instant(1_780_000_020);
const WINDOW = { now: NOW, until: instant(NOW + 3600) };
const NAS = { group: 'g', kind: 'Repository', namespace: 'orchard', name: 'nas' };

function at(...seconds: readonly number[]): readonly { readonly slot: typeof NOW }[] {
  return seconds.map((second) => ({ slot: instant(NOW + second) }));
}

describe('the minute in which the most runs start', () => {
  test('adds up what starts in one minute, whatever the second', () => {
    const counts = startCounts(WINDOW);
    counts.add(at(60, 120), 1, []);
    counts.add(at(119), 1, []);
    expect(counts.peak()).toEqual({ at: instant(NOW + 60), starts: 2 });
  });

  test('is the first of several', () => {
    const counts = startCounts(WINDOW);
    counts.add(at(60, 600), 1, []);
    expect(counts.peak()).toEqual({ at: instant(NOW + 60), starts: 1 });
  });

  test('counts every run that a firing starts', () => {
    const counts = startCounts(WINDOW);
    counts.add(at(60), 1, []);
    counts.add(at(120), 7, []);
    expect(counts.peak()).toEqual({ at: instant(NOW + 120), starts: 7 });
  });

  test('is none where nothing starts', () => {
    const counts = startCounts(WINDOW);
    counts.add(at(60), 0, []);
    expect(counts.peak()).toBeUndefined();
  });

  test('of a lane is told where it changed, that of everything always', () => {
    const before = startCounts(WINDOW);
    const after = startCounts(WINDOW);
    before.add(at(60), 1, [NAS]);
    after.add(at(120), 1, [NAS]);
    expect(peakChanges(before, after)).toEqual([
      { before: { at: instant(NOW + 60), starts: 1 }, after: { at: instant(NOW + 120), starts: 1 } },
    ]);
    after.add(at(120), 1, [NAS]);
    expect(peakChanges(before, after)).toMatchObject([{}, { lane: NAS, after: { starts: 2 } }]);
  });
});
