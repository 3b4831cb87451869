import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { kubeconfigText } from './support/kubeconfig.ts';
import { request } from './support/request.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, must, namesOf } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, NOW, SLOT } from './world/times.ts';

const NAMES = ['a', 'b', 'c'];
const RUNS = NAMES.map((name) => `${name}-${SLOT}`);
const LATE = RUNS.slice(1);
const ACCOUNT = 'ticker';
/** The server remembers for ten seconds that a token was good. */
const FORGOTTEN = 20_000;

let sent: SentRequests;

/** Three schedules, and an account that may do everything. */
async function plant(namespace: string): Promise<string> {
  const server = await sharedServer();
  await createNamespace(server, namespace);
  for (const name of NAMES) {
    await create(server, POLICY, defragPolicy(`${namespace}/${name}`, { spec: { schedule: DAILY } }));
  }
  await must(server, 'POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
    metadata: { name: ACCOUNT },
  });
  await must(server, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }],
  });
  return server.tokenFor(namespace, ACCOUNT);
}

/** Returns when the server takes the token no more. */
async function revoke(namespace: string, token: string): Promise<void> {
  const server = await sharedServer();
  await must(server, 'DELETE', `/api/v1/namespaces/${namespace}/serviceaccounts/${ACCOUNT}`);
  await until(
    `the token of ${namespace} is refused`,
    async () => {
      const { status } = await request(server, 'GET', '/api/v1/namespaces/default', { token });
      return status === 401 ? true : undefined;
    },
    FORGOTTEN,
  );
}

/** A tick whose token is good until the runs of `b` and `c` are to be created, which go side by side. */
async function interruptedTick(
  namespace: string,
  afterwards: (kubeconfig: string) => Promise<void>,
): Promise<CliResult> {
  const server = await sharedServer();
  const token = await plant(namespace);
  const kubeconfig = await server.kubeconfigFor(token);
  const revokeOnce = async (): Promise<void> => {
    await revoke(namespace, token);
    await afterwards(kubeconfig);
  };
  let revoking: Promise<void> | undefined;
  return runHere(tickAt(kubeconfig, NOW, '-n', namespace), async ({ verb, key }) => {
    if (verb !== 'create' || !LATE.includes(key.name)) return;
    revoking ??= revokeOnce();
    await revoking;
  });
}

describeOnServer('a token that is revoked in the middle of a tick', () => {
  let revoked: CliResult;
  let renewed: CliResult;

  beforeAll(async () => {
    const server = await sharedServer();
    sent = sentTo(server);
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    [revoked, renewed] = await Promise.all([
      interruptedTick('revoked', async () => {}),
      interruptedTick('renewed', (file) => writeFile(file, kubeconfigText(server, server.adminToken))),
    ]);
  }, 60_000);

  test('fails every write that is left by name, and what was written stays', async () => {
    const server = await sharedServer();
    expect(revoked.code).toBe(3);
    const errors = ['b', 'c'].flatMap((name) => [
      `error WriteFailed: apply of EtcdDefragPolicy ${name}: Unauthorized\n  object: EtcdDefragPolicy revoked/${name}\n`,
      `error WriteFailed: create of EtcdDefrag ${name}-${SLOT}: Unauthorized\n  object: EtcdDefrag revoked/${name}-${SLOT}\n`,
    ]);
    expect(revoked.stderr).toBe(`${errors.join('')}4 errors.\n`);
    expect(namesOf(await listAll(server, DEFRAG, 'revoked'))).toEqual([`a-${SLOT}`]);
  });

  test('is read anew where the kubeconfig has another one meanwhile', async () => {
    const server = await sharedServer();
    expect([renewed.code, renewed.stderr]).toEqual([0, '']);
    expect(namesOf(await listAll(server, DEFRAG, 'renewed'))).toEqual(RUNS);
  });

  test('costs no slot: the next tick with a good one makes up for what is missing', async () => {
    const server = await sharedServer();
    await sent.next();
    const { code, stderr } = await runHere(tickAt(server.kubeconfig, NOW, '-n', 'revoked'));
    expect([code, stderr]).toEqual([0, '']);
    const writes = (await sent.next())
      .filter(isWrite)
      .filter(({ objectRef }) => objectRef?.resource !== 'events');
    expect(writes.map(lineOf).sort()).toEqual(
      ['b', 'c']
        .flatMap((name) => [
          `create etcddefrags revoked/${name}-${SLOT}`,
          `patch etcddefragpolicies/status revoked/${name}`,
        ])
        .sort(),
    );
    expect(namesOf(await listAll(server, DEFRAG, 'revoked'))).toEqual(RUNS);
  });

  test('and was bad from the start: nothing is read, and nothing done', async () => {
    const server = await sharedServer();
    await sent.next();
    const { code, stdout, stderr } = await runHere(tickAt(await server.kubeconfigFor('bad'), NOW));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('could not be read: the server does not accept the credentials (Unauthorized)');
    expect(stderr).toMatch(/\n1 error\.\n$/);
    expect((await sent.next()).filter(isWrite)).toEqual([]);
  });
});
