import { describe, expect, test } from 'vitest';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { createProbe, probePath, readProbe, resourceVersionOf, uidOf } from './probe.ts';

function jsonPatch(server: Endpoint, name: string, body: readonly object[]): Promise<Answer> {
  const path = `${probePath(name)}?fieldManager=minutehand`;
  return request(server, 'PATCH', path, { body, contentType: 'application/json-patch+json' });
}

function mergePatch(server: Endpoint, path: string, body: object): Promise<Answer> {
  return request(server, 'PATCH', path, { body, contentType: 'application/merge-patch+json' });
}

const SUSPEND = { op: 'add', path: '/spec/suspend', value: true };

export function patchAnswers(): void {
  describe('JSON Patch', () => {
    test('with tests on uid and resourceVersion that hold is done', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'tested');
      const done = await jsonPatch(server, 'tested', [
        { op: 'test', path: '/metadata/uid', value: uidOf(made) },
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersionOf(made) },
        SUSPEND,
      ]);
      expect(done.status, done.text).toBe(200);
      expect(done.body.spec).toEqual({ schedule: '@hourly', suspend: true });
    });

    test.each([
      ['a test fails', { op: 'test', path: '/metadata/resourceVersion', value: '1' }],
      ['it adds to what is not there', { op: 'add', path: '/metadata/annotations/a', value: 'a' }],
      ['it removes what is not there', { op: 'remove', path: '/metadata/annotations' }],
    ])('is 422 without a word of why where %s', async (why, operation) => {
      const server = await sharedServer();
      const name = why.replaceAll(' ', '-');
      const made = await createProbe(server, name);
      const refused = await jsonPatch(server, name, [operation, SUSPEND]);
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.message).toBe('the server rejected our request due to an error in our request');
      expect(refused.body.details).toEqual({});
      expect(await readProbe(server, name)).toEqual(made);
    });

    test('that makes the object invalid is 422 too, with causes', async () => {
      const server = await sharedServer();
      await createProbe(server, 'invalid-patch');
      const mistyped = { op: 'add', path: '/spec/suspend', value: 'true' };
      const refused = await jsonPatch(server, 'invalid-patch', [mistyped]);
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.details?.causes).toMatchObject([{ field: 'spec.suspend' }]);
    });

    test('that sets the resourceVersion which was read is a Conflict where that is stale', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'set-version');
      const set = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersionOf(made) };
      expect((await jsonPatch(server, 'set-version', [set, SUSPEND])).status).toBe(200);
      const refused = await jsonPatch(server, 'set-version', [set, { ...SUSPEND, value: false }]);
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.message).toContain('object has been modified');
    });

    test('of an object that is missing is 404', async () => {
      const server = await sharedServer();
      expect((await jsonPatch(server, 'not-there', [SUSPEND])).status).toBe(404);
    });
  });

  describe('merge patch', () => {
    test('of an undeclared field of status is pruned with a warning', async () => {
      const server = await sharedServer();
      await createProbe(server, 'merged');
      const path = `${probePath('merged')}/status?fieldValidation=Warn`;
      const done = await mergePatch(server, path, { status: { lastSlot: 'a', jitter: 'b' } });
      expect(done.status).toBe(200);
      expect(done.headers['warning']).toBe('299 - "unknown field \\"status.jitter\\""');
      expect(done.body.status).toEqual({ lastSlot: 'a' });
    });

    test('with a stale resourceVersion is a Conflict', async () => {
      const server = await sharedServer();
      await createProbe(server, 'merge-stale');
      const body = { metadata: { resourceVersion: '1' }, spec: { suspend: true } };
      const refused = await mergePatch(server, probePath('merge-stale'), body);
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
    });
  });
}
