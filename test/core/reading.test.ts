import { describe, expect, test } from 'vitest';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { gapIn, isDeferred, type Listing, NOT_IN_THIS_TICK, type Observed, typeId } from '#core/observed.ts';
import { wantedLists, withoutLater, withWanted } from '#core/reading.ts';
import { JOB_DRIVER } from '#drivers/job/index.ts';
import { backupPlan } from '#kinds/backup-plan/index.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
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

const WITHOUT: FieldValue = { path: ['status', 'phase'], value: 'Succeeded' };
const READERS = { kinds: [backupPlan], drivers: [JOB_DRIVER] };

function object(kind: string, where: string, phase?: string): SourcedObject {
  const [namespace = '', name = ''] = where.split('/');
  const status = phase === undefined ? {} : { status: { phase } };
  return {
    object: { apiVersion: `${BACKUP_JOB.group}/v1alpha1`, kind, metadata: { namespace, name }, ...status },
  };
}

/** BackupJobs that are not over, in a cluster with a Plan in each of these namespaces. */
function partial(open: readonly string[], plans: readonly string[], more: Partial<Listing> = {}): Observed {
  const orders = open.map((where) => object('BackupJob', where, 'Running'));
  const scope = { namespaces: new Set<string>(), reason: NOT_IN_THIS_TICK, without: WITHOUT };
  const observed: Observed = new Map<string, Listing>([
    [
      typeId(PLAN),
      { state: 'read', objects: plans.map((namespace) => object('Plan', `${namespace}/nightly`)) },
    ],
    [typeId(BACKUP_JOB), { state: 'read', objects: orders, scope, ...more } as Listing],
  ]);
  return withoutLater(observed, READERS);
}

interface Known {
  readonly names: readonly string[];
  readonly whole: readonly string[];
  readonly deferred: readonly string[];
}

const NAMESPACES = ['blue', 'green', 'pink'];

function knownOf(observed: Observed): Known | string {
  const listing = observed.get(typeId(BACKUP_JOB)) ?? { state: 'absent' };
  if (listing.state !== 'read') return listing.state;
  return {
    names: listing.objects.map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`),
    whole: NAMESPACES.filter((namespace) => gapIn(listing, namespace) === undefined),
    deferred: NAMESPACES.filter((namespace) => isDeferred(listing, namespace)),
  };
}

describe('orders of which the spent ones were left out', () => {
  test('are known of no namespace, and put off where a Plan may need them as runs', () => {
    expect(knownOf(partial(['blue/b', 'pink/p'], ['blue', 'green']))).toEqual({
      names: ['blue/b', 'pink/p'],
      whole: [],
      deferred: ['blue', 'green'],
    });
  });

  test('are read where they are needed, as orders, and only once', () => {
    const before = partial(['blue/b'], ['blue', 'green']);
    const needed = { namespaces: new Map([[backupPlan, new Set(['blue'])]]) };
    const isOfOrders = ({ type }: { readonly type: typeof BACKUP_JOB }) => type === BACKUP_JOB;
    const wanted = wantedLists(before, READERS, needed).filter(isOfOrders);
    expect(wanted).toEqual([{ type: BACKUP_JOB, namespaces: new Set(['blue']), isOfOrders: true }]);
    const scope = { namespaces: new Set(['blue']), reason: 'x' };
    const after = withWanted(
      before,
      { type: BACKUP_JOB, namespaces: new Set(['blue']) },
      {
        state: 'read',
        objects: [],
        scope,
      },
    );
    expect(wantedLists(after, READERS, needed).filter(isOfOrders)).toEqual([]);
  });

  const scope = { namespaces: new Set(['blue']), reason: 'x' };
  test.each<[what: string, listing: Listing, known: Known | string]>([
    [
      'with those that are over, and what is elsewhere stays',
      {
        state: 'read',
        objects: [object('BackupJob', 'blue/a', 'Succeeded'), object('BackupJob', 'blue/b')],
        scope,
      },
      { names: ['blue/a', 'blue/b', 'green/g', 'pink/p'], whole: ['blue'], deferred: ['green'] },
    ],
    [
      'and one that ended, or went, since is as the later list has it',
      { state: 'read', objects: [], scope },
      { names: ['green/g', 'pink/p'], whole: ['blue'], deferred: ['green'] },
    ],
    [
      'but not where the list broke off',
      { state: 'read', objects: [], scope, incomplete: new Map([['blue', 'forbidden']]) },
      { names: ['green/g', 'pink/p'], whole: [], deferred: ['green'] },
    ],
    [
      'or nothing is known, where it could not be read',
      { state: 'unreadable', reason: 'gone' },
      'unreadable',
    ],
    ['or nothing is there, where the type is gone', { state: 'absent' }, 'absent'],
  ])('are known of a namespace that was read %s', (_what, listing, known) => {
    const before = partial(['blue/b', 'green/g', 'pink/p'], ['blue', 'green']);
    expect(knownOf(withWanted(before, { type: BACKUP_JOB, namespaces: new Set(['blue']) }, listing))).toEqual(
      known,
    );
  });

  test('of a list of all nothing is missing any more', () => {
    const before = partial(['blue/b'], ['blue', 'green']);
    const all: Listing = { state: 'read', objects: [object('BackupJob', 'blue/a', 'Succeeded')] };
    const after = withWanted(before, { type: BACKUP_JOB, namespaces: 'all' }, all);
    expect(knownOf(after)).toEqual({ names: ['blue/a'], whole: NAMESPACES, deferred: [] });
  });

  test('what could not be read of other namespaces is not forgotten', () => {
    const incomplete = new Map([['green', 'forbidden']]);
    const before = partial(['blue/b'], ['blue'], { incomplete });
    const after = withWanted(
      before,
      { type: BACKUP_JOB, namespaces: new Set(['blue']) },
      {
        state: 'read',
        objects: [],
        scope,
      },
    );
    const listing = after.get(typeId(BACKUP_JOB));
    expect(listing?.state === 'read' && gapIn(listing, 'green')).toBe('forbidden');
  });
});
