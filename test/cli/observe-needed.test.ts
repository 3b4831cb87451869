import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { isSwept } from '#core/sweep.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { foresee, runTick, SETTINGS } from '#test/properties/support/tick.ts';

/** The namespaces of these tests are not swept then. */
const NOW = parseInstant('2026-06-10T03:00:10Z') as Instant;
const MINUTE = 60;

function object(kind: string, apiVersion: string, namespace: string, rest: Partial<KubeObject>): KubeObject {
  return {
    apiVersion,
    kind,
    ...rest,
    metadata: {
      name: 'nightly',
      namespace,
      uid: `uid-${kind}-${namespace}`,
      generation: 1,
      creationTimestamp: '2026-06-01T00:00:00Z',
      ...rest.metadata,
    },
  };
}

function policy(namespace: string, spec: JsonObject = {}, rest: Partial<KubeObject> = {}): KubeObject {
  const whole = { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *', ...spec };
  return object('EtcdDefragPolicy', 'etcd-operator.cozystack.io/v1alpha2', namespace, {
    spec: whole,
    ...rest,
  });
}

function cronJob(namespace: string, spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  const containers = [{ name: 'main', image: 'registry.example/tool:1' }];
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers } } } };
  return object('CronJob', 'batch/v1', namespace, {
    spec: { schedule: '0 3 * * *', jobTemplate, ...spec },
    status: { lastScheduleTime: '2026-06-09T03:00:00Z', ...status },
  });
}

function snapshotSchedule(namespace: string): KubeObject {
  return object('SnapshotSchedule', 'kopiur.home-operations.com/v1alpha1', namespace, {
    spec: { policyRef: { name: 'data' }, schedule: { cron: '0 3 * * *', timezone: 'UTC', jitter: '0s' } },
    status: { nextSchedule: { at: '2026-06-10T03:00:00Z', cron: '0 3 * * *' } },
  });
}

function backupJob(namespace: string, phase: string): KubeObject {
  return object('BackupJob', 'backups.cozystack.io/v1alpha1', namespace, {
    spec: { backupClassName: 'daily', applicationRef: { kind: 'Redis', name: 'sessions' } },
    status: { phase },
  });
}

/** A store that notes the lists of single namespaces, and those of runs and events over all of them. */
function watched(inner: Store): { readonly store: Store; readonly asked: string[] } {
  const asked: string[] = [];
  const later = new Set(['EtcdDefrag', 'Job', 'Snapshot', 'Event']);
  const store: Store = {
    ...inner,
    list: (type, narrowing) => {
      if (narrowing?.namespaces !== undefined)
        asked.push(`${type.plural} of ${narrowing.namespaces.join(', ')}`);
      else if (later.has(type.kind)) asked.push(`all ${type.plural}`);
      return inner.list(type, narrowing);
    },
  };
  return { store, asked };
}

async function askedFor(
  objects: readonly KubeObject[],
  now: Instant,
  settings = SETTINGS,
): Promise<string[]> {
  const { store, asked } = watched(memoryStore({ objects, now }));
  await foresee(store, now, settings, 'needed');
  return asked.sort();
}

/** After a whole tick, and with what was started in it ended. */
async function settled(objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const store = memoryStore({ objects, now: NOW });
  await runTick(store, NOW);
  for (const run of store.objects().filter(({ kind }) => kind === 'EtcdDefrag' || kind === 'Job')) {
    const key = {
      group: run.apiVersion.split('/')[0] ?? '',
      kind: run.kind,
      namespace: run.metadata.namespace ?? '',
      name: run.metadata.name,
    };
    const conditions = [{ type: 'Complete', status: 'True' }];
    store.edit(key, (one) => ({
      ...one,
      status: one.kind === 'Job' ? { conditions } : { phase: 'Complete' },
    }));
  }
  await runTick(store, NOW);
  return store.objects();
}

