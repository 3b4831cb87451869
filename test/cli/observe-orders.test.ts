import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { isSwept } from '#core/sweep.ts';
import { orderTable } from '#core/tick-totals.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { runName } from '#kinds/backup-plan/build.ts';
import type { ListNarrowing, Store } from '#store/port.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { checkBothReadings } from '#test/properties/support/both-readings.ts';
import { effort, PATIENCE } from '#test/properties/support/effort.ts';
import { foresee, runTick, SETTINGS } from '#test/properties/support/tick.ts';

const VERSION = 'backups.cozystack.io/v1alpha1';
/** The namespaces of these tests are not swept then. */
const NOW = parseInstant('2026-06-10T03:00:10Z') as Instant;
const SLOT = instant(NOW - 10);
const DAY = 86_400;
const APPLICATION = { kind: 'Redis', name: 'sessions' };

function plan(namespace: string, last?: string, more: JsonObject = {}): KubeObject {
  return {
    apiVersion: VERSION,
    kind: 'Plan',
    metadata: {
      name: 'nightly',
      namespace,
      uid: `plan-${namespace}`,
      creationTimestamp: '2026-06-01T00:00:00Z',
      ...more,
    },
    spec: {
      applicationRef: APPLICATION,
      backupClassName: 'daily',
      schedule: { type: 'cron', cron: '0 3 * * *' },
    },
    ...(last === undefined ? {} : { status: { lastScheduleTime: last } }),
  };
}

interface Ordered {
  readonly phase?: string;
  readonly owner?: 'plan' | 'other';
  readonly metadata?: JsonObject;
}

function backupJob(namespace: string, name: string, { phase, owner, metadata }: Ordered = {}): KubeObject {
  const uid = owner === 'plan' ? `plan-${namespace}` : 'somebody';
  const reference = { apiVersion: VERSION, kind: 'Plan', name: 'nightly', uid, controller: true };
  return {
    apiVersion: VERSION,
    kind: 'BackupJob',
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      creationTimestamp: '2026-06-09T03:00:01Z',
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
      ...metadata,
    },
    spec: { backupClassName: 'daily', applicationRef: APPLICATION },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
}

const BACKUP_CLASS: KubeObject = {
  apiVersion: VERSION,
  kind: 'BackupClass',
  metadata: { name: 'daily', uid: 'class' },
  spec: { strategies: [] },
};

/** A store that notes how BackupJobs and Jobs are listed, and that others may change before BackupJobs are read again. */
function watched(
  inner: MemoryStore,
  between: (store: MemoryStore) => void = () => {},
): { readonly store: Store; readonly asked: string[] } {
  const asked: string[] = [];
  const list = (type: typeof JOB, narrowing: ListNarrowing = {}): ReturnType<Store['list']> => {
    const { namespaces, without, records } = narrowing;
    const isOrders = type.kind === BACKUP_JOB.kind;
    if (isOrders && namespaces !== undefined) between(inner);
    const where = namespaces === undefined ? 'all' : namespaces.join(', ');
    const what = without === undefined ? '' : ` that are not ${without.value}`;
    if (isOrders || type.kind === JOB.kind) asked.push(`${type.plural} of ${where}${what}, with ${records}`);
    return inner.list(type, narrowing);
  };
  return { store: { ...inner, list }, asked };
}

const FIRST = 'backupjobs of all that are not Succeeded, with status';
const YESTERDAY = '2026-06-09T03:00:00Z';
const TODAY = '2026-06-10T03:00:00Z';
const ended = backupJob('gold', runName('nightly', instant(SLOT - DAY)), {
  phase: 'Succeeded',
  owner: 'plan',
});

