import { describe, expect, test } from 'vitest';
import type { Attempted } from '#store/cluster/client.ts';
import { sendPage, tokenIn } from '#store/cluster/sent-page.ts';
import { newTally } from '#store/cluster/tally.ts';

const DECOY = { metadata: { name: 'a', annotations: { note: '"continue":"x"', continue: 'y' } } };

function builtIn(token: string | undefined): string {
  return JSON.stringify({
    kind: 'JobList',
    metadata: { resourceVersion: '7', continue: token },
    items: [DECOY],
  });
}

function custom(token: string | undefined): string {
  return JSON.stringify({ apiVersion: 'v1', items: [DECOY], kind: 'L', metadata: { continue: token } });
}

describe('the token of the next page, as the text of a page has it', () => {
  test.each([
    ['before the items', builtIn('abc'), 'abc'],
    ['behind the items', custom('abc'), 'abc'],
    ['in neither place, of the last page', builtIn(undefined), undefined],
    ['nor behind the items of a last one', custom(undefined), undefined],
    ['empty of the last page', builtIn(''), undefined],
    ['of an empty list', '{"items":[],"metadata":{}}', undefined],
    ['of no list at all', 'not found', undefined],
  ])('%s', (_where, text, token) => {
    expect(tokenIn(text)).toBe(token);
  });
});

test('the next page is asked for before one is read, and is the one that it names', async () => {
  const texts = new Map([
    ['/list', custom('two')],
    ['/list?two', custom('three')],
    ['/list?three', custom(undefined)],
  ]);
  const log: string[] = [];
  const client = {
    send: async ({ path }: { readonly path: string }, atOnce?: (text: string) => Promise<void>) => {
      log.push(`asked ${path}`);
      const text = texts.get(path) ?? '';
      await atOnce?.(text);
      log.push(`read ${path}`);
      return { state: 'ok', body: JSON.parse(text), mayHaveArrived: false } satisfies Attempted;
    },
    requests: newTally().requests,
    close: () => {},
  };
  const pathOf = (token: string | undefined): string => (token === undefined ? '/list' : `/list?${token}`);
  const first = sendPage({ client, pathOf, isOver: false }, undefined);
  await first.answer;
  const second = first.ahead();
  await second?.answer;
  const third = second?.ahead();
  await third?.answer;
  expect([second?.token, third?.token, third?.ahead()]).toEqual(['two', 'three', undefined]);
  expect(log.indexOf('asked /list?two')).toBeLessThan(log.indexOf('read /list'));
  expect(log.indexOf('asked /list?three')).toBeLessThan(log.indexOf('read /list?two'));
  expect(log.filter((line) => line.startsWith('asked'))).toHaveLength(3);
});

test('nothing is asked for ahead once nobody waits', async () => {
  const client = {
    send: async (_request: unknown, atOnce?: (text: string) => Promise<void>) => {
      await atOnce?.(custom('two'));
      return { state: 'ok', body: {}, mayHaveArrived: false } satisfies Attempted;
    },
    requests: newTally().requests,
    close: () => {},
  };
  const sent = sendPage({ client, pathOf: () => '/list', isOver: true }, undefined);
  await sent.answer;
  expect(sent.ahead()).toBeUndefined();
});
