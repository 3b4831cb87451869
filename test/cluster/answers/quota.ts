import { describe, expect, test } from 'vitest';
import type { Answer, Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { sharedServer } from '#test/cluster/support/with-server.ts';
import { probe, probePath } from './probe.ts';

const COUNT = 'count/probes.test.minutehand.dev';

async function namespaceWithQuota(server: Endpoint, name: string): Promise<string> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await request(server, 'POST', '/api/v1/namespaces', { body: namespace });
  const path = `/api/v1/namespaces/${name}/resourcequotas`;
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few' },
    spec: { hard: { [COUNT]: '1' } },
  };
  const made = await request(server, 'POST', path, { body: quota });
  expect(made.status, made.text).toBe(201);
  return `${path}/few/status`;
}

async function writeQuotaStatus(server: Endpoint, path: string, status: object): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const written = await request(server, 'PATCH', path, { body: { status }, contentType });
  expect(written.status, written.text).toBe(200);
}

/** The admission looks at a cache, which may be a moment behind. */
function answerOf(server: Endpoint, namespace: string, what: string, isIt: (answer: Answer) => boolean) {
  return until(what, async () => {
    const path = `${probePath('', namespace)}?dryRun=All`;
    const answer = await request(server, 'POST', path, { body: probe('b') });
    return isIt(answer) ? answer : undefined;
  });
}

export function quotaAnswers(): void {
  describe('create under a quota', () => {
    test('that is not counted yet is 403, status unknown; one without any status restrains nobody', async () => {
      const server = await sharedServer();
      const statusPath = await namespaceWithQuota(server, 'uncounted');
      await writeQuotaStatus(server, statusPath, { hard: { [COUNT]: '1' } });
      const refused = await answerOf(server, 'uncounted', 'refusal', ({ status }) => status === 403);
      expect([refused.body.reason, refused.headers['retry-after']]).toEqual(['Forbidden', undefined]);
      expect(refused.body.message).toContain(`status unknown for quota: few, resources: ${COUNT}`);
      await writeQuotaStatus(server, statusPath, { hard: null });
      await answerOf(server, 'uncounted', 'creation', ({ status }) => status === 201);
    });

    test('that is used up is 403 Forbidden and names the quota, without any cause', async () => {
      const server = await sharedServer();
      const statusPath = await namespaceWithQuota(server, 'exhausted');
      await writeQuotaStatus(server, statusPath, { hard: { [COUNT]: '1' }, used: { [COUNT]: '1' } });
      const refused = await answerOf(server, 'exhausted', 'refusal', ({ status }) => status === 403);
      expect(refused.body.reason).toBe('Forbidden');
      expect(refused.body.message).toContain('exceeded quota: few, requested: ');
      expect(refused.body.message).toContain(`requested: ${COUNT}=1, used: ${COUNT}=1, limited: ${COUNT}=1`);
      expect(refused.body.details).toEqual({ name: 'b', group: 'test.minutehand.dev', kind: 'probes' });
    });
  });
}
