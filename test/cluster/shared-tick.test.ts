import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { openClusterStore } from '#store/cluster/open-cluster-store.ts';
import { clusterWatermarkWorld, LEASE_OF_TEST } from '#test/store/cluster-watermark.ts';
import { describeWatermarkContract } from '#test/store/watermark-contract.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { request } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, MERGE, must } from './world/api.ts';
import { runHere, runProcess, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';

const NAMESPACE = LEASE_OF_TEST.namespace;
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const PATH = `${LEASES}/${LEASE_OF_TEST.name}`;
const LEASED = ['--lease', `${NAMESPACE}/${LEASE_OF_TEST.name}`];
const MINUTE = 60;
const SCHEDULES = 24;
/** Milliseconds, on a machine with much else to do. */
const PATIENCE = 120_000;

let bundle = '';
/** A minute in the future: every schedule exists by then. */
let minute: Instant;

async function forget(): Promise<void> {
  const server = await sharedServer();
  await request(server, 'DELETE', PATH, {});
}

async function edit(body: object): Promise<void> {
  await must(await sharedServer(), 'PATCH', PATH, body, MERGE);
}

async function holder(): Promise<string | undefined> {
  const answer = await request(await sharedServer(), 'GET', PATH, {});
  const spec: unknown = answer.body?.spec;
  return Object(spec).holderIdentity;
}

/** The next minute, in which every schedule is due once more. */
function nextMinute(): Instant {
  minute = instant(minute + MINUTE);
  return minute;
}

async function argvAt(now: Instant, ...more: readonly string[]): Promise<readonly string[]> {
  const { kubeconfig } = await sharedServer();
  return tickAt(kubeconfig, now, '-o', 'json', ...more);
}

/** `schedule slot` of every run. */
async function runs(): Promise<readonly string[]> {
  const all = await listAll(await sharedServer(), DEFRAG, NAMESPACE);
  return all.map(({ metadata: { annotations = {} } = {} }) =>
    [OWNER_UID_ANNOTATION, SLOT_ANNOTATION].map((name) => annotations[name]).join(' '),
  );
}

function shards(now: Instant, count: number): Promise<readonly CliResult[]> {
  const all = Array.from({ length: count }, async (_, index) =>
    runProcess(await argvAt(now, ...LEASED, '--shard', `${index}/${count}`), bundle),
  );
  return Promise.all(all);
}

describeOnServer('several processes on one cluster', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    bundle = buildBundle(server.folder);
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createNamespace(server, NAMESPACE);
    const spec = { historyLimit: 100, concurrencyPolicy: 'Allow' };
    for (let index = 0; index < SCHEDULES; index += 1)
      await create(server, POLICY, defragPolicy(`${NAMESPACE}/p${index}`, { spec }));
    minute = instant((Math.floor(Date.now() / 1000 / MINUTE) + 2) * MINUTE);
  }, PATIENCE);

  describeWatermarkContract('a Lease of the API', async () => {
    await forget();
    const server = await sharedServer();
    return clusterWatermarkWorld(
      (options) =>
        openClusterStore({
          connection: {
            description: server.url,
            server: server.url,
            tls: { ca: server.ca },
            credentials: async () => ({ Authorization: `Bearer ${server.adminToken}` }),
          },
          ...options,
        }),
      () => sleep(100),
      (text) => edit({ metadata: { annotations: { 'minutehand.dev/last-completed': text } } }),
    );
  });

  describe('under one Lease', () => {
    beforeEach(forget);

    test(
      'a hand beside a tick waits for the next minute, and is told whose it is',
      async () => {
        const now = nextMinute();
        const hand: CliResult[] = [];
        const tick = await runHere(await argvAt(now, ...LEASED), async ({ verb }) => {
          if (verb !== 'create' || hand.length > 0) return;
          hand.push({ code: -1, stdout: '', stderr: '' });
          hand[0] = await runProcess(await argvAt(now, ...LEASED), bundle);
        });
        expect(tick.code).toBe(0);
        expect(hand[0]).toMatchObject({ code: 1, stdout: '' });
        expect(hand[0]?.stderr).toMatch(
          new RegExp(
            `^error: Lease ${NAMESPACE}/tick is held by process ${process.pid} on host \\S+ since .*: nothing was written`,
          ),
        );
        expect(await runs()).toHaveLength(SCHEDULES);
        const again = await runProcess(await argvAt(now, ...LEASED), bundle);
        expect([again.code, JSON.parse(again.stdout).applied.schedules]).toEqual([0, []]);
      },
      PATIENCE,
    );

    test(
      'of several that start at once one has it at a time, and no slot is started twice',
      async () => {
        const before = (await runs()).length;
        const now = nextMinute();
        const argv = await argvAt(now, ...LEASED);
        const ended = await Promise.all([1, 2, 3].map(() => runProcess(argv, bundle)));
        const codes = ended.map(({ code }) => code);
        expect(codes).toContain(0);
        for (const { code, stderr } of ended)
          if (code !== 0)
            expect({ code, stderr }).toMatchObject({
              code: 1,
              stderr: expect.stringContaining(' is held by '),
            });
        const all = await runs();
        expect(all).toHaveLength(before + SCHEDULES);
        expect(new Set(all).size).toBe(all.length);
        expect(await holder()).toBeUndefined();
      },
      PATIENCE,
    );

    test(
      'what a killed process left is free when its time is over, and the next tick ends its work and names the lag',
      async () => {
        expect((await runProcess(await argvAt(nextMinute(), ...LEASED), bundle)).code).toBe(0);
        nextMinute();
        const now = nextMinute();
        const before = (await runs()).length;
        const child = spawn(process.execPath, [bundle, ...(await argvAt(now, ...LEASED))], {
          stdio: 'ignore',
        });
        while ((await runs()).length === before) await sleep(5);
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        expect(await holder()).toContain(` ${child.pid} `);
        const held = await runProcess(await argvAt(now, ...LEASED), bundle);
        expect(held).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(`process ${child.pid} on host`),
        });
        // Its time goes by.
        await edit({ spec: { renewTime: new Date(Date.now() - 16_000).toISOString().replace('Z', '000Z') } });
        const next = await runProcess(await argvAt(now, ...LEASED), bundle);
        expect(next.code).toBe(0);
        expect(JSON.parse(next.stdout).lag).toMatchObject({ missedMinutes: 1 });
        expect(await runs()).toHaveLength(before + SCHEDULES);
      },
      PATIENCE,
    );
  });

  test(
    'shards at the same time, and another number of them in the next minute, start every slot once',
    async () => {
      const before = (await runs()).length;
      for (const [round, count] of [3, 2, 4].entries()) {
        const ended = await shards(nextMinute(), count);
        expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 0));
        const looked = ended.map(({ stdout }) => JSON.parse(stdout).changeSet.schedules.length);
        expect(looked.reduce((sum, one) => sum + one, 0)).toBe(SCHEDULES);
        const all = await runs();
        expect(all).toHaveLength(before + (round + 1) * SCHEDULES);
        expect(new Set(all).size).toBe(all.length);
      }
      const leases = await must(await sharedServer(), 'GET', LEASES);
      const names = (leases.items ?? []).map(({ metadata }) => metadata?.name);
      expect(names).toEqual(expect.arrayContaining(['tick-0', 'tick-1', 'tick-2', 'tick-3']));
    },
    PATIENCE,
  );
});
