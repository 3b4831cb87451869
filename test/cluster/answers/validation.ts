import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import {
  API_VERSION,
  applyAt,
  applyStatus,
  CRD_PATH,
  crd,
  createProbe,
  GROUP_PATH,
  installCrd,
  probe,
  probePath,
} from './probe.ts';

const RULE = { rule: "!has(self.schedule) || self.schedule.startsWith('@')", message: 'must start with @' };
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';

/** A kind that gets its rules after its first object was made. */
async function tightened(
  server: Endpoint,
  kind: string,
  rules: object,
): Promise<(status: object) => ReturnType<typeof applyAt>> {
  const plural = `${kind.toLowerCase()}s`;
  const path = `${GROUP_PATH}/namespaces/default/${plural}`;
  await installCrd(server, kind, { hasStatus: true });
  const old = { apiVersion: API_VERSION, kind, metadata: { name: 'old' }, spec: { schedule: '5 3 * * *' } };
  const made = await request(server, 'POST', path, { body: old });
  expect(made.status, made.text).toBe(201);
  const definition = crd(kind, { hasStatus: true, ...rules });
  const contentType = 'application/merge-patch+json';
  await request(server, 'PATCH', `${CRD_PATH}/${plural}.test.minutehand.dev`, {
    body: definition,
    contentType,
  });
  await until('the new rule is in force', async () => {
    const body = { ...old, metadata: { name: 'new' } };
    const answer = await request(server, 'POST', `${path}?dryRun=All`, { body });
    return answer.status === 422 ? true : undefined;
  });
  return (status) =>
    applyAt(server, `${path}/old/status`, {
      apiVersion: API_VERSION,
      kind,
      metadata: { name: 'old' },
      status,
    });
}

/** Refuses Probes whose schedule is `forbidden`. */
async function installPolicy(server: Endpoint): Promise<void> {
  const metadata = { name: 'no-forbidden.test.minutehand.dev' };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['test.minutehand.dev'],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['probes'],
          },
        ],
      },
      validations: [
        { expression: "object.spec.schedule != 'forbidden'", message: 'forbidden: use @hourly' },
        { expression: "object.spec.schedule != 'unauthorized'", reason: 'Forbidden', message: 'use @daily' },
      ],
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'] },
  };
  const made = await request(server, 'POST', `${ADMISSION}/validatingadmissionpolicies`, { body: policy });
  expect(made.status, made.text).toBe(201);
  await request(server, 'POST', `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding });
  await until('the policy is in force', async () => {
    const body = probe('refused', { spec: { schedule: 'forbidden' } });
    const answer = await request(server, 'POST', `${probePath()}?dryRun=All`, { body });
    return answer.status === 422 ? true : undefined;
  });
}

export function validationAnswers(): void {
  describe('rules of a definition', () => {
    test('forgive what they would refuse today where it did not change', async () => {
      const server = await sharedServer();
      const apply = await tightened(server, 'Ratchet', { specRules: [RULE] });
      const applied = await apply({ lastSlot: 'a' });
      expect(applied.status, applied.text).toBe(200);
    });

    test('at the root of the object refuse a write of status alone', async () => {
      const server = await sharedServer();
      const rule = { rule: "self.spec.schedule.startsWith('@')", message: 'must start with @' };
      const apply = await tightened(server, 'Root', { rules: [rule] });
      const refused = await apply({ lastSlot: 'a' });
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.message).toContain('must start with @');
    });
  });

  describe('ValidatingAdmissionPolicy', () => {
    test('refuses a create with 422, or with the code of its reason, and its words', async () => {
      const server = await sharedServer();
      const old = await createProbe(server, 'before-policy', { spec: { schedule: 'forbidden' } });
      await installPolicy(server);
      const invalid = probe('refused', { spec: { schedule: 'forbidden' } });
      const refused = await request(server, 'POST', probePath(), { body: invalid });
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.message).toContain('denied request: forbidden: use @hourly');
      const forbidden = probe('refused', { spec: { schedule: 'unauthorized' } });
      const denied = await request(server, 'POST', probePath(), { body: forbidden });
      expect([denied.status, denied.body.reason]).toEqual([403, 'Forbidden']);
      expect(denied.body.details?.causes).toMatchObject([{ message: expect.stringContaining('use @daily') }]);

      // It forgives nothing, but does not look at /status when it names the resource alone.
      const contentType = 'application/merge-patch+json';
      const body = { metadata: { labels: { a: 'b' } } };
      const edited = await request(server, 'PATCH', probePath('before-policy'), { body, contentType });
      expect(edited.status).toBe(422);
      const metadata = { uid: old.metadata?.uid };
      const applied = await applyStatus(server, 'before-policy', { lastSlot: 'a' }, { metadata });
      expect(applied.status, applied.text).toBe(200);
    });
  });
}
