import { describe, expect, test } from 'vitest';
import { ANSWER_CLASSES, REQUEST_VERBS, type Requests } from '#core/requests.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { deadAddress } from '#test/support/receiver.ts';
import { answering, openOn } from './support.ts';

/** Only what was sent at all. */
function shown({ sent, retries }: Requests): Readonly<Record<string, number>> {
  const counts = REQUEST_VERBS.flatMap((verb) =>
    ANSWER_CLASSES.map((answer) => [`${verb} ${answer}`, sent[verb][answer]] as const),
  );
  return { ...Object.fromEntries(counts.filter(([, count]) => count > 0)), retries };
}

const RUN = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'r', namespace: 'n', uid: 'u' } };

describe('a store on a cluster counts what it sends', () => {
  const rows: readonly (readonly [string, readonly number[], Readonly<Record<string, number>>])[] = [
    ['a list', [200], { 'GET 2xx': 1, retries: 0 }],
    ['one that is throttled', [429, 429, 200], { 'GET 2xx': 1, 'GET 429': 2, retries: 2 }],
    ['one behind a fault of the server', [503, 200], { 'GET 2xx': 1, 'GET 5xx': 1, retries: 1 }],
    ['one that is refused', [403], { 'GET 4xx': 1, retries: 0 }],
    ['one with a token that ran out', [401, 200], { 'GET 2xx': 1, 'GET 4xx': 1, retries: 0 }],
  ];
  test.each(rows)('%s', async (_name, codes, want) => {
    const store = openOn(await answering(...codes));
    await store.list(CRON_JOB);
    expect(shown(store.requests())).toEqual(want);
    await store.close();
  });

  test('nothing at the start, and each verb by itself', async () => {
    const store = openOn(await answering(200, 409, 409));
    expect(shown(store.requests())).toEqual({ retries: 0 });
    await store.list(CRON_JOB);
    await store.create(CRON_JOB, RUN);
    expect(shown(store.requests())).toMatchObject({ 'GET 2xx': 1, 'POST 4xx': 1 });
    await store.close();
  });

  test('what nobody answered', async () => {
    const url = await deadAddress();
    const store = openOn(url, { retryBudgetMs: 0 });
    await store.list(CRON_JOB);
    expect(shown(store.requests())).toEqual({ 'GET none': 1, retries: 0 });
    await store.close();
  });
});
