import { describe, expect, test } from 'vitest';
import type { Suite } from '#test/store/contract/suite.ts';
import { accepted, CRON_JOB, FIRST, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

export function describeTicks(suite: Suite): void {
  const { eventually, inWorld, keyIn, namespace, nightly, read } = suite;

  describe(`${suite.name}: from tick to tick`, () => {
    test('the next tick finds what this one wrote', () =>
      inWorld([nightly], async ({ store, nextTick }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        accepted(await store.create(JOB, job(namespace, 'run', owner)));
        accepted(await store.create(JOB, job(namespace, 'short', owner)));
        const short = await read(store, JOB, 'short');
        accepted(await store.delete(JOB, keyIn(JOB, 'short'), preconditionOf(short)));
        const fresh = await read(store, CRON_JOB, 'nightly');
        const fields = { lastScheduleTime: FIRST };
        accepted(
          await store.applyStatus(CRON_JOB, keyIn(CRON_JOB, 'nightly'), preconditionOf(fresh), fields),
        );
        await eventually(async () => {
          expect((await listed(store, JOB)).length).toBe(1);
        });
        const before = [await listed(store, CRON_JOB), await listed(store, JOB)];
        const next = await nextTick();
        expect([await listed(next, CRON_JOB), await listed(next, JOB)]).toEqual(before);
      }));

    test('uid and creation time stay from tick to tick', () =>
      inWorld([nightly], async ({ store, nextTick }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const next = await nextTick();
        expect(await read(next, CRON_JOB, 'nightly')).toEqual(before);
      }));

    test('closing twice is harmless', () =>
      inWorld([nightly], async ({ store }) => {
        await store.close();
        await expect(store.close()).resolves.toBeUndefined();
      }));
  });
}
