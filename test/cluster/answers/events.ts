import { describe, expect, test } from 'vitest';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { API_VERSION } from './probe.ts';

function eventsIn(namespace: string): string {
  return `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
}

function createEvent(
  server: Endpoint,
  name: string,
  fields: object = {},
  namespace = 'default',
): Promise<Answer> {
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name },
    eventTime: '2026-06-10T03:00:10.000000Z',
    reportingController: 'minutehand',
    reportingInstance: 'minutehand-tick',
    action: 'Start',
    reason: 'Fired',
    type: 'Normal',
    note: 'slot 2026-06-10T03:00:00Z',
    regarding: { apiVersion: API_VERSION, kind: 'Probe', namespace: 'default', name: 'a' },
    ...fields,
  };
  return request(server, 'POST', eventsIn(namespace), { body });
}

export function eventAnswers(): void {
  describe('events.k8s.io/v1', () => {
    test.each(['reportingInstance', 'action', 'reason'])(
      'takes 128 characters of %s and no more',
      async (field) => {
        const server = await sharedServer();
        const name = `long-${field.toLowerCase()}`;
        const made = await createEvent(server, name, { [field]: 'a'.repeat(128) });
        expect(made.status, made.text).toBe(201);
        const refused = await createEvent(server, `${name}-2`, { [field]: 'a'.repeat(129) });
        expect(refused.status, refused.text).toBe(422);
        expect(refused.body.details?.causes).toMatchObject([{ field }]);
      },
    );

    test('takes 63 characters of reportingController after its domain and no more', async () => {
      const server = await sharedServer();
      const long = { reportingController: `minutehand.dev/${'a'.repeat(63)}` };
      expect((await createEvent(server, 'controller', long)).status).toBe(201);
      const longer = { reportingController: `minutehand.dev/${'a'.repeat(64)}` };
      const refused = await createEvent(server, 'controller-2', longer);
      expect([refused.status, refused.body.details?.causes]).toMatchObject([
        422,
        [{ field: 'reportingController' }],
      ]);
    });

    test('takes 1,024 bytes of a note and no more', async () => {
      const server = await sharedServer();
      expect((await createEvent(server, 'note', { note: 'a'.repeat(1024) })).status).toBe(201);
      const long = await createEvent(server, 'note-2', { note: 'a'.repeat(1025) });
      expect([long.status, long.body.details?.causes]).toMatchObject([422, [{ field: 'message' }]]);
      const wide = await createEvent(server, 'note-3', { note: 'ä'.repeat(513) });
      expect(wide.status).toBe(422);
    });

    test('about what has no namespace lies in default or kube-system', async () => {
      const server = await sharedServer();
      const regarding = { apiVersion: 'v1', kind: 'Namespace', name: 'default' };
      expect((await createEvent(server, 'cluster-scoped', { regarding })).status).toBe(201);
      const refused = await createEvent(server, 'cluster-scoped', { regarding }, 'kube-public');
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.details?.causes).toMatchObject([{ field: 'involvedObject.namespace' }]);
    });

    test('may lie elsewhere than what it regards, and nobody looking there finds it', async () => {
      const server = await sharedServer();
      const regarding = { apiVersion: API_VERSION, kind: 'Probe', namespace: 'kube-system', name: 'astray' };
      expect((await createEvent(server, 'astray', { regarding })).status).toBe(201);
      const selector = 'fieldSelector=regarding.name%3Dastray';
      const list = await request(server, 'GET', `${eventsIn('kube-system')}?${selector}`);
      expect([list.status, list.body.items]).toEqual([200, []]);
    });

    test.each([
      ['no fraction', '2026-06-10T03:00:10Z'],
      ['milliseconds', '2026-06-10T03:00:10.000Z'],
      ['nanoseconds', '2026-06-10T03:00:10.000000000Z'],
    ])('refuses a time with %s: six digits it must have', async (name, eventTime) => {
      const server = await sharedServer();
      const refused = await createEvent(server, `time-${name.replace(' ', '-')}`, { eventTime });
      expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest']);
      expect(refused.body.message).toContain('as "2006-01-02T15:04:05.000000Z07:00"');
    });

    test.each(['action', 'reason', 'reportingInstance', 'eventTime', 'type'])(
      'is refused without %s',
      async (field) => {
        const server = await sharedServer();
        const refused = await createEvent(server, `no-${field.toLowerCase()}`, { [field]: undefined });
        expect(refused.status, refused.text).toBe(422);
        expect(refused.body.details?.causes).toMatchObject([{ field }]);
      },
    );

    test('of a name that is taken is AlreadyExists', async () => {
      const server = await sharedServer();
      expect((await createEvent(server, 'once')).status).toBe(201);
      const refused = await createEvent(server, 'once');
      expect([refused.status, refused.body.reason]).toEqual([409, 'AlreadyExists']);
    });

    test('is selected by reportingController, in this group and not in the core one', async () => {
      const server = await sharedServer();
      await createEvent(server, 'selected', { reportingController: 'chosen.dev/one' });
      const selector = 'fieldSelector=reportingController%3Dchosen.dev%2Fone';
      const list = await request(server, 'GET', `${eventsIn('default')}?${selector}`);
      expect(list.status, list.text).toBe(200);
      expect(list.body.items?.map((item) => item.metadata?.name)).toEqual(['selected']);
      const core = await request(server, 'GET', `/api/v1/namespaces/default/events?${selector}`);
      expect([core.status, core.body.reason]).toEqual([400, 'BadRequest']);
    });
  });
}
