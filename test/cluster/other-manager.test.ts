import { beforeAll, describe, expect, test } from 'vitest';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { openCluster } from '#store/cluster/open-cluster.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import type { ApiBody } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import {
  APPLY,
  create,
  createNamespace,
  listAll,
  MERGE,
  must,
  namesOf,
  patchMetadata,
  patchStatus,
  pathOf,
  read,
  type Whereabouts,
} from './world/api.ts';
import { type BeforeWrite, runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

const OTHER = 'etcd-operator';
const SETTLED = '2026-06-09T03:00:00Z';

let sent: SentRequests;

function theirs(namespace: string): Whereabouts {
  return { type: POLICY, namespace, name: 'theirs' };
}

/** Two schedules, of which one is theirs. */
async function plant(namespace: string): Promise<Whereabouts> {
  const server = await sharedServer();
  await createNamespace(server, namespace);
  for (const name of ['ours', 'theirs']) {
    await create(server, POLICY, defragPolicy(`${namespace}/${name}`, { spec: { schedule: DAILY } }));
  }
  return theirs(namespace);
}

async function tick(namespace: string, now: Instant, before?: BeforeWrite): Promise<CliResult> {
  const { kubeconfig } = await sharedServer();
  return runHere(tickAt(kubeconfig, now, '-n', namespace), before);
}

/** As a restored copy, or a tool that drops what it does not know, leaves an object. */
async function forgetManagers(where: Whereabouts): Promise<void> {
  const server = await sharedServer();
  const body = await must(server, 'PATCH', pathOf(where), { metadata: { managedFields: [{}] } }, MERGE);
  expect(body.metadata?.managedFields ?? []).toEqual([]);
}

/** Somebody's `kubectl apply --server-side`: from now on the server keeps record. */
async function applyAsKubectl(where: Whereabouts, fields: object, subresource?: 'status'): Promise<ApiBody> {
  const { type, name } = where;
  const body = {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { name },
    ...fields,
  };
  const path = `${pathOf(where, subresource)}?fieldManager=kubectl`;
  return must(await sharedServer(), 'PATCH', path, body, APPLY);
}

/** Planned, explained and ticked over: the actor is named every time, and the object never written. */
async function expectObserved(where: Whereabouts, actor: string): Promise<void> {
  const server = await sharedServer();
  const { namespace, name } = where;
  const before = await read(server, where);
  const flags = ['--kubeconfig', server.kubeconfig, '--now', formatInstant(NOW), '-n', namespace];
  await sent.next();

  const plan = await runHere(['plan', ...flags]);
  const explained = await runHere(['explain', `etcddefragpolicy/${name}`, ...flags]);
  expect((await sent.next()).filter(isWrite)).toEqual([]);
  const ticked = await tick(namespace, NOW);
  for (const { code, stdout, stderr } of [plan, explained, ticked]) {
    expect(code).toBe(0);
    expect(stderr).toContain(`warning Observed: its status is written by ${actor}, so it is only observed`);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `minutehand adopt etcddefragpolicy/${name} -n ${namespace};`,
    );
    expect(stderr).toMatch(/\n1 warning\.\n$/);
    expect(stdout).toContain(`acted on by     ${actor}; nothing is written here`);
  }
  expect((await sent.next()).filter(isWrite).map(lineOf)).toEqual([
    `create etcddefrags ${namespace}/ours-${SLOT}`,
    `patch etcddefragpolicies/status ${namespace}/ours`,
    expect.stringContaining(`create events ${namespace}/ours.`),
  ]);
  expect(await read(server, where)).toEqual(before);
  expect(namesOf(await listAll(server, DEFRAG, namespace))).toEqual([`ours-${SLOT}`]);
}

