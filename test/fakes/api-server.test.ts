import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { request as ask } from '#test/cluster/support/request.ts';
import { describeOnServer, sharedServer } from '#test/cluster/support/with-server.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import type { FakeApiServerOptions } from '#test/fakes/api-server/options.ts';
import {
  contendedQuota,
  deniedByPolicy,
  deniedByWebhook,
  exceededQuota,
} from '#test/fakes/api-server/refusals.ts';
import { CRON_JOB, cronJob, job } from '#test/store/fixtures.ts';
import { installProbes } from '#test/support/api-answers/install-probes.ts';
import {
  API_CASES,
  type Ask,
  PLAIN,
  PROBE,
  PROBE_SPEC,
  PROBE_STATUS,
  runApiCase,
} from '#test/support/api-answers.ts';
import { faultProxy } from '#test/support/fault-proxy.ts';
import { reply } from '#test/support/plain-request.ts';

const ROWS = API_CASES.map((one) => [one.row, one] as const);

describe('the fake API server answers', () => {
  let server: FakeApiServer;

  beforeAll(async () => {
    const declared = { specFields: PROBE_SPEC, statusFields: PROBE_STATUS };
    server = await fakeApiServer({
      kinds: [
        { type: PROBE, ...declared, selectableFields: ['.status.phase'] },
        { type: PLAIN, ...declared, statusSubresource: false },
        JOB,
        EVENT,
      ],
      namespaces: ['default', 'kube-public'],
    });
  });
  afterAll(() => server.close());

  const askFake: Ask = async ({ want: _want, ...step }) => {
    const { code, text, headers } = await reply(server.url, step);
    const { warning } = headers;
    return { code, text, warning: Array.isArray(warning) ? warning.join(', ') : warning };
  };

  test.each(ROWS)('%s', (_row, one) => runApiCase(askFake, one));
});

describeOnServer('a real API server answers the same', () => {
  const askServer: Ask = async ({ want: _want, method, path, ...body }) => {
    const { status, text, headers } = await ask(await sharedServer(), method, path, body);
    const { warning } = headers;
    return { code: status, text, warning: Array.isArray(warning) ? warning.join(', ') : warning };
  };

  beforeAll(() => installProbes(askServer));

  test.each(ROWS)('%s', (_row, one) => runApiCase(askServer, one));

  test('also through a proxy that speaks TLS to it', async () => {
    const { url, ca, adminToken } = await sharedServer();
    const proxy = await faultProxy({ upstream: url, tls: { ca } });
    onTestFinished(() => proxy.close());
    const headers = { authorization: `Bearer ${adminToken}` };
    const got = await reply(proxy.url, { path: '/api/v1/namespaces/default', headers });
    expect([got.code, got.text]).toEqual([200, expect.stringContaining('"name":"default"')]);
  });
});

const JOBS = '/apis/batch/v1/namespaces/harbor/jobs';
const ALL_JOBS = '/apis/batch/v1/jobs';

async function started(options: Partial<FakeApiServerOptions> = {}): Promise<FakeApiServer> {
  const server = await fakeApiServer({ kinds: [CRON_JOB, JOB], ...options });
  onTestFinished(() => server.close());
  return server;
}

async function postJob(server: FakeApiServer, name: string): Promise<readonly [number, string]> {
  const { code, text } = await reply(server.url, { method: 'POST', path: JOBS, body: job('harbor', name) });
  return [code, text];
}

function names({ text }: { readonly text: string }): readonly string[] {
  const { items }: { readonly items: readonly KubeObject[] } = JSON.parse(text);
  return items.map(({ metadata }) => metadata.name);
}

function metadataIn(text: string): Readonly<Record<string, string>> {
  return JSON.parse(text).metadata;
}

