import { describe, expect, test } from 'vitest';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import {
  applyAt,
  createProbe,
  OTHER_UID,
  probe,
  probePath,
  readProbe,
  resourceVersionOf,
  uidOf,
} from './probe.ts';

export function applyAnswers(): void {
  describe('apply to an object itself', () => {
    test('ignores status', async () => {
      const server = await sharedServer();
      await createProbe(server, 'main');
      const body = probe('main', { status: { lastSlot: 'a' } });
      const applied = await applyAt(server, probePath('main'), body, { query: 'force=true' });
      expect(applied.status, applied.text).toBe(200);
      expect((await readProbe(server, 'main')).status).toBeUndefined();
    });

    test('with a uid does not create what is missing', async () => {
      const server = await sharedServer();
      const uid = uidOf(await createProbe(server, 'other'));
      const body = probe('gone', { metadata: { name: 'gone', uid } });
      const refused = await applyAt(server, probePath('gone'), body);
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.message).toContain('uid mismatch');
      expect((await request(server, 'GET', probePath('gone'))).status).toBe(404);
    });

    test('with another uid than that of the object is 422 Invalid', async () => {
      const server = await sharedServer();
      await createProbe(server, 'replaced');
      const body = probe('replaced', { metadata: { name: 'replaced', uid: OTHER_UID } });
      const refused = await applyAt(server, probePath('replaced'), body);
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.details?.causes).toContainEqual(
        expect.objectContaining({ field: 'metadata.uid', reason: 'FieldValueInvalid' }),
      );
    });

    test('with only a resourceVersion does create what is missing', async () => {
      const server = await sharedServer();
      const resourceVersion = resourceVersionOf(await createProbe(server, 'read'));
      const body = probe('risen', { metadata: { name: 'risen', resourceVersion } });
      const created = await applyAt(server, probePath('risen'), body);
      expect(created.status, created.text).toBe(201);
    });

    test('of an undeclared field of spec fails with 500 as well', async () => {
      const server = await sharedServer();
      await createProbe(server, 'undeclared-spec');
      const body = probe('undeclared-spec', { spec: { jitter: '5m' } });
      const refused = await applyAt(server, probePath('undeclared-spec'), body);
      expect(refused.status).toBe(500);
      expect(refused.body.message).toMatch(/\.spec\.jitter: field not declared in schema$/);
    });

    test('with fieldValidation=Strict refuses a key that stands twice', async () => {
      const server = await sharedServer();
      await createProbe(server, 'twice');
      const text = JSON.stringify(probe('twice')).replace('"spec":', '"spec":{},"spec":');
      const path = `${probePath('twice')}?fieldManager=minutehand&fieldValidation=Strict`;
      const contentType = 'application/apply-patch+yaml';
      const refused = await request(server, 'PATCH', path, { body: text, contentType });
      expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest']);
      expect(refused.body.message).toContain('key "spec" already set');
    });
  });
}