describe('a tick that reads what it needs', () => {
  test('asks for no run where nothing is due, and for no event', async () => {
    const objects = await settled([policy('blue'), cronJob('green')]);
    expect(objects.filter(({ kind }) => kind === 'Job')).toHaveLength(1);
    expect(await askedFor(objects, instant(NOW + MINUTE))).toEqual([]);
  });

  test.each<[what: string, objects: readonly KubeObject[], asked: readonly string[]]>([
    [
      'a slot that is due',
      [policy('blue'), cronJob('green', {}, { lastScheduleTime: '2026-06-10T03:00:00Z' })],
      ['etcddefrags of blue'],
    ],
    [
      'a schedule that is being deleted',
      [
        policy(
          'blue',
          {},
          {
            metadata: {
              name: 'nightly',
              deletionTimestamp: '2026-06-10T02:00:00Z',
              finalizers: ['example.org/hold'],
            },
          },
        ),
      ],
      ['etcddefrags of blue'],
    ],
    [
      'a run that is recorded as active',
      [
        cronJob(
          'green',
          {},
          {
            lastScheduleTime: '2026-06-10T03:00:00Z',
            active: [{ kind: 'Job', name: 'nightly-29684340', uid: 'uid-x' }],
          },
        ),
      ],
      ['events of green', 'jobs of green'],
    ],
    ['a slot that passed in a pause', [cronJob('green', { suspend: true })], ['jobs of green']],
    [
      'a Snapshot that may have to be replaced, with its Job',
      [snapshotSchedule('red')],
      ['events of red', 'jobs of red', 'snapshots of red'],
    ],
    [
      'an order that is not over',
      [backupJob('gold', 'Running'), backupJob('silver', 'Failed')],
      ['events of gold', 'jobs of gold'],
    ],
  ])('asks for the runs beside %s', async (_what, objects, asked) => {
    expect(await askedFor(objects, NOW)).toEqual(asked);
  });

  test('doubts a slot that passed in a pause as long as it is owed: its run may be the only proof', async () => {
    const paused = cronJob('green', { suspend: true });
    expect(await askedFor([paused], instant(NOW + 3590))).toEqual(['jobs of green']);
    expect(await askedFor([paused], instant(NOW + 20 * 3600))).toEqual(['jobs of green']);
  });

  test('asks for all runs of a namespace in its minute', async () => {
    const objects = await settled([policy('blue'), policy('pink')]);
    const minutes = Array.from({ length: 60 }, (_, minute) => instant(NOW + MINUTE * (minute + 1)));
    const asked = await Promise.all(minutes.map((now) => askedFor(objects, now)));
    for (const name of ['blue', 'pink']) {
      const seen = asked.map((lists) => lists.some((list) => list.includes(name)));
      expect(seen).toEqual(minutes.map((now) => isSwept(name, now)));
    }
  });

  test('asks once for all namespaces where it needs most of many', async () => {
    const many = Array.from({ length: 40 }, (_, index) => policy(`team-${index}`));
    expect(await askedFor(many, NOW)).toEqual(['all etcddefrags']);
  });

  test('tells what a held slot is held by once, and asks for events only then', async () => {
    const run = object('EtcdDefrag', 'etcd-operator.cozystack.io/v1alpha2', 'blue', {
      metadata: { name: 'by-hand', ownerReferences: [] },
      status: { phase: 'Running' },
    });
    const owner = policy('blue');
    const owned = {
      ...run,
      metadata: {
        ...run.metadata,
        ownerReferences: [
          {
            apiVersion: owner.apiVersion,
            kind: owner.kind,
            name: 'nightly',
            uid: owner.metadata.uid ?? '',
            controller: true,
          },
        ],
      },
    };
    expect(await askedFor([owner, owned], NOW)).toEqual(['etcddefrags of blue', 'events of blue']);
    expect(await askedFor([owner, owned], NOW, { ...SETTINGS, events: 'off' })).toEqual([
      'etcddefrags of blue',
    ]);
  });
});

describe('what waits for a sweep', () => {
  test('is made good within an hour: surplus runs go, and the last success is told', async () => {
    const store = memoryStore({ objects: [policy('blue', { historyLimit: 1 })], now: NOW });
    await runTick(store, NOW);
    const [owner] = store.objects().filter(({ kind }) => kind === 'EtcdDefragPolicy');
    const extra = (name: string, completedAt: string): KubeObject =>
      object('EtcdDefrag', 'etcd-operator.cozystack.io/v1alpha2', 'blue', {
        metadata: {
          name,
          uid: `uid-${name}`,
          labels: { 'etcd-operator.cozystack.io/defrag-policy': 'nightly' },
          ownerReferences: [
            {
              apiVersion: owner?.apiVersion ?? '',
              kind: 'EtcdDefragPolicy',
              name: 'nightly',
              uid: owner?.metadata.uid ?? '',
              controller: true,
            },
          ],
        },
        spec: {},
        status: { phase: 'Complete', completedAt },
      });
    for (const one of store.objects().filter(({ kind }) => kind === 'EtcdDefrag')) {
      store.put({ ...one, status: { phase: 'Complete', completedAt: '2026-06-10T03:00:20Z' } });
    }
    await runTick(store, instant(NOW + MINUTE), SETTINGS, 'needed');
    store.put(extra('late-1', '2026-06-10T03:01:00Z'));
    store.put(extra('late-2', '2026-06-10T03:02:00Z'));
    const left: number[] = [];
    for (let minute = 2; minute <= 63; minute++) {
      await runTick(store, instant(NOW + MINUTE * minute), SETTINGS, 'needed');
      left.push(store.objects().filter(({ kind }) => kind === 'EtcdDefrag').length);
    }
    expect([left[0], left.at(-1)]).toEqual([3, 1]);
    const [swept] = store.objects().filter(({ kind }) => kind === 'EtcdDefragPolicy');
    expect(swept?.status).toMatchObject({ lastSuccessfulTime: '2026-06-10T03:02:00Z' });
  });
});
