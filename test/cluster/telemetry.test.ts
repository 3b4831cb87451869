import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { fromJSONSchema } from 'zod';
import { answerClass } from '#core/requests.ts';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { AuditEntry } from './support/audit-log.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, NOW } from './world/times.ts';

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  create: 'POST',
  patch: 'PATCH',
  delete: 'DELETE',
};

let sent: SentRequests;

function tally(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

/** The same as the server counts it. */
function counted(requests: readonly AuditEntry[]): object {
  return {
    total: requests.length,
    verbs: tally(requests.map(({ verb }) => METHODS[verb] ?? verb)),
    answers: tally(requests.map(({ responseStatus }) => answerClass(responseStatus?.code ?? 0))),
    retries: 0,
    throttled: 0,
  };
}

async function tickLine(...more: readonly string[]): Promise<{
  readonly line: Readonly<Record<string, unknown>>;
  readonly stdout: string;
}> {
  const { kubeconfig } = await sharedServer();
  const { code, stdout, stderr } = await runHere([
    ...tickAt(kubeconfig, NOW),
    '--log-format',
    'json',
    ...more,
  ]);
  expect([code, stderr]).toEqual([0, '']);
  const published = fromJSONSchema(JSON.parse(await readFile('examples/log-line.schema.json', 'utf8')));
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(published.safeParse(line).error, JSON.stringify(line)).toBe(undefined);
  return { line: lines.at(-1), stdout };
}

describeOnServer('what a tick on a cluster tells of itself', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    sent = sentTo(server);
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createNamespace(server, 'vaults');
    await create(server, POLICY, defragPolicy('vaults/nightly', { spec: { schedule: DAILY } }));
  });

  test('a dry run counts its requests as the server does, and says that nothing was stored', async () => {
    await sent.next();
    const { line } = await tickLine('--dry-run=server');
    expect(line).toMatchObject({
      type: 'tick',
      dryRun: true,
      schedules: { total: 1, verdicts: { fired: 1 } },
    });
    expect(line['requests']).toEqual(counted(await sent.next()));
  });

  test('so does a tick that writes, in its log and in what it pushes', async () => {
    const { url, received } = await startReceiver();
    await sent.next();
    const { line, stdout } = await tickLine('--pushgateway', url);
    const requests = await sent.next();
    expect(line['requests']).toEqual(counted(requests));
    expect(stdout).toContain('"verb":"create","because":"SlotDue"');
    const body = String(received[0]?.body);
    for (const [method, count] of Object.entries(tally(requests.map(({ verb }) => METHODS[verb] ?? verb)))) {
      const series = [
        ...body.matchAll(new RegExp(`^minutehand_requests{verb="${method}",code="\\w+"} (\\d+)$`, 'gm')),
      ];
      expect([method, series.reduce((sum, [, value]) => sum + Number(value), 0)]).toEqual([method, count]);
    }
    expect(body).toContain('minutehand_schedules{kind="EtcdDefragPolicy",verdict="fired"} 1\n');
  });

  test('an idle tick is one line', async () => {
    await sent.next();
    const { line, stdout } = await tickLine();
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(line).toMatchObject({ schedules: { total: 1, verdicts: { waiting: 1 } }, changes: { total: 0 } });
    expect(line['requests']).toEqual(counted(await sent.next()));
  });
});
