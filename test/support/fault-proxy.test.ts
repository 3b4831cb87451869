import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { job } from '#test/store/fixtures.ts';
import {
  type Fault,
  type FaultProxy,
  type FaultRule,
  faultProxy,
  faults,
  isNextPage,
  nthRequest,
  nthWrite,
} from '#test/support/fault-proxy.ts';
import { type PlainReply, plainRequest } from '#test/support/plain-request.ts';

const JOBS = '/apis/batch/v1/namespaces/harbor/jobs';

let server: FakeApiServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [JOB] });
  proxy = await faultProxy({ upstream: server.url });
});
beforeEach(() => {
  server.reset([job('harbor', 'a'), job('harbor', 'b')]);
  proxy.set([]);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

function create(name: string, timeoutMs = 2_000): Promise<PlainReply> {
  return plainRequest(proxy.url, { method: 'POST', path: JOBS, body: job('harbor', name), timeoutMs });
}

function list(query = ''): Promise<PlainReply> {
  return plainRequest(proxy.url, { path: `${JOBS}?${query}` });
}

function textOf(reply: PlainReply): string {
  return reply.state === 'reply' ? `${reply.code} ${reply.text}` : reply.why;
}

function arrived(): readonly string[] {
  return server.objects().map(({ metadata }) => metadata.name);
}

function always(fault: Fault): FaultRule {
  return { when: () => true, fault };
}

describe('a fault proxy without rules', () => {
  test('gives both sides what the other one says', async () => {
    const made = await create('new');
    expect(textOf(made)).toMatch(/^201 .*"name":"new"/);
    expect(made.state === 'reply' ? made.headers['content-type'] : '').toBe('application/json');
    expect(textOf(await list())).toMatch(/^200 .*"JobList"/);
    expect(server.requests().map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      `POST ${JOBS} 201`,
      `GET ${JOBS} 200`,
    ]);
  });

  test('counts requests, and writes among them', async () => {
    await list();
    await create('new');
    await list('limit=1');
    await create('newer');
    expect(proxy.requests().map(({ nth, write, method }) => [nth, write, method])).toEqual([
      [1, 0, 'GET'],
      [2, 1, 'POST'],
      [3, 0, 'GET'],
      [4, 2, 'POST'],
    ]);
    proxy.set([]);
    expect(proxy.requests()).toEqual([]);
  });
});

describe('a fault proxy whose clients are gone', () => {
  test('is idle when what they asked for is done', async () => {
    proxy.set([always(faults.dribble(4, 1_000))]);
    expect(textOf(await create('new', 500))).toMatch(/abort|timeout/i);
    const done = proxy.idle().then(() => 'idle');
    expect(await Promise.race([done, Promise.resolve('at work')])).toBe('at work');
    expect(await done).toBe('idle');
    expect(arrived()).toContain('new');
  });
});

describe('a fault, as a client sees it', () => {
  test.each([
    ['cut before it is forwarded', faults.cutBefore, /ECONNRESET|socket hang up/, false],
    ['cut after it was forwarded', faults.cutAfter, /ECONNRESET|socket hang up/, true],
    ['409', faults.conflict, /^409 .*"reason":"Conflict"/, false],
    ['410', faults.expired, /^410 .*"continue":".+"reason":"Expired"/, false],
    ['429', faults.tooMany('7'), /^429 .*TooManyRequests/, false],
    ['500', faults.serverError(500), /^500 .*InternalError/, false],
    ['503', faults.serverError(503), /^503 .*ServiceUnavailable/, false],
    ['a page with 200', faults.page(200), /^200 <!DOCTYPE html>/, false],
    ['a page with 502', faults.page(502), /^502 <!DOCTYPE html>/, false],
    ['a page after it went through', faults.pageAfter(502), /^502 <!DOCTYPE html>/, true],
    ['a reset in the middle of the answer', faults.reset, /ECONNRESET|aborted/, true],
    ['an answer that ends early', faults.truncate, /^201 \{.*[^}]$/, true],
    ['an answer in small pieces', faults.dribble(10, 1), /^201 \{.*\}$/, true],
  ])('%s', async (_what, fault, seen, isDone) => {
    proxy.set([always(fault)]);
    expect(textOf(await create('new'))).toMatch(seen);
    expect(arrived()).toEqual(isDone ? ['a', 'b', 'new'] : ['a', 'b']);
    expect(proxy.met()).toBe(1);
  });

  test.each([
    ['before it is forwarded', faults.hang, false],
    ['after it was forwarded', faults.hangAfter, true],
  ])('nothing ever comes back, %s', async (_what, fault, isDone) => {
    proxy.set([always(fault)]);
    expect(textOf(await create('new', 60))).toMatch(/abort|timeout/i);
    expect(arrived()).toEqual(isDone ? ['a', 'b', 'new'] : ['a', 'b']);
  });

  test('a slow answer takes as long as it says', async () => {
    proxy.set([always(faults.dribble(5, 20))]);
    const start = performance.now();
    await create('new');
    expect(performance.now() - start).toBeGreaterThan(80);
  });

  test.each(['7', 'Wed, 21 Oct 2026 07:28:00 GMT'])('Retry-After: %s', async (retryAfter) => {
    proxy.set([always(faults.tooMany(retryAfter))]);
    const got = await create('new');
    expect(got.state === 'reply' ? got.headers['retry-after'] : '').toBe(retryAfter);
  });

  test('half a JSON is none', async () => {
    proxy.set([always(faults.truncate)]);
    const got = await list();
    expect(() => JSON.parse(got.state === 'reply' ? got.text : '')).toThrow(SyntaxError);
  });
});

describe('a rule', () => {
  test('meets the nth write, once', async () => {
    proxy.set([{ when: nthWrite(2), fault: faults.serverError(500) }]);
    await list();
    const codes = [await create('c'), await create('d'), await create('d')].map((one) =>
      textOf(one).slice(0, 3),
    );
    expect(codes).toEqual(['201', '500', '201']);
    expect(proxy.met()).toBe(1);
  });

  test('meets the nth request', async () => {
    proxy.set([{ when: nthRequest(2), fault: faults.serverError(503) }]);
    const codes = [await list(), await list(), await list()].map((one) => textOf(one).slice(0, 3));
    expect(codes).toEqual(['200', '503', '200']);
  });

  test('that sticks meets every repetition of the same request, and no other', async () => {
    proxy.set([{ when: nthWrite(1), fault: faults.serverError(500), repeat: 'same' }]);
    const codes = [await create('c'), await create('d'), await create('c')].map((one) =>
      textOf(one).slice(0, 3),
    );
    expect(codes).toEqual(['500', '201', '500']);
    expect(proxy.met()).toBe(2);
  });

  test('may meet whatever it fits', async () => {
    const isNew: FaultRule['when'] = ({ method }) => method === 'POST';
    proxy.set([{ when: isNew, fault: faults.serverError(500), repeat: 'each' }]);
    const codes = [await create('c'), await list(), await create('d')].map((one) => textOf(one).slice(0, 3));
    expect(codes).toEqual(['500', '200', '500']);
  });

  test('may meet everything from then on', async () => {
    proxy.set([{ when: nthWrite(1), fault: faults.serverError(500), repeat: 'all' }]);
    const codes = [await list(), await create('c'), await list(), await create('d')].map((one) =>
      textOf(one).slice(0, 3),
    );
    expect(codes).toEqual(['200', '500', '500', '500']);
  });

  test('meets the second page of a list', async () => {
    proxy.set([{ when: isNextPage, fault: faults.expired }]);
    const first = textOf(await list('limit=1'));
    const [, token = ''] = /"continue":"([^"]+)"/.exec(first) ?? [];
    expect(textOf(await list(`limit=1&continue=${token}`))).toMatch(/^410/);
    expect(textOf(await list(`limit=1&continue=${token}`))).toMatch(/^200/);
  });
});
