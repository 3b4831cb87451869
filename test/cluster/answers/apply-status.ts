import { describe, expect, test } from 'vitest';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import {
  applyStatus,
  createProbe,
  OTHER_UID,
  probePath,
  readProbe,
  resourceVersionOf,
  uidOf,
} from './probe.ts';

export function applyStatusAnswers(): void {
  describe('apply to /status', () => {
    test('with the current resourceVersion is done and owned by our manager for the subresource', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'current');
      const metadata = { uid: uidOf(made), resourceVersion: resourceVersionOf(made) };
      const applied = await applyStatus(server, 'current', { lastSlot: 'a' }, { metadata });
      expect(applied.status, applied.text).toBe(200);
      expect(applied.body.metadata?.managedFields).toContainEqual(
        expect.objectContaining({
          manager: 'minutehand',
          operation: 'Apply',
          subresource: 'status',
          fieldsV1: { 'f:status': { 'f:lastSlot': {} } },
        }),
      );
    });

    test('with a stale resourceVersion is a Conflict', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'stale');
      await applyStatus(server, 'stale', { lastSlot: 'a' });
      const metadata = { resourceVersion: resourceVersionOf(made) };
      const refused = await applyStatus(server, 'stale', { lastSlot: 'b' }, { metadata });
      expect(refused.status).toBe(409);
      expect(refused.body.reason).toBe('Conflict');
      expect(refused.body.message).toContain('object has been modified');
      expect(refused.body.details?.causes).toBeUndefined();
      expect(await readProbe(server, 'stale')).toMatchObject({ status: { lastSlot: 'a' } });
    });

    test('with the uid of another object is done all the same: only the resourceVersion guards', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'uid');
      const metadata = { uid: OTHER_UID };
      const applied = await applyStatus(server, 'uid', { lastSlot: 'a' }, { metadata });
      expect(applied.status, applied.text).toBe(200);
      expect(applied.body).toMatchObject({ metadata: { uid: uidOf(made) }, status: { lastSlot: 'a' } });
    });

    test('of the same again leaves the resourceVersion', async () => {
      const server = await sharedServer();
      await createProbe(server, 'again');
      const first = await applyStatus(server, 'again', { lastSlot: 'a' });
      const second = await applyStatus(server, 'again', { lastSlot: 'a' });
      expect(second.status).toBe(200);
      expect(resourceVersionOf(second.body)).toBe(resourceVersionOf(first.body));
    });

    test('of a missing object is 404', async () => {
      const server = await sharedServer();
      const refused = await applyStatus(server, 'nowhere', { lastSlot: 'a' });
      expect([refused.status, refused.body.reason]).toEqual([404, 'NotFound']);
    });

    test('takes nothing from a manager that wrote the field by Update, unless by force', async () => {
      const server = await sharedServer();
      await createProbe(server, 'taken');
      await applyStatus(server, 'taken', { lastSlot: 'ours', nextSlot: 'ours' });
      const path = `${probePath('taken')}/status?fieldManager=controller`;
      const taken = await request(server, 'PATCH', path, {
        body: { status: { lastSlot: 'theirs' } },
        contentType: 'application/merge-patch+json',
      });
      expect(taken.status).toBe(200);
      const owners = taken.body.metadata?.managedFields?.filter(
        ({ subresource }) => subresource === 'status',
      );
      expect(owners).toEqual([
        expect.objectContaining({
          manager: 'minutehand',
          operation: 'Apply',
          fieldsV1: { 'f:status': { 'f:nextSlot': {} } },
        }),
        expect.objectContaining({
          manager: 'controller',
          operation: 'Update',
          fieldsV1: { 'f:status': { 'f:lastSlot': {} } },
        }),
      ]);

      const refused = await applyStatus(server, 'taken', { lastSlot: 'ours', nextSlot: 'ours' });
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.details?.causes).toEqual([
        {
          reason: 'FieldManagerConflict',
          message: expect.stringContaining('conflict with "controller" with subresource "status"'),
          field: '.status.lastSlot',
        },
      ]);

      const fields = { lastSlot: 'ours' };
      const forced = await applyStatus(server, 'taken', fields, { query: 'force=true' });
      expect(forced.status).toBe(200);
      expect(forced.body.status).toEqual({ lastSlot: 'ours' });
    });

    test('removes the fields that we owned and no longer name, and those alone', async () => {
      const server = await sharedServer();
      await createProbe(server, 'fewer');
      await applyStatus(server, 'fewer', { failures: 3 }, { manager: 'other' });
      await applyStatus(server, 'fewer', { lastSlot: 'a', nextSlot: 'b' });
      const fewer = await applyStatus(server, 'fewer', { lastSlot: 'a' });
      expect(fewer.body.status).toEqual({ failures: 3, lastSlot: 'a' });
    });

    test.each(['Ignore', 'Warn', 'Strict'])(
      'of a field that the definition does not declare fails with 500 and writes nothing (%s)',
      async (validation) => {
        const server = await sharedServer();
        const name = `undeclared-${validation.toLowerCase()}`;
        const made = await createProbe(server, name);
        const query = `fieldValidation=${validation}`;
        const refused = await applyStatus(server, name, { lastSlot: 'a', jitter: 'b' }, { query });
        // The only refusals without a reason are those that the server did not foresee.
        expect([refused.status, refused.body.reason]).toEqual([500, undefined]);
        expect(refused.body.message).toMatch(/\.status\.jitter: field not declared in schema$/);
        expect(await readProbe(server, name)).toEqual(made);
      },
    );

    test('names only one of two undeclared fields', async () => {
      const server = await sharedServer();
      await createProbe(server, 'undeclared-two');
      const refused = await applyStatus(server, 'undeclared-two', { jitter: 'b', drift: 'c' });
      expect(refused.status).toBe(500);
      expect(refused.body.message).toMatch(/\.status\.(jitter|drift): field not declared in schema$/);
      expect(refused.body.message).not.toMatch(/jitter.*drift|drift.*jitter/s);
    });

    test('names an undeclared field inside a list with its place', async () => {
      const server = await sharedServer();
      await createProbe(server, 'undeclared-deep');
      const refused = await applyStatus(server, 'undeclared-deep', {
        conditions: [{ type: 'Ready', since: 'a' }],
      });
      expect(refused.status).toBe(500);
      expect(refused.body.message).toMatch(
        /\.status\.conditions\[type="Ready"\]\.since: field not declared in schema$/,
      );
    });

    test('of a value of the wrong type fails with 500 too, with words of its own', async () => {
      const server = await sharedServer();
      await createProbe(server, 'mistyped');
      const refused = await applyStatus(server, 'mistyped', { failures: 'many' });
      expect([refused.status, refused.text]).toEqual([500, expect.stringContaining('.status.failures')]);
      expect(refused.body.message).not.toContain('not declared in schema');
    });

    test('with dryRun=All answers as if it were done and writes nothing', async () => {
      const server = await sharedServer();
      const made = await createProbe(server, 'dry');
      const dry = await applyStatus(server, 'dry', { lastSlot: 'a' }, { query: 'dryRun=All' });
      expect(dry.status).toBe(200);
      expect(dry.body.status).toEqual({ lastSlot: 'a' });
      expect(await readProbe(server, 'dry')).toEqual(made);
    });

    test('drops changed annotations without a word', async () => {
      const server = await sharedServer();
      await createProbe(server, 'annotated');
      const metadata = { annotations: { 'minutehand.dev/slot': 'a' } };
      const applied = await applyStatus(server, 'annotated', { lastSlot: 'a' }, { metadata });
      expect(applied.status).toBe(200);
      expect(applied.headers['warning']).toBeUndefined();
      expect(applied.body.metadata?.annotations).toBeUndefined();
    });

    test('lets two managers own entries of a list of type map, but only the whole of an atomic one', async () => {
      const server = await sharedServer();
      await createProbe(server, 'lists');
      const ours = { type: 'Ready', status: 'True' };
      const theirs = { type: 'Synced', status: 'True' };
      await applyStatus(server, 'lists', { conditions: [theirs] }, { manager: 'other' });
      const both = await applyStatus(server, 'lists', { conditions: [ours] });
      expect(both.body.status).toEqual({ conditions: [theirs, ours] });

      await applyStatus(server, 'lists', { marks: [theirs] }, { manager: 'other' });
      const refused = await applyStatus(server, 'lists', { conditions: [ours], marks: [theirs, ours] });
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.details?.causes).toMatchObject([
        { reason: 'FieldManagerConflict', field: '.status.marks' },
      ]);
    });
  });
}
