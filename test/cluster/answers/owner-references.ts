import { describe, expect, test } from 'vitest';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { API_VERSION, createProbe, probe, probePath, uidOf } from './probe.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

/** A ServiceAccount with these rights in `default`. */
async function accountWith(server: Endpoint, name: string, rules: readonly object[]): Promise<string> {
  const metadata = { name };
  const subject = { kind: 'ServiceAccount', name, namespace: 'default' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  await request(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata } });
  const role = await request(server, 'POST', `${RBAC}/roles`, { body: { metadata, rules } });
  expect(role.status, role.text).toBe(201);
  const binding = { metadata, subjects: [subject], roleRef };
  const bound = await request(server, 'POST', `${RBAC}/rolebindings`, { body: binding });
  expect(bound.status, bound.text).toBe(201);
  return server.adminToken;
}

const CREATE = { apiGroups: ['test.minutehand.dev'], resources: ['probes'], verbs: ['create', 'get'] };
const FINALIZERS = {
  apiGroups: ['test.minutehand.dev'],
  resources: ['probes/finalizers'],
  verbs: ['update'],
};

export function ownerReferenceAnswers(): void {
  describe('a reference that blocks the deletion of its owner', () => {
    test('needs the right to update the finalizers of the owner', async () => {
      const server = await sharedServer();
      const owner = await createProbe(server, 'owner');
      const reference = {
        apiVersion: API_VERSION,
        kind: 'Probe',
        name: 'owner',
        uid: uidOf(owner),
        controller: true,
      };
      await accountWith(server, 'creator', [CREATE]);
      await accountWith(server, 'owner-creator', [CREATE, FINALIZERS]);
      const create = async (account: string, name: string, blocks: boolean): Promise<Answer> => {
        const token = await server.tokenFor('default', account);
        const metadata = { name, ownerReferences: [{ ...reference, blockOwnerDeletion: blocks }] };
        const body = probe(name, { metadata });
        // Rights are looked up in a cache, which may be a moment behind.
        return until(`${account} may create`, async () => {
          const answer = await request(server, 'POST', probePath(), { body, token });
          return answer.text.includes('cannot create resource') ? undefined : answer;
        });
      };
      expect((await create('creator', 'child-1', false)).status).toBe(201);
      const refused = await create('creator', 'child-2', true);
      expect([refused.status, refused.body.reason]).toEqual([403, 'Forbidden']);
      expect(refused.body.message).toContain(
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      );
      expect((await create('owner-creator', 'child-3', true)).status).toBe(201);
    });
  });
}
