import { describe, expect, test } from 'vitest';
import { isDeferred, type Listing, NOT_IN_THIS_TICK, type Observed, typeId } from '#core/observed.ts';
import { withWanted } from '#core/reading.ts';
import { DEFRAG } from '#kinds/etcd-defrag-policy/resources.ts';

const DEFERRED = new Set(['blue', 'green', 'pink']);
const UNREAD: Observed = new Map<string, Listing>([
  [
    typeId(DEFRAG),
    {
      state: 'read',
      objects: [],
      scope: { namespaces: new Set(), reason: NOT_IN_THIS_TICK, deferred: DEFERRED },
    },
  ],
]);

function leftBy(listing: Listing): readonly string[] {
  const observed = withWanted(UNREAD, { type: DEFRAG, namespaces: new Set(['blue']) }, listing);
  const after = observed.get(typeId(DEFRAG)) ?? { state: 'absent' };
  return [...DEFERRED].filter((namespace) => isDeferred(after, namespace));
}

describe('namespaces of which nothing was asked stay apart', () => {
  test.each<[string, Listing, readonly string[]]>([
    [
      'from one that was read',
      { state: 'read', objects: [], scope: { namespaces: new Set(['blue']), reason: 'x' } },
      ['green', 'pink'],
    ],
    ['from one that could not be read', { state: 'unreadable', reason: 'forbidden' }, ['green', 'pink']],
    ['unless the type is not served at all', { state: 'absent' }, []],
  ])('%s', (_what, listing, left) => {
    expect(leftBy(listing)).toEqual(left);
  });
});
