import { describe, expect, test } from 'vitest';
import { type FieldValue, hasFieldValue } from '#core/object/field-value.ts';
import { gapIn, leftOutOf } from '#core/observed.ts';
import type { Suite } from '#test/store/contract/suite.ts';
import { accepted, CRON_JOB, cronJob, JOB, job, listed } from '#test/store/fixtures.ts';

export function describeReading(suite: Suite): void {
  const { foreign, inWorld, keyIn, namespace, nightly, read } = suite;

  describe(`${suite.name}: reading`, () => {
    test('a kind without objects is read and empty', () =>
      inWorld([nightly], async ({ store }) => {
        expect(await listed(store, JOB)).toEqual([]);
      }));

    test('a list holds every object of its kind and no other, sorted by name', () =>
      inWorld(
        ['b', 'a', 'c'].map((id) => ({ object: cronJob(namespace, id) })),
        async ({ store }) => {
          await store.create(JOB, job(namespace, 'a-job'));
          expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
            'a',
            'b',
            'c',
          ]);
        },
      ));

    test('every object has uid, resource version, generation and creation time, and no two share a uid', () =>
      inWorld([nightly, { object: cronJob(namespace, 'weekly') }], async ({ store }) => {
        const objects = await listed(store, CRON_JOB);
        for (const { metadata } of objects) {
          expect(metadata).toMatchObject({ uid: expect.any(String), resourceVersion: expect.any(String) });
          expect(metadata).toMatchObject({
            generation: expect.any(Number),
            creationTimestamp: expect.any(String),
          });
        }
        expect(new Set(objects.map((object) => object.metadata.uid)).size).toBe(2);
      }));

    test('reading changes nothing: two lists are equal', () =>
      inWorld([foreign], async ({ store }) => {
        expect(await listed(store, CRON_JOB)).toEqual(await listed(store, CRON_JOB));
      }));

    test('get answers the object that the list has, or missing', () =>
      inWorld([nightly], async ({ store }) => {
        const [object] = await listed(store, CRON_JOB);
        expect(await store.get(CRON_JOB, keyIn(CRON_JOB, 'nightly'))).toEqual({ state: 'found', object });
        expect(await store.get(CRON_JOB, keyIn(CRON_JOB, 'weekly'))).toEqual({ state: 'missing' });
      }));

    test('a list of some namespaces holds their objects alone, and says which they are', () =>
      inWorld([nightly], async ({ store }) => {
        const whole = await listed(store, CRON_JOB);
        const both = await store.list(CRON_JOB, { namespaces: [namespace, 'elsewhere'] });
        expect(both).toMatchObject({ state: 'read', objects: whole.map((object) => ({ object })) });
        const other = await store.list(CRON_JOB, { namespaces: ['elsewhere'] });
        expect(other).toMatchObject({ state: 'read', objects: [] });
        expect(both.state === 'read' && gapIn(both, namespace)).toBeUndefined();
        expect(other.state === 'read' && gapIn(other, namespace)).toEqual(expect.any(String));
      }));

    test.each([
      ['by a field that any server knows', 'metadata', 'name'],
      ['by one that no server knows', 'metadata', 'nickname'],
    ])(
      'a list without some objects, %s, is whole, or says of every namespace that it is not',
      (_what, ...path) =>
        inWorld(
          ['a', 'b', 'c'].map((id) => ({ object: cronJob(namespace, id) })),
          async ({ store }) => {
            const whole = await listed(store, CRON_JOB);
            const without: FieldValue = { path, value: 'b' };
            const listing = await store.list(CRON_JOB, { without });
            if (listing.state !== 'read') throw new Error(listing.state);
            const isWhole = gapIn(listing, namespace) === undefined;
            const wanted = isWhole ? whole : whole.filter((object) => !hasFieldValue(object, without));
            expect(listing.objects.map(({ object }) => object)).toEqual(wanted);
            expect(leftOutOf(listing)).toEqual(isWhole ? undefined : without);
          },
        ),
    );

    test('of single namespaces nothing is left out', () =>
      inWorld([nightly], async ({ store }) => {
        const without: FieldValue = { path: ['metadata', 'name'], value: 'nightly' };
        const listing = await store.list(CRON_JOB, { namespaces: [namespace], without });
        expect(listing).toMatchObject({ state: 'read', objects: [{}] });
        expect(listing.state === 'read' && gapIn(listing, namespace)).toBeUndefined();
      }));

    test('names such as constructor are ordinary names', () =>
      inWorld([{ object: cronJob(namespace, 'constructor') }], async ({ store }) => {
        const created = accepted(await store.create(JOB, job(namespace, 'constructor')));
        expect((await read(store, JOB, 'constructor')).metadata.uid).toBe(created.metadata.uid);
        expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
          'constructor',
        ]);
      }));
  });
}
