import { describe, expect, test } from 'vitest';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { decided, observedOf } from '#test/properties/support/decided.ts';
import { apartObjects } from '#test/properties/support/snapshot/apart.ts';
import { MANAGING } from '#test/properties/support/snapshot/history.ts';

const NOW = instant(1_781_060_410);

/** Both policies of one repository, the second one with a further repository. */
const OBJECTS = apartObjects(NOW).map(
  (object): KubeObject =>
    object.kind === 'SnapshotPolicy' && object.metadata.name === 'apart-media'
      ? {
          ...object,
          spec: { ...Object(object.spec), repositories: twoRepositories(), repository: undefined },
        }
      : object,
);

function twoRepositories(): readonly object[] {
  return ['apart-nas', 'apart-offsite'].map((name) => ({ kind: 'Repository', name }));
}

function creates(more: Partial<Settings>): readonly string[] {
  const { changeSet, problems } = decided(OBJECTS, NOW, { ...MANAGING, ...more });
  expect(problems).toEqual([]);
  return changeSet.schedules.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.verb === 'create' ? [change.target] : [])),
  );
}

describe('creates per repository', () => {
  test('are counted for the repository of each run of a fan-out', () => {
    const all = creates({});
    const some = creates({ maxCreatesPerLane: 1 });
    const media = 'apart-media pvc billing/apart-disk Repository/billing';
    expect(all).toEqual(['apart-data', `${media}/apart-nas`, `${media}/apart-offsite`]);
    // Both are as old: the other schedule comes first by its name.
    expect(some).toEqual(['apart-data', `${media}/apart-offsite`]);
  });

  test('are none where none is allowed, and no limit where there are enough', () => {
    expect(creates({ maxCreatesPerLane: 0 })).toEqual([]);
    expect(creates({ maxCreatesPerLane: 50 })).toEqual(creates({}));
  });

  test('are counted again by the self-check', () => {
    const { changeSet } = decided(OBJECTS, NOW, MANAGING);
    const check = (maxCreatesPerLane: number): readonly string[] =>
      checkChangeSet(changeSet, {
        observed: observedOf(OBJECTS),
        kinds: KINDS,
        settings: { ...MANAGING, maxCreatesPerLane },
      }).map(({ what }) => what);
    expect(check(1)).toEqual([
      'the change set has 2 creates for Repository billing/apart-nas, the budget is 1',
    ]);
    expect(check(50)).toEqual([]);
  });
});
