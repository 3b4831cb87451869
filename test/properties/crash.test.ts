import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { FailureKind, Store } from '#store/port.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { openOn } from '#test/store/directory/support.ts';
import { CRASH_WORLD, CRASH_WORLDS, NOW } from './support/crash-worlds.ts';
import { endState } from './support/end-state.ts';
import { Crash, type Fault, type FaultyStore, faultyStore, type Write } from './support/faulty-store.ts';
import { foresee, runTick } from './support/tick.ts';

/** A place where one process after the other opens the same objects. */
interface Place {
  readonly open: (now: Instant) => Promise<Store>;
}

function inMemory(objects: readonly KubeObject[]): Place {
  const store = memoryStore({ objects, now: NOW });
  return { open: async () => store };
}

function inDirectory(objects: readonly KubeObject[]): Place {
  const disk = memoryFiles();
  const clock = { now: 0 };
  return {
    open: (now) => {
      clock.now = now * 1000;
      // The process before is known to be dead, so that its lock holds nobody up.
      return openOn(disk, objects, { now, clock: () => clock.now, isDead: () => true });
    },
  };
}

const FAULTS: Readonly<Record<string, (verb: Write['verb']) => Fault>> = {
  'dies before': () => ({ state: 'crashBefore' }),
  'dies after': () => ({ state: 'crash' }),
  'loses the reply of': () => ({ state: 'loseReply', kind: 'transient' }),
  'loses the reply of, tries again and hears that it is too late for,': (verb) => ({
    state: 'loseReply',
    kind: AGAIN[verb],
  }),
  'is refused': () => ({ state: 'refuse', kind: 'transient' }),
};

/** What the second try of a write that had gone through is told. */
const AGAIN: Readonly<Record<Write['verb'], FailureKind>> = {
  create: 'exists',
  apply: 'conflict',
  annotate: 'conflict',
  delete: 'gone',
};

async function tickWith(
  store: Store,
  now: Instant,
  faultAt?: { write: number; fault: string },
): Promise<FaultyStore> {
  const faulty = faultyStore(store, async ({ verb }, index) =>
    index === faultAt?.write ? FAULTS[faultAt.fault]?.(verb) : undefined,
  );
  try {
    await runTick(faulty, now);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return faulty;
}

const NEXT = instant(NOW + 60);
const LAST = instant(NOW + 120);

async function undisturbed(open: (objects: readonly KubeObject[]) => Place, objects: readonly KubeObject[]) {
  const place = open(objects);
  const { writes } = await tickWith(await place.open(NOW), NOW);
  await tickWith(await place.open(NEXT), NEXT);
  return { writes: writes.length, end: await endState(await place.open(LAST)) };
}

const WORLDS = Object.entries(CRASH_WORLDS);

describe.each([
  ['the memory', inMemory, [...WORLDS, ['all of them together', CRASH_WORLD] as const]],
  ['a state folder', inDirectory, WORLDS],
])('on %s, a tick that', (_name, open, worlds) => {
  describe.each(Object.keys(FAULTS))('%s a write', (fault) => {
    test.each(worlds)('is made good by the next one for %s', async (_what, objects) => {
      const { writes, end } = await undisturbed(open, objects);
      expect(writes).toBeGreaterThan(0);
      for (let write = 0; write < writes; write++) {
        const place = open(objects);
        const first = await tickWith(await place.open(NOW), NOW, { write, fault });
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
