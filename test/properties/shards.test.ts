import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reading } from '#cli/tick.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { endState } from './support/end-state.ts';
import { runShards } from './support/sharded-tick.ts';
import { grow, someGrowth } from './support/snapshot/grown-world.ts';
import { MANAGING } from './support/snapshot/history.ts';
import { runTick, SETTINGS } from './support/tick.ts';
import { someWorld } from './support/world.ts';

/** How many shards each of the next ticks has, and how long after the one before it comes. */
const someTicks = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 4 }), after: fc.integer({ min: 55, max: 200 }) }),
  { minLength: 2, maxLength: 4 },
);

function creates(store: MemoryStore): readonly string[] {
  return store
    .writes()
    .flatMap(({ verb, key, changed }) => (verb === 'create' && changed ? [keyId(key)] : []));
}

function runs(store: MemoryStore): readonly string[] {
  return creates(store)
    .filter((id) => !id.startsWith(typeId(EVENT)))
    .toSorted();
}

/** Names that were created more than once. */
function doubles(store: MemoryStore): readonly string[] {
  const made = creates(store);
  return made.filter((id, index) => made.indexOf(id) !== index);
}

interface Lived {
  readonly whole: MemoryStore;
  readonly split: MemoryStore;
  readonly now: Instant;
}

type Ticks = typeof someTicks extends fc.Arbitrary<infer T> ? T : never;

/** The same ticks by one process, and by several at once. */
async function live(
  objects: readonly KubeObject[],
  begin: Instant,
  {
    ticks,
    scheduler,
    settings,
    reading = 'whole',
  }: { ticks: Ticks; scheduler: fc.Scheduler; settings: typeof SETTINGS; reading?: Reading },
): Promise<Lived> {
  const whole = memoryStore({ objects, now: begin });
  const split = memoryStore({ objects, now: begin });
  let now = begin;
  for (const { count, after } of ticks) {
    await runTick(whole, now, settings);
    const shards = await runShards(split, { now, count, settings, reading }, scheduler);
    expect(shards).toHaveLength(count);
    now = instant(now + after);
  }
  return { whole, split, now };
}

/** A policy whose retention was just cut down: most of the Snapshots of its schedules have to go. */
function keepingOne(object: KubeObject): KubeObject {
  if (object.kind !== 'SnapshotPolicy' || !isObject(object.spec)) return object;
  return { ...object, spec: { ...object.spec, retention: { keepLatest: 1 } } };
}

describe('shards that tick at the same time, however many there are in each tick', () => {
  test(
    'start what one process would start, and nothing twice',
    async () => {
      let created = 0;
      const some = fc.tuple(someWorld({ min: 4, max: 8 }), someTicks, fc.scheduler());
      await fc.assert(
        fc.asyncProperty(some, async ([world, ticks, scheduler]) => {
          const objects = [...world.schedules, ...world.runs];
          const { whole, split } = await live(objects, world.now, { ticks, scheduler, settings: SETTINGS });
          expect(doubles(split)).toEqual([]);
          expect(await endState(split)).toEqual(await endState(whole));
          created += split.writes().filter(({ verb }) => verb === 'create').length;
        }),
        { ...effort('sharded'), endOnFailure: true },
      );
      expect(created).toBeGreaterThan(200);
    },
    PATIENCE,
  );

  test(
    'do so as well where each of them reads only the runs that it needs',
    async () => {
      let created = 0;
      const some = fc.tuple(someWorld({ min: 4, max: 8 }), someTicks, fc.scheduler());
      await fc.assert(
        fc.asyncProperty(some, async ([world, ticks, scheduler]) => {
          const objects = [...world.schedules, ...world.runs];
          const how = { ticks, scheduler, settings: SETTINGS, reading: 'needed' } as const;
          const { whole, split } = await live(objects, world.now, how);
          // What is told of runs that nothing depends on follows within the hour, for each shard in its own time.
          expect(runs(split)).toEqual(runs(whole));
          expect(doubles(split)).toEqual([]);
          created += creates(split).length;
        }),
        { ...effort('sharded'), endOnFailure: true },
      );
      expect(created).toBeGreaterThan(200);
    },
    PATIENCE,
  );

  test(
    'delete no Snapshot that a schedule of another shard still needs',
    async () => {
      let pruned = 0;
      const some = fc.tuple(someGrowth, someTicks, fc.scheduler());
      await fc.assert(
        fc.asyncProperty(some, async ([growth, ticks, scheduler]) => {
          const { objects, now } = await grow(growth);
          const strict = objects.map(keepingOne);
          const lived = await live(strict, now, { ticks, scheduler, settings: MANAGING });
          const { whole, split } = lived;
          for (let round = 0; round < 2; round += 1) {
            await runTick(whole, lived.now, MANAGING);
            await runTick(split, lived.now, MANAGING);
          }
          expect(doubles(split)).toEqual([]);
          expect(await endState(split)).toEqual(await endState(whole));
          pruned += split.writes().filter(({ verb }) => verb === 'delete').length;
        }),
        { ...effort('shardedSnapshots'), endOnFailure: true },
      );
      expect(pruned).toBeGreaterThan(20);
    },
    PATIENCE,
  );
});
