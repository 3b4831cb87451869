import { describe, expect, test } from 'vitest';
import type { LabelledReference, LiveReference } from '#core/run/driver.ts';
import type { Store } from '#store/port.ts';
import type { Suite } from '#test/store/contract/suite.ts';
import {
  accepted,
  CONFIG_MAP,
  CRON_JOB,
  configMap,
  JOB,
  job,
  listed,
  preconditionOf,
} from '#test/store/fixtures.ts';

export function describeLive(suite: Suite): void {
  const { eventually, inWorld, keyIn, namespace, nightly, read } = suite;
  const run: LiveReference = { group: 'batch', kind: 'Job', namespace, name: 'run' };

  describe(`${suite.name}: an object by its kind`, () => {
    test('is the one that is read by its type, whoever made it', () =>
      inWorld([nightly], async ({ store }) => {
        const object = accepted(await store.create(JOB, job(namespace, 'run')));
        expect(await store.find(run)).toEqual({ state: 'found', object });
        const schedule = await read(store, CRON_JOB, 'nightly');
        const reference = { ...run, kind: 'CronJob', name: 'nightly' };
        expect(await store.find(reference)).toEqual({ state: 'found', object: schedule });
      }));

    test('may be seen before anything else is', () =>
      inWorld([nightly], async ({ store }) => {
        const found = await store.find({ ...run, kind: 'CronJob', name: 'nightly' });
        expect(found).toMatchObject({
          state: 'found',
          object: { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'nightly', namespace } },
        });
      }));

    test('may be of the core group', () =>
      inWorld([], async ({ store }) => {
        const object = accepted(await store.create(CONFIG_MAP, configMap(namespace, 'settings')));
        const reference = { group: '', kind: 'ConfigMap', namespace, name: 'settings' };
        expect(await store.find(reference)).toEqual({ state: 'found', object });
      }));

    test('is missing where no other kind, namespace or name is meant', () =>
      inWorld([nightly], async ({ store }) => {
        accepted(await store.create(JOB, job(namespace, 'run')));
        for (const other of [{ name: 'other' }, { namespace: 'elsewhere' }, { kind: 'CronJob' }]) {
          expect(await store.find({ ...run, ...other })).toEqual({ state: 'missing' });
        }
      }));

    test.each(['', '.', '..', 'run/status', '../jobs/run', 'run%2Fstatus', 'run?a=b', 'constructor'])(
      'is missing where no object can have the name %j, or has it',
      (name) =>
        inWorld([], async ({ store }) => {
          accepted(await store.create(JOB, job(namespace, 'run')));
          expect(await store.find({ ...run, name })).toEqual({ state: 'missing' });
        }),
    );

    test.each([
      ['of a group that nobody serves', { group: 'absent.minutehand.dev' }],
      ['of a group that is none', { group: '../batch' }],
      ['of a kind that its group lacks', { kind: 'Task' }],
      ['of a kind in other letters', { kind: 'job' }],
      ['of a kind that is named by its plural', { kind: 'jobs' }],
    ])('%s is not served, where kinds are known, and missing elsewhere', (_what, other) =>
      inWorld([], async ({ store }) => {
        accepted(await store.create(JOB, job(namespace, 'run')));
        expect(await store.find({ ...run, ...other })).toEqual({
          state: suite.knowsKinds ? 'unserved' : 'missing',
        });
      }),
    );

    test('is seen as it is now, and not once it is gone', () =>
      inWorld([], async ({ store }) => {
        const object = accepted(await store.create(JOB, job(namespace, 'run')));
        await store.find(run);
        const key = keyIn(JOB, 'run');
        const marks = { 'example.com/mark': 'a' };
        const marked = accepted(await store.annotate(JOB, key, preconditionOf(object), marks));
        expect(await store.find(run)).toEqual({ state: 'found', object: marked });
        accepted(await store.delete(JOB, key, preconditionOf(marked)));
        await eventually(async () => {
          expect(await store.find(run)).toEqual({ state: 'missing' });
        });
      }));

    test('many at once are each their own', () =>
      inWorld([nightly], async ({ store }) => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        for (const name of names) accepted(await store.create(JOB, job(namespace, name)));
        const found = await Promise.all([...names, 'g'].map((name) => store.find({ ...run, name })));
        const seen = found.map((one) => (one.state === 'found' ? one.object.metadata.name : one.state));
        expect(seen).toEqual([...names, 'missing']);
      }));
  });

  describeLabelled(suite);
}

