import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { onLoopback } from '#test/support/on-loopback.ts';
import { openOn } from './support.ts';

const NAMES = Array.from({ length: 300 }, (_, index) => `nightly-${index}-Zürich`);

function listText(): string {
  const items = NAMES.map((name) => ({
    metadata: { name, namespace: 'n', uid: name, resourceVersion: '1' },
  }));
  return JSON.stringify({ kind: 'CronJobList', apiVersion: 'batch/v1', metadata: {}, items });
}

/** A server that compresses for whoever takes that; each answer is made of what it would be. */
async function compressing(...answers: readonly ((whole: Buffer) => Buffer)[]): Promise<string> {
  const left = [...answers];
  const server = createServer(({ headers }, reply) => {
    if (!String(headers['accept-encoding']).includes('gzip')) return reply.writeHead(406).end();
    reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    return reply.end((left.shift() ?? ((whole) => whole))(gzipSync(listText())));
  });
  return `http://${await onLoopback(server)}`;
}

describe('a list that the server compresses', () => {
  test('is read as it is', async () => {
    const store = openOn(await compressing());
    const listing = await store.list(CRON_JOB);
    const names = listing.state === 'read' ? listing.objects.map(({ object }) => object.metadata.name) : [];
    expect(names.sort()).toEqual([...NAMES].sort());
    await store.close();
  });

  test.each([
    ['is cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ['is something else', () => Buffer.from(listText())],
    ['has another checksum', (whole: Buffer) => Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)])],
  ])('and that %s is asked for again, else unreadable', async (_name, spoil) => {
    const again = openOn(await compressing(spoil));
    expect(await again.list(CRON_JOB)).toMatchObject({ state: 'read' });
    await again.close();
    const never = openOn(await compressing(spoil), { retryBudgetMs: 0 });
    expect(await never.list(CRON_JOB)).toMatchObject({
      state: 'unreadable',
      reason: 'the answer is compressed in a way that cannot be read',
    });
    await never.close();
  });
});
