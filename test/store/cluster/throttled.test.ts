import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import { type RetryBudget, spend } from '#store/cluster/retry.ts';
import { openOn } from './support.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

/** A server that puts off so many requests before it answers. */
async function throttling(times: number): Promise<string> {
  let left = times;
  const server: Server = createServer((_request, reply) => {
    reply.setHeader('Content-Type', 'application/json');
    if (left > 0) {
      left -= 1;
      reply.writeHead(429, { 'Retry-After': '0' });
      reply.end(
        JSON.stringify({ kind: 'Status', status: 'Failure', code: 429, message: 'too many requests' }),
      );
      return;
    }
    reply.end(JSON.stringify({ kind: 'List', metadata: {}, items: [] }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
    });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

test.each([
  [0, []],
  [1, ['note Throttled: the server put off a request (429 Too Many Requests)']],
  [3, ['note Throttled: the server put off 3 requests (429 Too Many Requests)']],
])('%i requests that the server puts off are tried again, and counted', async (times, told) => {
  const store = openOn(await throttling(times));
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
