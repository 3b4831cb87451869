import { describe, expect, test } from 'vitest';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { applyStatus, createProbe, probePath, readProbe, resourceVersionOf, uidOf } from './probe.ts';

function deleteProbe(server: Endpoint, name: string, preconditions: object = {}): Promise<Answer> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions };
  return request(server, 'DELETE', probePath(name), { body });
}

export function deleteAnswers(): void {
  describe('delete', () => {
    test('with the uid and the resourceVersion that were read is done', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'doomed');
      const preconditions = { uid: uidOf(made), resourceVersion: resourceVersionOf(made) };
      const deleted = await deleteProbe(server, 'doomed', preconditions);
      expect(deleted.status, deleted.text).toBe(200);
      expect(deleted.body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { uid: uidOf(made) },
      });
      expect((await request(server, 'GET', probePath('doomed'))).status).toBe(404);
    });

    test('with a stale resourceVersion is a Conflict and the object stays', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'changed');
      await applyStatus(server, 'changed', { phase: 'Done' });
      const preconditions = { uid: uidOf(made), resourceVersion: resourceVersionOf(made) };
      const refused = await deleteProbe(server, 'changed', preconditions);
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.message).toContain('the ResourceVersion in the precondition');
      expect(await readProbe(server, 'changed')).toMatchObject({ status: { phase: 'Done' } });
    });

    test('with the uid of an object that was made anew is a Conflict', async () => {
      const server = await sharedServer();
      const { metadata } = await createProbe(server, 'anew');
      await deleteProbe(server, 'anew');
      await createProbe(server, 'anew');
      const refused = await deleteProbe(server, 'anew', { uid: metadata?.uid });
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.message).toContain('the UID in the precondition');
    });

    test('of what is missing is 404', async () => {
      const server = await sharedServer();
      const refused = await deleteProbe(server, 'never');
      expect([refused.status, refused.body.reason]).toEqual([404, 'NotFound']);
    });

    test('of what a finalizer holds answers with the object, and again the same', async () => {
      const server = await sharedServer();
      const finalizers = ['test.minutehand.dev/held'];
      await createProbe(server, 'held', { metadata: { name: 'held', finalizers } });
      const first = await deleteProbe(server, 'held');
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({ kind: 'Probe', metadata: { finalizers } });
      expect(first.body.metadata?.deletionTimestamp).toMatch(/Z$/);
      const second = await deleteProbe(server, 'held');
      expect(second.status).toBe(200);
      expect(second.body).toEqual(first.body);
    });

    test('with dryRun=All answers as if it were done and deletes nothing', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'dry-delete');
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
      const dry = await request(server, 'DELETE', probePath('dry-delete'), { body });
      expect(dry.status).toBe(200);
      expect(await readProbe(server, 'dry-delete')).toEqual(made);
    });
  });
}
