import { describe, expect, test } from 'vitest';
import { inLanes } from '#store/in-lanes.ts';

/** Items that end when they are told to. */
function gates(count: number) {
  const ends: ((error?: Error) => void)[] = [];
  const begun: number[] = [];
  const work = (item: number): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push(item);
      ends[item] = (error) => (error === undefined ? resolve(`done ${item}`) : reject(error));
    });
  return { items: Array.from({ length: count }, (_, index) => index), ends, begun, work };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('lanes', () => {
  test('have as many items under way as are allowed, and answer in the order of the items', async () => {
    const { items, ends, begun, work } = gates(4);
    const all = inLanes(items, 2, work);
    await turns();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await turns();
    expect(begun).toEqual([0, 1, 2]);
    ends[2]?.();
    ends[0]?.();
    await turns();
    ends[3]?.();
    expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
  });

  test('with one of them take one item after the other', async () => {
    const order: string[] = [];
    await inLanes(['a', 'b'], 1, async (item) => {
      order.push(`begin ${item}`);
      await turns();
      order.push(`end ${item}`);
    });
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });

  test('begin nothing more once an item fails, and end what is under way before they fail', async () => {
    const { items, ends, begun, work } = gates(5);
    let failed: unknown;
    const all = inLanes(items, 2, work).catch((error: unknown) => {
      failed = error;
    });
    await turns();
    ends[0]?.(new Error('broken'));
    await turns();
    expect([begun, failed]).toEqual([[0, 1], undefined]);
    ends[1]?.();
    await all;
    expect(begun).toEqual([0, 1]);
    expect(failed).toEqual(new Error('broken'));
  });

  test('without items are done at once', async () => {
    expect(await inLanes([], 8, async () => 'never')).toEqual([]);
  });
});