describe('BackupJobs of a tick that reads what it needs', () => {
  test.each<[what: string, objects: readonly KubeObject[], further: readonly string[]]>([
    ['where no Plan owes anything', [plan('gold', TODAY), ended], []],
    [
      'where one owes a slot: all of its namespace, as runs and as orders',
      [plan('gold', YESTERDAY), plan('silver', TODAY), ended],
      ['backupjobs of gold, with status'],
    ],
    [
      'where an order is open: what carries it out, and no more of them',
      [plan('gold', TODAY), ended, backupJob('gold', 'by-hand', { phase: 'Running' })],
      ['jobs of gold, with none'],
    ],
    [
      'where both come together: the order before what carries it out',
      [plan('gold', YESTERDAY), backupJob('silver', 'by-hand', { phase: 'Running' })],
      ['backupjobs of gold, with status', 'jobs of silver, with none'],
    ],
  ])('are read %s', async (_what, objects, further) => {
    const { store, asked } = watched(memoryStore({ objects, now: NOW }));
    await foresee(store, NOW, SETTINGS, 'needed');
    expect(asked).toEqual([FIRST, ...further]);
  });

  test('are all read of a namespace of a Plan in its minute', async () => {
    const objects = [plan('gold', TODAY), ended, plan('silver', TODAY)];
    for (let minute = 1; minute <= 60; minute++) {
      const now = instant(NOW + 60 * minute);
      const { store, asked } = watched(memoryStore({ objects, now }));
      await foresee(store, now, SETTINGS, 'needed');
      const swept = ['gold', 'silver'].filter((namespace) => isSwept(namespace, now));
      expect(asked).toEqual([FIRST, ...(swept.length === 0 ? [] : [`backupjobs of ${swept}, with status`])]);
    }
  });

  test.each<[what: string, run: KubeObject, made: number]>([
    [
      'made by the Plan keeps its slot',
      backupJob('gold', runName('nightly', SLOT), { phase: 'Succeeded', owner: 'plan' }),
      0,
    ],
    [
      'of somebody else keeps its name',
      backupJob('gold', runName('nightly', SLOT), { phase: 'Succeeded' }),
      0,
    ],
    ['of another slot keeps nothing', ended, 1],
  ])('of which one that is over and was %s', async (_what, run, made) => {
    const store = memoryStore({ objects: [plan('gold', YESTERDAY), run], now: NOW });
    const { report } = await runTick(store, NOW, SETTINGS, 'needed');
    expect(store.objects().filter(({ kind }) => kind === 'BackupJob')).toHaveLength(1 + made);
    expect(report.schedules.flatMap(({ applied }) => applied).map(({ state }) => state)).not.toContain(
      'failed',
    );
  });

  test('that appear between two lists are decided with all that they need', async () => {
    const inner = memoryStore({ objects: [plan('gold', YESTERDAY), BACKUP_CLASS], now: NOW });
    const { store, asked } = watched(inner, (one) => one.put(backupJob('gold', 'sudden')));
    const { changeSet } = await foresee(store, NOW, SETTINGS, 'needed');
    expect(asked).toEqual([FIRST, 'backupjobs of gold, with status', 'jobs of gold, with none']);
    const wanted = 'BackupClass daily has no strategy for Redis of apps.cozystack.io';
    expect(changeSet.works).toMatchObject([{ key: { name: 'sudden' }, state: 'failed', detail: wanted }]);
  });

  test('that end between two lists are no longer carried out', async () => {
    const open = backupJob('gold', 'by-hand', { phase: 'Pending' });
    const over = backupJob('gold', 'by-hand', { phase: 'Succeeded' });
    const inner = memoryStore({ objects: [plan('gold', YESTERDAY), open, BACKUP_CLASS], now: NOW });
    const { store } = watched(inner, (one) => one.put(over));
    const { changeSet } = await foresee(store, NOW, SETTINGS, 'needed');
    expect(changeSet.works).toEqual([]);
  });
});

test('BackupJobs are counted alike whether those that succeeded were read or not', async () => {
  const objects = [
    plan('gold', YESTERDAY),
    ended,
    backupJob('gold', 'broken', { phase: 'Failed' }),
    backupJob('silver', 'over', { phase: 'Succeeded' }),
    backupJob('silver', 'odd', { phase: 'Paused' }),
  ];
  const counts = async (reading: 'whole' | 'needed') => {
    const { works } = await foresee(memoryStore({ objects, now: NOW }), NOW, SETTINGS, reading);
    const report = { schedules: [], retention: [], works: [], diagnostics: [], partial: false };
    return [...(orderTable({ works, report }).get('BackupJob') ?? [])].sort();
  };
  const wanted = [
    ['failed', 1],
    ['invalid', 1],
  ];
  expect(await counts('whole')).toEqual(wanted);
  expect(await counts('needed')).toEqual(wanted);
});

