import { beforeAll, expect, test } from 'vitest';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { FIRST_TYPES } from '#test/support/cluster-lists.ts';
import type { AuditEntry } from './support/audit-log.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createAll, createNamespace } from './world/api.ts';
import { runHere, runProcess, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW } from './world/times.ts';

const SCHEDULES = 1200;
const PAGE = 500;
const DUE = 4;
const FURTHER_PAGES = Math.ceil(SCHEDULES / PAGE) - 1;

const BUILT_IN = new Set(['', 'batch', 'events.k8s.io']);

let sent: SentRequests;

function pathsOf(requests: readonly AuditEntry[]): readonly string[] {
  return requests.map(({ requestURI }) => requestURI.split('?')[0] ?? '').sort();
}

/** One list of each type over all namespaces, and what came besides. */
function expected(further: readonly string[] = []): readonly string[] {
  return [...FIRST_TYPES.map((type) => resourcePath(type, { namespace: '' })), ...further].sort();
}

async function createSchedules(): Promise<void> {
  const server = await sharedServer();
  await createNamespace(server, 'vaults');
  const spec = { schedule: DAILY, suspend: true };
  const policies = Array.from({ length: SCHEDULES }, (_, index) =>
    defragPolicy(`vaults/policy-${String(index).padStart(4, '0')}`, { spec }),
  );
  await createAll(server, POLICY, policies);
}

describeOnServer('an idle tick', () => {
  beforeAll(async () => {
    sent = sentTo(await sharedServer());
  });

  test('in a cluster without any operator asks once for each type and says once what is absent', async () => {
    const { kubeconfig } = await sharedServer();
    const { code, stdout, stderr } = await runProcess(tickAt(kubeconfig, NOW));
    expect(code).toBe(0);
    expect(stdout).toContain('No schedules were found.');
    const absent = FIRST_TYPES.filter(({ group }) => !BUILT_IN.has(group)).map(({ plural }) => plural);
    // Groups have the names of types in them.
    const plurals = stderr.replaceAll(/\([^)]*\)/g, '');
    const named = (plurals.match(/\w+/g) ?? []).filter((word) => absent.includes(word));
    expect(named.sort(), stderr).toEqual(absent.sort());
    expect(stderr).toMatch(/\n1 note\.\n$/);
    const requests = await sent.next();
    expect(requests.filter(isWrite).map(lineOf)).toEqual([]);
    expect(pathsOf(requests)).toEqual(expected());
  });

  test('over many schedules writes nothing and asks only for further pages besides', async () => {
    const server = await sharedServer();
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createSchedules();
    const first = await runHere(tickAt(server.kubeconfig, NOW));
    expect(first.code, first.stderr).toBe(0);
    expect((await sent.next()).filter(isWrite)).toHaveLength(SCHEDULES);

    const { code, stdout, stderr } = await runProcess(tickAt(server.kubeconfig, NOW));
    expect(stdout).toContain('Nothing to do for 1,200 schedules');
    expect([code, stderr]).toEqual([0, '']);
    const requests = await sent.next();
    expect(requests.filter(isWrite).map(lineOf)).toEqual([]);
    const policies = resourcePath(POLICY, { namespace: '' });
    expect(pathsOf(requests)).toEqual(expected(Array(FURTHER_PAGES).fill(policies)));
    console.log(
      `an idle tick over ${SCHEDULES} schedules: ${requests.length} requests ` +
        `(${FIRST_TYPES.length} types, ${FURTHER_PAGES} further pages), no write`,
    );
  });

  test('with some slots due sends three requests for each, or two without events, and reads runs only beside them', async () => {
    const server = await sharedServer();
    await createNamespace(server, 'cellars');
    const names = Array.from({ length: DUE }, (_, index) => `policy-${index}`);
    const spec = { schedule: DAILY, concurrencyPolicy: 'Allow' };
    for (const name of names) await create(server, POLICY, defragPolicy(`cellars/${name}`, { spec }));
    await sent.next();
    const { code, stderr } = await runHere(tickAt(server.kubeconfig, NOW));
    expect([code, stderr]).toEqual([0, '']);
    const first = await sent.next();
    const each = (lines: readonly string[]) =>
      lines.map((line) => line.split(' ').slice(0, 2).join(' ')).sort();
    const writes = first.filter(isWrite).map(lineOf);
    const createsAndStatuses = ['create etcddefrags', 'patch etcddefragpolicies/status'];
    expect(each(writes)).toEqual(
      ['create events', ...createsAndStatuses].flatMap((line) => Array(DUE).fill(line)).sort(),
    );
    const pages = Array(FURTHER_PAGES).fill(resourcePath(POLICY, { namespace: '' }));
    const lists = first.filter(({ verb }) => verb === 'list');
    expect(pathsOf(lists)).toEqual(expected([resourcePath(DEFRAG, { namespace: 'cellars' }), ...pages]));

    const dayLater = tickAt(server.kubeconfig, daysAfter(NOW, 1), '--events=off');
    expect((await runHere(dayLater)).code).toBe(0);
    const second = (await sent.next()).filter(({ objectRef }) => objectRef?.namespace === 'cellars');
    expect(each(second.filter(isWrite).map(lineOf))).toEqual(
      createsAndStatuses.flatMap((line) => Array(DUE).fill(line)).sort(),
    );
  });
});
