import { describe, expect, test } from 'vitest';
import type { ApiBody, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { applyAt, OTHER_UID } from './probe.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';

async function createJob(server: Endpoint, name: string): Promise<ApiBody> {
  const container = { name: 'a', image: 'a' };
  const body = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  };
  const made = await request(server, 'POST', JOBS, { body });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

function applyJobStatus(server: Endpoint, name: string, fields: object, manager?: string) {
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, ...fields };
  return applyAt(server, `${JOBS}/${name}/status`, body, manager === undefined ? {} : { manager });
}

export function jobAnswers(): void {
  describe('a Job', () => {
    test('keeps annotations that a write of its status changes', async () => {
      const server = await sharedServer();
      await createJob(server, 'annotated');
      const body = { metadata: { annotations: { 'minutehand.dev/backoff': '{}' } }, status: { failed: 1 } };
      const contentType = 'application/merge-patch+json';
      const done = await request(server, 'PATCH', `${JOBS}/annotated/status`, { body, contentType });
      expect(done.status, done.text).toBe(200);
      expect(done.body.metadata?.annotations).toEqual({ 'minutehand.dev/backoff': '{}' });
    });

    test('is selected by the number of its pods that succeeded', async () => {
      const server = await sharedServer();
      await createJob(server, 'succeeded');
      await createJob(server, 'waiting');
      const body = { status: { succeeded: 1 } };
      const contentType = 'application/merge-patch+json';
      await request(server, 'PATCH', `${JOBS}/succeeded/status`, { body, contentType });
      const list = await request(server, 'GET', `${JOBS}?fieldSelector=status.successful%3D1`);
      expect(list.body.items?.map((item) => item.metadata?.name)).toEqual(['succeeded']);
    });

    test('refuses a write of its status with the uid of another, where a custom object ignores it', async () => {
      const server = await sharedServer();
      await createJob(server, 'other-uid');
      const metadata = { name: 'other-uid', uid: OTHER_UID };
      const refused = await applyJobStatus(server, 'other-uid', { metadata, status: { failed: 1 } });
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect(refused.body.details?.causes).toContainEqual(expect.objectContaining({ field: 'metadata.uid' }));
    });

    test('has conditions that belong to one manager as a whole', async () => {
      const server = await sharedServer();
      await createJob(server, 'conditions');
      const suspended = { type: 'Suspended', status: 'False' };
      const first = await applyJobStatus(
        server,
        'conditions',
        { status: { conditions: [suspended] } },
        'other',
      );
      expect(first.status, first.text).toBe(200);
      const condition = { type: 'FailureTarget', status: 'True' };
      const status = { conditions: [suspended, condition] };
      const refused = await applyJobStatus(server, 'conditions', { status });
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.details?.causes).toMatchObject([{ field: '.status.conditions' }]);
    });
  });
}
