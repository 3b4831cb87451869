import { describe, expect, test } from 'vitest';
import { holderText } from '#core/holder-text.ts';
import { lockHolder } from '#store/directory/holder.ts';

describe('the holder of a lock in words', () => {
  test.each([
    ['vm/1a2b3c4d/4026531836 1706 0f1e2d3c4b5a', 'process 1706 on host vm'],
    ['vm 1706 0f1e2d3c4b5a', 'process 1706 on host vm'],
    ['several processes at once', 'several processes at once'],
    ['somebody', 'somebody'],
    ['vm/1a2b/40 x1706 0f1e', 'vm/1a2b/40 x1706 0f1e'],
  ])('%s is %s', (holder, text) => {
    expect(holderText(holder)).toBe(text);
  });

  test('names this process and never what only tells holders apart', () => {
    const holder = lockHolder();
    const text = holderText(holder);
    expect(text).toContain(`process ${process.pid} on host `);
    expect(text).not.toContain(holder.split(' ').at(-1) ?? '');
  });
});
