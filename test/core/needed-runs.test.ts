import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { observedOf } from '#test/properties/support/decided.ts';
import { apartObjects } from '#test/properties/support/snapshot/apart.ts';
import { MANAGING } from '#test/properties/support/snapshot/history.ts';

const NOW = instant(1_781_060_410);
const MINUTE = 1_781_060_400;

/** What a retention of one Snapshot wants gone, where one process decides about these schedules only. */
function pruned(isOwn: (schedule: KubeObject) => boolean, recorded: number): readonly string[] {
  const objects = apartObjects(NOW).map((object): KubeObject => {
    if (object.metadata.name !== 'apart-named') return object;
    const at = (seconds: number) => ({ at: new Date(seconds * 1000).toISOString().replace('.000', '') });
    const status = {
      lastSchedule: at(recorded),
      lastSuccessfulSchedule: at(recorded),
      nextSchedule: { ...at(recorded + 60), cron: '* * * * *', timezone: 'Asia/Kolkata' },
    };
    return { ...object, status };
  });
  const { changeSet } = reconcile({
    observed: observedOf(objects.filter(({ metadata }) => metadata.name !== 'apart-held')),
    kinds: KINDS,
    settings: MANAGING,
    now: NOW,
    isOwn,
  });
  return changeSet.retention.flatMap(({ changes }) =>
    changes.map(({ slot = 0 }) => `${(MINUTE - slot) / 60} minutes ago`),
  );
}

const NONE = (): boolean => false;
const ALL = (): boolean => true;

describe('runs that a retention wants gone', () => {
  test('go with the schedule of another shard whose status tells of them', () => {
    expect(pruned(NONE, MINUTE - 540)).toEqual(['10 minutes ago']);
    expect(pruned(ALL, MINUTE - 540)).toEqual(['10 minutes ago']);
  });

  test('stay while only they tell of their slot and of its end', () => {
    expect(pruned(NONE, MINUTE - 660)).toEqual([]);
  });

  test('go in a process that writes that status itself, before it deletes', () => {
    expect(pruned(ALL, MINUTE - 660)).toEqual(['10 minutes ago']);
  });
});