const TIER = 'example.com/tier';

function describeLabelled({ name: suiteName, inWorld, namespace, read }: Suite): void {
  async function createAll(
    store: Store,
    all: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ): Promise<void> {
    for (const [name, labels] of Object.entries(all)) {
      const body = configMap(namespace, name);
      accepted(await store.create(CONFIG_MAP, { ...body, metadata: { ...body.metadata, labels } }));
    }
  }

  async function namesOf(store: Store, labels: LabelledReference['labels']): Promise<readonly string[]> {
    const listing = await store.listLabelled({ type: CONFIG_MAP, namespace, labels });
    if (listing.state !== 'read') throw new Error(`the list is ${listing.state}`);
    return listing.objects.map(({ object }) => object.metadata.name);
  }

  describe(`${suiteName}: objects by their labels`, () => {
    test('are those that carry all of them, sorted by name', () =>
      inWorld([], async ({ store }) => {
        await createAll(store, {
          c: { app: 'tool', [TIER]: 'one' },
          a: { app: 'tool', [TIER]: 'one', more: 'yes' },
          'of-another-tier': { app: 'tool', [TIER]: 'two' },
          'of-another-tool': { app: 'tools', [TIER]: 'one' },
          'with-one-alone': { app: 'tool' },
          'without-any': {},
        });
        expect(await namesOf(store, { app: 'tool', [TIER]: 'one' })).toEqual(['a', 'c']);
        expect(await namesOf(store, { [TIER]: 'two' })).toEqual(['of-another-tier']);
        expect(await namesOf(store, { app: 'nothing' })).toEqual([]);
      }));

    test('an empty value is a value, and no label at all is another matter', () =>
      inWorld([], async ({ store }) => {
        await createAll(store, { empty: { [TIER]: '' }, full: { [TIER]: 'one' }, none: {} });
        expect(await namesOf(store, { [TIER]: '' })).toEqual(['empty']);
      }));

    test('a label such as constructor is an ordinary one', () =>
      inWorld([], async ({ store }) => {
        await createAll(store, { a: { constructor: 'x' }, b: {} });
        expect(await namesOf(store, { constructor: 'x' })).toEqual(['a']);
      }));

    test('are of one kind and of one namespace', () =>
      inWorld([], async ({ store }) => {
        await createAll(store, { here: { app: 'tool' } });
        accepted(await store.create(JOB, job(namespace, 'a-job')));
        const body = configMap('default', 'contract-elsewhere');
        const labelled = { ...body, metadata: { ...body.metadata, labels: { app: 'tool' } } };
        const elsewhere = accepted(await store.create(CONFIG_MAP, labelled));
        try {
          expect(await namesOf(store, { app: 'tool' })).toEqual(['here']);
          // Wherever the store looks, which may be one namespace.
          const listing = await store.listLabelled({
            type: CONFIG_MAP,
            namespace: '',
            labels: { app: 'tool' },
          });
          const found = listing.state === 'read' ? listing.objects.map(({ object }) => object) : [];
          const all = await listed(store, CONFIG_MAP);
          expect(found).toEqual(all.filter(({ metadata }) => metadata.labels?.['app'] === 'tool'));
          expect(found.map(({ metadata }) => metadata.name)).toContain('here');
        } finally {
          const key = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'contract-elsewhere' };
          accepted(await store.delete(CONFIG_MAP, key, preconditionOf(elsewhere)));
        }
      }));

    test('are as a read of each would give them', () =>
      inWorld([], async ({ store }) => {
        accepted(await store.create(JOB, job(namespace, 'run')));
        const listing = await store.listLabelled({ type: JOB, namespace, labels: { app: 'tool' } });
        const objects = listing.state === 'read' ? listing.objects.map(({ object }) => object) : [];
        expect(objects).toEqual([await read(store, JOB, 'run')]);
      }));
  });
}