describe('what a test can arrange', () => {
  test('a right that is missing is 403, across the cluster alone as well, and before a 404', async () => {
    const server = await started({
      objects: [job('harbor', 'run')],
      isForbidden: ({ verb, namespace, resource }) =>
        resource === 'nothings' || (verb === 'list' && namespace === ''),
    });
    const refused = await reply(server.url, { path: ALL_JOBS });
    expect([refused.code, refused.text]).toEqual([
      403,
      expect.stringContaining(
        'cannot list resource \\"jobs\\" in API group \\"batch\\" at the cluster scope',
      ),
    ]);
    expect(names(await reply(server.url, { path: JOBS }))).toEqual(['run']);
    expect((await reply(server.url, { path: '/apis/absent.dev/v1/nothings' })).code).toBe(403);
  });

  test('a namespace that goes away takes nothing new, and gives everything', async () => {
    const server = await started({ objects: [job('harbor', 'run')], terminating: ['harbor'] });
    const [code, text] = await postJob(server, 'late');
    expect([code, text]).toEqual([403, expect.stringContaining('"reason":"NamespaceTerminating"')]);
    expect(names(await reply(server.url, { path: JOBS }))).toEqual(['run']);
  });

  test('what stands at the gate may refuse a write in its own words, and is asked about writes alone', async () => {
    const asked: string[] = [];
    const server = await started({
      admit: ({ access, type, object: { metadata } }) => {
        asked.push(`${access.verb} ${metadata.name}`);
        if (metadata.name === 'many') return exceededQuota(type, metadata.name, 'few');
        if (metadata.name === 'next') return contendedQuota(type, metadata.name, 'few');
        if (metadata.name === 'bad') return deniedByPolicy(type, metadata.name, 'p', 'use another name');
        return metadata.name === 'odd' ? deniedByWebhook('w.example', 'no') : undefined;
      },
    });
    expect((await postJob(server, 'many'))[1]).toContain(
      'exceeded quota: few, requested: count/jobs.batch=1',
    );
    const contended = await postJob(server, 'next');
    expect(contended).toEqual([409, expect.stringContaining('be fulfilled on resourcequotas')]);
    const policy = await postJob(server, 'bad');
    expect([policy[0], policy[1]]).toEqual([
      422,
      expect.stringContaining('denied request: use another name'),
    ]);
    expect((await postJob(server, 'odd'))[1]).toContain('denied the request: no');
    expect((await postJob(server, 'good'))[0]).toBe(201);
    await reply(server.url, { path: JOBS });
    expect(asked).toEqual(['create many', 'create next', 'create bad', 'create odd', 'create good']);
    expect(server.objects().map(({ metadata }) => metadata.name)).toEqual(['good']);
  });

  test('a token that is not known any more is 401', async () => {
    const server = await started({ isKnown: (authorization) => authorization === 'Bearer old' });
    const old = { path: ALL_JOBS, headers: { authorization: 'Bearer old' } };
    expect((await reply(server.url, old)).code).toBe(200);
    server.configure({ isKnown: () => false });
    expect((await reply(server.url, old)).code).toBe(401);
  });

  test('warnings go with the answer', async () => {
    const server = await started({ warnings: ({ verb }) => (verb === 'list' ? ['old "version"', 'b'] : []) });
    const { headers } = await reply(server.url, { path: ALL_JOBS });
    expect(headers['warning']).toBe('299 - "old \\"version\\"", 299 - "b"');
  });

  test('pages are as short as a test needs them, and expire', async () => {
    const server = await started({ objects: ['a', 'b', 'c'].map((id) => job('harbor', id)), pageSize: 2 });
    const first = await reply(server.url, { path: `${ALL_JOBS}?limit=500` });
    expect([names(first), JSON.parse(first.text).metadata.remainingItemCount]).toEqual([['a', 'b'], 1]);
    const token = metadataIn(first.text)['continue'] ?? '';
    server.put(job('harbor', 'bb'));
    const second = await reply(server.url, { path: `${ALL_JOBS}?limit=500&continue=${token}` });
    expect([names(second), metadataIn(second.text)['continue']]).toEqual([['c'], undefined]);

    const again =
      metadataIn((await reply(server.url, { path: `${ALL_JOBS}?limit=1` })).text)['continue'] ?? '';
    server.expireLists();
    const gone = await reply(server.url, { path: `${ALL_JOBS}?limit=1&continue=${again}` });
    expect([gone.code, JSON.parse(gone.text).reason]).toEqual([410, 'Expired']);
    const rest = metadataIn(gone.text)['continue'] ?? '';
    expect(names(await reply(server.url, { path: `${ALL_JOBS}?continue=${rest}` }))).toEqual(['b', 'bb']);
  });

  test('what an object controls goes with it', async () => {
    const server = await started({ objects: [cronJob('harbor', 'nightly')] });
    const [owner = cronJob('', '')] = server.objects();
    await reply(server.url, { method: 'POST', path: JOBS, body: job('harbor', 'run', owner) });
    await postJob(server, 'other');
    await reply(server.url, { method: 'DELETE', path: '/apis/batch/v1/namespaces/harbor/cronjobs/nightly' });
    expect(server.objects().map(({ metadata }) => metadata.name)).toEqual(['other']);
  });

  test('requests are written down with what was answered', async () => {
    const server = await started();
    await postJob(server, 'run');
    await reply(server.url, { path: `${ALL_JOBS}?limit=5` });
    await reply(server.url, { path: `${JOBS}/none` });
    const seen = server.requests().map(({ method, path, query, status }) => [method, path, query, status]);
    expect(seen).toEqual([
      ['POST', JOBS, {}, 201],
      ['GET', ALL_JOBS, { limit: '5' }, 200],
      ['GET', `${JOBS}/none`, {}, 404],
    ]);
  });

  test('an edit from outside is a new version; a reset forgets everything', async () => {
    const server = await started({ objects: [job('harbor', 'run')] });
    const before = metadataIn((await reply(server.url, { path: `${JOBS}/run` })).text);
    const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };
    server.edit(key, (object) => ({ ...object, spec: {} }));
    const after = metadataIn((await reply(server.url, { path: `${JOBS}/run` })).text);
    expect(after['resourceVersion']).not.toBe(before['resourceVersion']);
    server.reset([]);
    expect([server.objects(), server.requests()]).toEqual([[], []]);
  });

  test.each([
    ['a set of labels', { path: `${ALL_JOBS}?labelSelector=a+in+(b)` }],
    ['orphans', { method: 'DELETE', path: `${JOBS}/run`, body: { propagationPolicy: 'Orphan' } }],
  ])('what it does not do, it says: %s', async (_what, asked) => {
    const server = await started({ objects: [job('harbor', 'run')] });
    expect((await reply(server.url, asked)).code).toBe(501);
  });
});
