import { describe, expect, test } from 'vitest';
import type { ApiBody } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { applyStatus, createProbe, GROUP_PATH, probe, probePath } from './probe.ts';

function names(list: ApiBody): readonly (string | undefined)[] {
  return (list.items ?? []).map((item) => item.metadata?.name);
}

/** The token as a reader would hold it who began at that revision. */
function withRevision(token = '', rv = 0): string {
  const fields = JSON.parse(Buffer.from(token, 'base64url').toString()) as object;
  return Buffer.from(JSON.stringify({ ...fields, rv })).toString('base64url');
}

export function listAnswers(): void {
  describe('list', () => {
    test.each([
      ['kind', `${GROUP_PATH}/nothings`],
      ['version', '/apis/test.minutehand.dev/v9/probes'],
      ['group', '/apis/absent.minutehand.dev/v1/probes'],
    ])('of a %s that is not served is a 404 in plain text', async (_, path) => {
      const server = await sharedServer();
      const absent = await request(server, 'GET', path);
      expect(absent.status).toBe(404);
      expect(absent.headers['content-type']).toContain('text/plain');
      expect(absent.text).toBe('404 page not found\n');
    });

    test('without the right to it is 403, whether the kind is served or not', async () => {
      const server = await sharedServer();
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nobody' } };
      await request(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
      const token = await server.tokenFor('default', 'nobody');
      for (const plural of ['probes', 'nothings']) {
        const refused = await request(server, 'GET', `${GROUP_PATH}/${plural}`, { token });
        expect([refused.status, refused.body.reason]).toEqual([403, 'Forbidden']);
        expect(refused.body.message).toContain(`cannot list resource "${plural}"`);
      }
    });

    test('with a token that is not known is 401', async () => {
      const server = await sharedServer();
      const refused = await request(server, 'GET', probePath(), { token: 'expired' });
      expect([refused.status, refused.body.reason]).toEqual([401, 'Unauthorized']);
      expect(refused.body.kind).toBe('Status');
    });

    test('in a namespace that is missing is empty, not an error', async () => {
      const server = await sharedServer();
      const list = await request(server, 'GET', probePath('', 'nowhere'));
      expect([list.status, list.body.items]).toEqual([200, []]);
    });

    test('names the kind of each custom object, but not that of a built-in one', async () => {
      const server = await sharedServer();
      await createProbe(server, 'typed');
      const probes = await request(server, 'GET', probePath());
      const isTyped = ({ kind }: ApiBody) => kind === 'Probe';
      expect(probes.body.items?.every(isTyped)).toBe(true);
      const namespaces = await request(server, 'GET', '/api/v1/namespaces');
      expect(namespaces.body.kind).toBe('NamespaceList');
      expect(namespaces.body.items?.length).toBeGreaterThan(0);
      expect(namespaces.body.items?.filter((item) => 'kind' in item || 'apiVersion' in item)).toEqual([]);
    });

    test('selects by a field that the definition declares selectable, and refuses any other', async () => {
      const server = await sharedServer();
      await createProbe(server, 'selected');
      await applyStatus(server, 'selected', { phase: 'Odd' });
      const list = await request(server, 'GET', `${probePath()}?fieldSelector=status.phase%3DOdd`);
      expect(names(list.body)).toEqual(['selected']);
      const refused = await request(server, 'GET', `${probePath()}?fieldSelector=status.lastSlot%3Da`);
      expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest']);
      expect(refused.body.message).toContain('field label not supported: status.lastSlot');
    });

    test('in pages tells how many are left, and is gone with its revision', async () => {
      const server = await sharedServer();
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'pages' } };
      await request(server, 'POST', '/api/v1/namespaces', { body: namespace });
      const path = probePath('', 'pages');
      for (const name of ['a', 'b', 'c']) {
        await request(server, 'POST', path, { body: probe(name) });
      }
      const first = await request(server, 'GET', `${path}?limit=1`);
      expect(names(first.body)).toEqual(['a']);
      expect(first.body.metadata?.remainingItemCount).toBe(2);
      const token = encodeURIComponent(first.body.metadata?.continue ?? '');

      await request(server, 'DELETE', `${path}/b`);
      const second = await request(server, 'GET', `${path}?limit=1&continue=${token}`);
      expect(names(second.body)).toEqual(['b']);
      expect(second.body.metadata?.resourceVersion).toBe(first.body.metadata?.resourceVersion);

      // etcd has forgotten that revision, but the server itself still remembers it.
      await server.compact();
      const third = await request(server, 'GET', `${path}?limit=1&continue=${token}`);
      expect([third.status, names(third.body)]).toEqual([200, ['b']]);

      const old = encodeURIComponent(withRevision(first.body.metadata?.continue, 2));
      const gone = await request(server, 'GET', `${path}?limit=1&continue=${old}`);
      expect([gone.status, gone.body.reason]).toEqual([410, 'Expired']);
      // Whoever goes on with this token reads the rest as it is now: one list of two moments.
      const rest = encodeURIComponent(gone.body.metadata?.continue ?? '');
      const mixed = await request(server, 'GET', `${path}?continue=${rest}`);
      expect(names(mixed.body)).toEqual(['c']);
      expect(mixed.body.metadata?.resourceVersion).not.toBe(first.body.metadata?.resourceVersion);
    });

    test('with a continue token that is none is a 400', async () => {
      const server = await sharedServer();
      const refused = await request(server, 'GET', `${probePath()}?limit=1&continue=abc`);
      expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest']);
    });
  });
}
