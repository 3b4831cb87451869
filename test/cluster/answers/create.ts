import { describe, expect, test } from 'vitest';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { API_VERSION, applyAt, createProbe, GROUP_PATH, probe, probePath, readProbe } from './probe.ts';

export function createAnswers(): void {
  describe('create', () => {
    test('of a name that is taken is 409 AlreadyExists, where other conflicts have reason Conflict', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'taken-name');
      const refused = await request(server, 'POST', probePath(), { body: probe('taken-name') });
      expect([refused.status, refused.body.reason]).toEqual([409, 'AlreadyExists']);
      expect(refused.body.details).toEqual({
        name: 'taken-name',
        group: 'test.minutehand.dev',
        kind: 'probes',
      });
      expect(await readProbe(server, 'taken-name')).toEqual(made);
    });

    test('of a name that is taken, but goes away, is AlreadyExists as well', async () => {
      const server = await sharedServer();
      const metadata = { name: 'leaving', finalizers: ['test.minutehand.dev/held'] };
      await createProbe(server, 'leaving', { metadata });
      await request(server, 'DELETE', probePath('leaving'));
      const refused = await request(server, 'POST', probePath(), { body: probe('leaving') });
      expect([refused.status, refused.body.reason]).toEqual([409, 'AlreadyExists']);
      expect(refused.body.message).toContain('object is being deleted');
    });

    test('drops status where the kind has the subresource', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'with-status', { status: { lastSlot: 'a' } });
      expect(made.status).toBeUndefined();
    });

    test('keeps status where the kind has no subresource, and /status is then as if it were missing', async () => {
      const server = await sharedServer();
      const path = `${GROUP_PATH}/namespaces/default/plains`;
      const body = {
        apiVersion: API_VERSION,
        kind: 'Plain',
        metadata: { name: 'a' },
        status: { phase: 'Done' },
      };
      const made = await request(server, 'POST', path, { body });
      expect(made.status, made.text).toBe(201);
      expect(made.body.status).toEqual({ phase: 'Done' });
      const refused = await applyAt(server, `${path}/a/status`, { ...body, status: { phase: 'Failed' } });
      expect([refused.status, refused.body.reason]).toEqual([404, 'NotFound']);
      expect(refused.body.details).toEqual({ name: 'a', group: 'test.minutehand.dev', kind: 'plains' });
    });

    test('with fieldValidation=Strict refuses an unknown field, with Warn prunes it aloud', async () => {
      const server = await sharedServer();
      const body = probe('unknown-field', { spec: { schedule: '@hourly', jitter: '5m' } });
      const refused = await request(server, 'POST', `${probePath()}?fieldValidation=Strict`, { body });
      expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest']);
      expect(refused.body.message).toContain('strict decoding error: unknown field "spec.jitter"');
      const warned = await request(server, 'POST', `${probePath()}?fieldValidation=Warn`, { body });
      expect(warned.status).toBe(201);
      expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.jitter\\""');
      expect(warned.body.spec).toEqual({ schedule: '@hourly' });
    });

    test('with a value of the wrong type is 422 Invalid and names the field', async () => {
      const server = await sharedServer();
      const body = probe('mistyped-spec', { spec: { schedule: 5 } });
      const refused = await request(server, 'POST', probePath(), { body });
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.details?.causes).toMatchObject([
        { reason: 'FieldValueTypeInvalid', field: 'spec.schedule' },
      ]);
    });

    test('with a resourceVersion in the body is a 500', async () => {
      const server = await sharedServer();
      const body = probe('versioned', { metadata: { name: 'versioned', resourceVersion: '1' } });
      const refused = await request(server, 'POST', probePath(), { body });
      expect([refused.status, refused.body.reason]).toEqual([500, undefined]);
      expect(refused.body.message).toContain('resourceVersion should not be set on objects to be created');
    });

    test('with dryRun=All answers with a uid and creates nothing', async () => {
      const server = await sharedServer();
      const dry = await request(server, 'POST', `${probePath()}?dryRun=All`, { body: probe('dry-create') });
      expect(dry.status).toBe(201);
      expect(dry.body.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect((await request(server, 'GET', probePath('dry-create'))).status).toBe(404);
    });

    test('in a namespace that is missing is a 404 about the namespace', async () => {
      const server = await sharedServer();
      const refused = await request(server, 'POST', probePath('', 'nowhere'), { body: probe('lost') });
      expect([refused.status, refused.body.reason]).toEqual([404, 'NotFound']);
      expect(refused.body.details).toEqual({ name: 'nowhere', kind: 'namespaces' });
    });

    test('in a namespace that goes away is 403 with the cause NamespaceTerminating', async () => {
      const server = await sharedServer();
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'leaving' } };
      await request(server, 'POST', '/api/v1/namespaces', { body: namespace });
      const gone = await request(server, 'DELETE', '/api/v1/namespaces/leaving');
      expect(gone.body.status).toEqual({ phase: 'Terminating' });
      const refused = await request(server, 'POST', probePath('', 'leaving'), { body: probe('late') });
      expect([refused.status, refused.body.reason]).toEqual([403, 'Forbidden']);
      expect(refused.body.details?.causes).toMatchObject([
        { reason: 'NamespaceTerminating', field: 'metadata.namespace' },
      ]);
    });
  });
}