const someOrder = fc.record({
  namespace: fc.constantFrom('gold', 'silver'),
  name: fc.constantFrom(
    runName('nightly', SLOT),
    runName('nightly', instant(SLOT - DAY)),
    'by-hand',
    'by-hand-2',
  ),
  phase: fc.constantFrom(undefined, 'Pending', 'Running', 'Succeeded', 'Succeeded', 'Failed', 'Paused'),
  owner: fc.constantFrom(undefined, 'plan' as const, 'other' as const),
  leaving: fc.boolean(),
  marked: fc.boolean(),
});

const somePlan = fc.record({
  namespace: fc.constantFrom('gold', 'silver'),
  last: fc.constantFrom(undefined, YESTERDAY, TODAY, 'garbage'),
  leaving: fc.boolean(),
});

const LEAVING = { deletionTimestamp: '2026-06-10T02:00:00Z', finalizers: ['example.org/hold'] };

function marks(namespace: string): JsonObject {
  return {
    annotations: {
      'minutehand.dev/slot': '2026-06-10T03:00:00Z',
      'minutehand.dev/owner-uid': `plan-${namespace}`,
    },
  };
}

const someWorld = fc
  .tuple(
    fc.uniqueArray(somePlan, { selector: ({ namespace }) => namespace }),
    fc.uniqueArray(someOrder, { selector: ({ namespace, name }) => `${namespace}/${name}`, maxLength: 6 }),
    fc.boolean(),
  )
  .map(([plans, orders, hasClass]): readonly KubeObject[] => [
    ...plans.map(({ namespace, last, leaving }) => plan(namespace, last, leaving ? LEAVING : {})),
    ...orders.map(({ namespace, name, phase, owner, leaving, marked }) => {
      const metadata = { ...(leaving ? LEAVING : {}), ...(marked ? marks(namespace) : {}) };
      const known = { ...(phase === undefined ? {} : { phase }), ...(owner === undefined ? {} : { owner }) };
      return backupJob(namespace, name, { ...known, metadata });
    }),
    ...(hasClass ? [BACKUP_CLASS] : []),
  ]);

/** One that cannot tell objects apart. */
function plain(inner: Store): Store {
  return {
    ...inner,
    list: (type, { without: _without, ...narrowing } = {}) => inner.list(type, narrowing),
  };
}

describe('any world of Plans and BackupJobs', () => {
  test(
    'is decided as when everything is read, whether the server can leave out what is over or not',
    async () => {
      const minutes = fc.integer({ min: 0, max: 60 });
      await fc.assert(
        fc.asyncProperty(someWorld, minutes, async (objects, minute) => {
          const now = instant(NOW + 60 * minute);
          const store = memoryStore({ objects, now });
          await checkBothReadings(store, now, SETTINGS);
          await checkBothReadings(plain(store), now, SETTINGS);
        }),
        effort('settled'),
      );
    },
    PATIENCE,
  );

  test(
    'comes to the same BackupJobs by either way of reading',
    async () => {
      await fc.assert(
        fc.asyncProperty(someWorld, async (objects) => {
          const names = async (reading: 'whole' | 'needed'): Promise<readonly string[]> => {
            const store = memoryStore({ objects, now: NOW });
            for (const minute of [0, 1, 2])
              await runTick(store, instant(NOW + 60 * minute), SETTINGS, reading);
            const made = store.objects().filter(({ kind }) => kind === 'BackupJob');
            return made.map(
              ({ metadata, status }) => `${metadata.namespace}/${metadata.name} ${JSON.stringify(status)}`,
            );
          };
          expect(await names('needed')).toEqual(await names('whole'));
        }),
        effort('settled'),
      );
    },
    PATIENCE,
  );
});
