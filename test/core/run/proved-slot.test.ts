import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { Run } from '#core/run/phase.ts';
import { provedSlot } from '#core/run/proved-slot.ts';
import { formatInstant, instant } from '#core/time/instant.ts';

const ANCHOR = instant(1_781_056_800); // 2026-06-10T02:00:00Z
const SLOT = instant(ANCHOR + 60);

const SCHEDULE = {
  object: { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'nightly', uid: 'uid-1' } },
  anchor: ANCHOR,
  isRunName: (name: string, slot: number): boolean => name === `nightly-${slot}`,
};

interface Given extends Partial<Omit<Run, 'object'>> {
  readonly name?: string;
  readonly owner?: string;
  readonly mark?: string;
}

function run({ name, owner = 'uid-1', mark, ...more }: Given): Run {
  const slot = more.slot ?? SLOT;
  const annotations = {
    'minutehand.dev/slot': mark ?? formatInstant(slot),
    'minutehand.dev/owner-uid': owner,
  };
  const object: KubeObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: name ?? `nightly-${slot}`, annotations },
  };
  return { object, phase: 'running', phaseText: 'Active', terminating: false, manual: false, slot, ...more };
}

describe('the slot that a run of ours stands for', () => {
  test.each<readonly [what: string, runs: readonly Run[], slot: number | undefined]>([
    ['is none without runs', [], undefined],
    ['is that of a run after the anchor', [run({})], SLOT],
    ['is that of a finished run too', [run({ phase: 'succeeded' })], SLOT],
    [
      'is the newest of several',
      [run({}), run({ slot: instant(SLOT + 120) }), run({ slot: instant(SLOT + 60) })],
      SLOT + 120,
    ],
    ['is none for a run at the anchor', [run({ slot: ANCHOR })], undefined],
    ['is none for a run before the anchor', [run({ slot: instant(ANCHOR - 60) })], undefined],
    ['is none for a run by hand', [run({ manual: true })], undefined],
    ['is none for a run that is deleted before its end', [run({ terminating: true })], undefined],
    ['is that of a run that is deleted after its end', [run({ terminating: true, phase: 'failed' })], SLOT],
    ['is none for a run that was made for another schedule', [run({ owner: 'uid-0' })], undefined],
    ['is none for a run whose mark says another slot', [run({ mark: formatInstant(ANCHOR) })], undefined],
    ['is none for a run whose name says another slot', [run({ name: 'nightly-1' })], undefined],
  ])('%s', (_what, runs, slot) => {
    expect(provedSlot(SCHEDULE, runs)).toBe(slot);
  });
});