describeOnServer('another manager', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    sent = sentTo(server);
    await install(server, await readDefinitions(OUR_DEFINITIONS));
  });

  describe('of the status makes a schedule observed', () => {
    test('when it is recorded', async () => {
      const where = await plant('recorded');
      await patchStatus(await sharedServer(), where, { lastScheduleTime: SETTLED }, OTHER);
      await expectObserved(where, OTHER);
    });

    test('when it wrote before the records began', async () => {
      const where = await plant('ancient');
      await patchStatus(await sharedServer(), where, { lastScheduleTime: SETTLED }, OTHER);
      await forgetManagers(where);
      const applied = await applyAsKubectl(where, { status: {} }, 'status');
      const managers = applied.metadata?.managedFields?.map(({ manager }) => manager);
      expect(managers).toContain('before-first-apply');
      await expectObserved(where, 'before-first-apply');
    });

    test('when only its spec has a record', async () => {
      const where = await plant('partly');
      await patchStatus(await sharedServer(), where, { lastScheduleTime: SETTLED }, OTHER);
      await forgetManagers(where);
      await applyAsKubectl(where, { metadata: { name: where.name, labels: { team: 'db' } } });
      await expectObserved(where, 'an unrecorded manager');
    });

    test('when nothing is recorded', async () => {
      const where = await plant('forgotten');
      await patchStatus(await sharedServer(), where, { lastScheduleTime: SETTLED }, OTHER);
      await forgetManagers(where);
      await expectObserved(where, 'an unrecorded manager');
    });
  });

  describe('that takes a field in the middle', () => {
    async function expectOneFailure(where: Whereabouts, before: BeforeWrite): Promise<void> {
      const { namespace } = where;
      await sent.next();
      const { code, stderr } = await tick(namespace, NOW, before);
      expect(code).toBe(3);
      expect(stderr).toContain(
        `error WriteFailed: apply of EtcdDefragPolicy theirs: .status.lastScheduleTime: conflict with "${OTHER}"`,
      );
      expect(stderr).toMatch(/\n1 error\.\n$/);
      const requests = await sent.next();
      expect(requests.filter(({ requestURI }) => /[?&]force=(true|1)/.test(requestURI))).toEqual([]);
      const lines = requests.filter(isWrite).map(lineOf);
      expect(lines).toContain(`patch etcddefragpolicies/status ${namespace}/ours`);
      expect(lines).toContain(`patch etcddefragpolicies/status ${namespace}/theirs 409`);
      const { status } = await read(await sharedServer(), where);
      expect(status).toEqual({ lastScheduleTime: SETTLED });

      const next = await tick(namespace, daysAfter(NOW, 1));
      expect(next.code).toBe(0);
      expect(next.stderr).toMatch(/\n1 warning\.\n$/);
      expect(next.stdout).toContain(`acted on by     ${OTHER}; nothing is written here`);
    }

    test('is one failure, and nothing is forced', async () => {
      const server = await sharedServer();
      const where = await plant('taken');
      await expectOneFailure(where, async ({ verb, key }) => {
        if (verb === 'apply' && key.name === where.name) {
          await patchStatus(server, where, { lastScheduleTime: SETTLED }, OTHER);
        }
      });
    });

    test('is that also where the object had been edited before, and is read once more', async () => {
      const server = await sharedServer();
      const where = await plant('taken-later');
      let applies = 0;
      await expectOneFailure(where, async ({ verb, key }) => {
        if (verb !== 'apply' || key.name !== where.name) return;
        applies += 1;
        if (applies === 1) await patchMetadata(server, where, { labels: { team: 'db' } });
        else await patchStatus(server, where, { lastScheduleTime: SETTLED }, OTHER);
      });
      expect(applies).toBe(2);
    });
  });

  describe('gives a schedule up', () => {
    async function adopt({ namespace, name }: Whereabouts, ...more: readonly string[]): Promise<CliResult> {
      const { kubeconfig } = await sharedServer();
      const flags = ['-n', namespace, '--kubeconfig', kubeconfig, ...more];
      return runHere(['adopt', `etcddefragpolicy/${name}`, ...flags]);
    }

    /** The tick acts on it, from the slot that the other one settled last. */
    async function expectOurs(where: Whereabouts): Promise<void> {
      const server = await sharedServer();
      const { namespace } = where;
      expect((await tick(namespace, NOW)).code).toBe(0);
      expect(namesOf(await listAll(server, DEFRAG, namespace))).toEqual([`ours-${SLOT}`, `theirs-${SLOT}`]);
      await sent.next();
      expect((await tick(namespace, NOW)).code).toBe(0);
      expect((await sent.next()).filter(isWrite).map(lineOf)).toEqual([]);
    }

    test('to adopt, which leaves what else it wrote alone', async () => {
      const server = await sharedServer();
      const where = await plant('adopted');
      await patchMetadata(server, where, { labels: { team: 'db' } });
      await patchStatus(server, where, { lastScheduleTime: SETTLED }, OTHER);
      const before = await read(server, where);
      const shown = await adopt(where);
      expect([shown.code, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toContain(`\nlastScheduleTime  ${OTHER}\n\nTaken over: `);
      const after = await read(server, where);
      expect([after['spec'], after['status'], after.metadata?.labels]).toEqual([
        before['spec'],
        before['status'],
        { team: 'db' },
      ]);
      expect(after.metadata?.managedFields?.map(({ manager }) => manager).sort()).toEqual([
        'minutehand',
        'somebody',
      ]);
      expect((await adopt(where)).stdout).toContain('Nothing to take over');
      await expectOurs(where);
    });

    test('that nobody is recorded for', async () => {
      const where = await plant('unrecorded');
      await patchStatus(await sharedServer(), where, { lastScheduleTime: SETTLED }, OTHER);
      await forgetManagers(where);
      const shown = await adopt(where);
      expect(shown.stdout).toContain('\nlastScheduleTime  nobody is recorded\n\nTaken over: ');
      await expectOurs(where);
    });

    test.each(['client', 'server'])('and stores nothing in a dry run of the %s', async (side) => {
      const server = await sharedServer();
      const where = await plant(`dry-${side}`);
      await patchStatus(server, where, { lastScheduleTime: SETTLED }, OTHER);
      const before = await read(server, where);
      const shown = await adopt(where, `--dry-run=${side}`);
      expect([shown.code, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toContain('This was a dry run: ');
      expect(await read(server, where)).toEqual(before);
    });

    test('only at the version that was read', async () => {
      const server = await sharedServer();
      const where = await plant('edited');
      await patchStatus(server, where, { lastScheduleTime: SETTLED }, OTHER);
      const opened = await openCluster(
        { kubeconfig: server.kubeconfig, namespaces: [], fallback: [], dryRun: false },
        { env: {}, clock: Date.now },
      );
      if (!opened.ok) throw new Error(opened.message);
      const { metadata } = await read(server, where);
      await patchMetadata(server, where, { labels: { team: 'db' } });
      const before = await read(server, where);
      const { uid = '', resourceVersion = '' } = metadata ?? {};
      const { type, namespace, name } = where;
      const key = { group: type.group, kind: type.kind, namespace, name };
      const fields = ['lastScheduleTime'];
      const taken = await opened.store.takeStatus(type, key, { uid, resourceVersion }, fields);
      expect(taken).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
      expect(await read(server, where)).toEqual(before);
      await opened.store.close();
    });
  });
});
