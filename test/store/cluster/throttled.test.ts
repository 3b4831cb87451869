import { expect, test } from 'vitest';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import { type RetryBudget, spend } from '#store/cluster/retry.ts';
import { answering, openOn } from './support.ts';

test.each([
  [0, []],
  [1, ['note Throttled: the server put off a request (429 Too Many Requests)']],
  [3, ['note Throttled: the server put off 3 requests (429 Too Many Requests)']],
])('%i requests that the server puts off are tried again, and counted', async (times, told) => {
  const store = openOn(await answering(...Array(times).fill(429), 200));
  expect(await store.list(SCHEDULE)).toMatchObject({ state: 'read' });
  await store.close();
  expect(store.diagnostics().map(({ code, severity, what }) => `${severity} ${code}: ${what}`)).toEqual(told);
});

test('requests that wait side by side lose the time of a tick once', () => {
  const budget: RetryBudget = { leftMs: 1000, spentUntil: 0 };
  for (let lane = 0; lane < 16; lane++) expect(spend(budget, 5000, 5400)).toBe(true);
  expect(budget.leftMs).toBe(600);
  expect(spend(budget, 5300, 5900)).toBe(true);
  expect(budget.leftMs).toBe(100);
  expect(spend(budget, 6000, 6101)).toBe(false);
});
