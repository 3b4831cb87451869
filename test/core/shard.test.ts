import { describe, expect, test } from 'vitest';
import { isOfShard, servesOrder, shardIndex } from '#core/shard.ts';

function named(namespace: string, name: string) {
  return { metadata: { namespace, name } };
}

const MANY = 10_000;
const NAMES = [
  ['counted', (index: number) => named('team-a', `nightly-${index}`)],
  ['even', (index: number) => named('team-a', `nightly-${index * 2}`)],
  ['one in each namespace', (index: number) => named(`team-${index}`, 'nightly')],
] as const;

describe('shards', () => {
  test.each(NAMES)('get as many objects each, whose names are %s', (_, nameOf) => {
    for (const count of [2, 3, 8]) {
      const sizes = new Array<number>(count).fill(0);
      for (let index = 0; index < MANY; index += 1) {
        const shard = shardIndex(nameOf(index), count);
        sizes[shard] = (sizes[shard] ?? 0) + 1;
      }
      const fair = MANY / count;
      expect([count, Math.min(...sizes) > fair * 0.9, Math.max(...sizes) < fair * 1.1]).toEqual([
        count,
        true,
        true,
      ]);
    }
  });

  test('are the same in every version: two of them may tick side by side', () => {
    const shards = ['a', 'b', 'nightly', 'weekly', 'ümlaut'].map((name) =>
      shardIndex(named('team-a', name), 100),
    );
    expect(shards).toEqual([85, 26, 61, 58, 25]);
  });

  test('leave no object to nobody, and none to two', () => {
    const owners = Array.from({ length: 100 }, (_, index) =>
      [0, 1, 2].filter((shard) => isOfShard(named('team-a', `n${index}`), { index: shard, count: 3 })),
    );
    expect(owners.every((found) => found.length === 1)).toBe(true);
    expect(isOfShard(named('team-a', 'n'), undefined)).toBe(true);
  });

  test('carry orders out where their schedule is', () => {
    const controller = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: 'nightly',
      uid: 'u',
      controller: true,
    };
    for (let index = 0; index < 20; index += 1) {
      const { metadata } = named('team-a', `nightly-${index}`);
      const shard = { index: shardIndex(named('team-a', 'nightly'), 3), count: 3 };
      expect(servesOrder({ metadata: { ...metadata, ownerReferences: [controller] } }, shard)).toBe(true);
      const owner = { ...controller, controller: false };
      expect(servesOrder({ metadata: { ...metadata, ownerReferences: [owner] } }, shard)).toBe(
        isOfShard({ metadata }, shard),
      );
    }
  });

  test('tell a namespace from a name', () => {
    expect(shardIndex(named('a', 'b'), 100)).not.toBe(shardIndex(named('', 'a-b'), 100));
  });
});
