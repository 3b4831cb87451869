import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { FAULTS, inDirectory, inDisorder, inMemory, type Place, tickWith } from './support/crash-at-write.ts';
import { CRASH_WORLD, CRASH_WORLDS, NOW } from './support/crash-worlds.ts';
import { endState } from './support/end-state.ts';
import { foresee } from './support/tick.ts';

const NEXT = instant(NOW + 60);
const LAST = instant(NOW + 120);

async function undisturbed(open: (objects: readonly KubeObject[]) => Place, objects: readonly KubeObject[]) {
  const place = open(objects);
  const { writes } = await tickWith(await place.open(NOW), NOW, undefined, place);
  await tickWith(await place.open(NEXT), NEXT);
  return { writes: writes.length, end: await endState(await place.open(LAST)) };
}

const WORLDS = Object.entries(CRASH_WORLDS);
const TOGETHER = [['all of them together', CRASH_WORLD]] as const;
const SEEDS = Array.from({ length: IS_LONG ? 60 : 4 }, (_, index) => index + 1);

type World = readonly [what: string, objects: readonly KubeObject[]];
type PlaceOf = (objects: readonly KubeObject[]) => Place;

const PLACES: readonly (readonly [name: string, open: PlaceOf, worlds: readonly World[]])[] = [
  ['the memory', (objects) => inMemory(objects, NOW), [...WORLDS, ...TOGETHER]],
  ['a state folder', inDirectory, WORLDS],
  ...SEEDS.map(
    (seed) =>
      [
        `a store that takes several writes at once, in order ${seed}`,
        (objects: readonly KubeObject[]) => inDisorder(objects, NOW, seed),
        TOGETHER,
      ] as const,
  ),
];

describe.each(PLACES)('on %s, a tick that', (_name, open, worlds) => {
  describe.each(Object.keys(FAULTS))('%s a write', (fault) => {
    test.each(worlds)('is made good by the next one for %s', async (_what, objects) => {
      const { writes, end } = await undisturbed(open, objects);
      expect(writes).toBeGreaterThan(0);
      for (let write = 0; write < writes; write++) {
        const place = open(objects);
        const first = await tickWith(await place.open(NOW), NOW, { write, fault }, place);
        expect(first.writes.length).toBeGreaterThanOrEqual(fault === 'dies before' ? write : write + 1);
        await tickWith(await place.open(NEXT), NEXT);
        expect(await endState(await place.open(LAST)), `${fault} write ${write + 1}`).toEqual(end);
        const idle = await foresee(await place.open(LAST), LAST);
        const left = idle.changeSet.schedules.flatMap(({ changes }) => changes);
        expect(left, `after it ${fault} write ${write + 1}`).toEqual([]);
      }
    });
  });
});
