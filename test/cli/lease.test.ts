import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { LEASE } from '#store/cluster/lease.ts';
import { openCluster } from '#store/cluster/open-cluster.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { policy } from '#test/support/given-tick.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const OTHER = 'vm-hand/1a2b/40 99 0f1e';
const LEASED = ['--lease', 'ops/tick'];

let server: FakeApiServer;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [...typesOf(KINDS, DRIVERS), EVENT, LEASE] });
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset([policy('p', { status: { lastScheduleTime: '2026-06-10T02:00:00Z' } })]);
  server.configure({ isForbidden: () => false });
});

async function run(
  argv: readonly string[],
  clock: string,
  more: CliWorld & { config?: string } = {},
): Promise<CliResult> {
  const { config = '', ...world } = more;
  const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url), 'c.yaml': config });
  const flags = ['--kubeconfig', `${cwd}/kubeconfig`, '--config', 'c.yaml'];
  const now = (): number => Date.parse(`2026-06-10T${clock}Z`);
  return runMinutehand([...argv, ...flags], {
    cwd,
    clock: now,
    openCluster: (request) => openCluster(request, { env: {}, clock: now }),
    ...world,
  });
}

function reconcile(
  clock: string,
  more: readonly string[] = LEASED,
  world: CliWorld & { config?: string } = {},
) {
  return run(['reconcile', ...more], clock, world);
}

function lease(name = 'tick') {
  return server.objects().find(({ kind, metadata }) => kind === 'Lease' && metadata.name === name);
}

function completed(name = 'tick'): string | undefined {
  return lease(name)?.metadata.annotations?.['minutehand.dev/last-completed'];
}

function writes(): readonly string[] {
  return server
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`);
}

/** Held by somebody who is not this process, since now. */
function holdIt(renewed: string, more: JsonObject = {}): void {
  const found = lease();
  if (found === undefined) throw new Error('no Lease yet');
  server.put({
    ...found,
    spec: {
      holderIdentity: OTHER,
      leaseDurationSeconds: 15,
      acquireTime: '2026-06-10T02:59:00.000000Z',
      renewTime: `2026-06-10T${renewed}.000000Z`,
      ...more,
    },
  });
}

describe('a tick under a Lease', () => {
  test('tells no lag while it is on time, and names the minutes that were missed', async () => {
    expect((await reconcile('03:00:10')).stdout).not.toContain('lag');
    expect(completed()).toBe('2026-06-10T03:00:10Z');
    expect((await reconcile('03:01:05')).stdout).not.toContain('lag');
    const late = await reconcile('03:09:05');
    expect(late.stdout).toMatch(/^lag: 7 minutes without a completed tick: 03:02 … 03:08 UTC\n/);
    const one = await reconcile('03:11:05');
    expect(one.stdout).toMatch(/^lag: 1 minute without a completed tick: 03:10 UTC\n/);
  });

  test('has its lag in the document, too', async () => {
    await reconcile('03:00:10');
    const { stdout } = await reconcile('03:03:10', [...LEASED, '-o', 'json']);
    expect(JSON.parse(stdout).lag).toEqual({
      lastCompleted: '2026-06-10T03:00:10Z',
      missedMinutes: 2,
      missed: { first: '2026-06-10T03:01:00Z', last: '2026-06-10T03:02:00Z' },
      secondsBack: 0,
    });
    expect(JSON.parse((await reconcile('03:03:10', ['-o', 'json'])).stdout)).not.toHaveProperty('lag');
  });

  test('tells that the clock went back, once', async () => {
    await reconcile('03:10:10');
    const back = await reconcile('03:03:05');
    expect(back.stdout).toMatch(
      /^lag: the clock is 7 min 5 s behind the last completed tick, which was at Wed 2026-06-10 03:10:10 UTC\n/,
    );
    expect((await reconcile('03:04:05')).stdout).not.toContain('lag');
  });

  test('writes nothing but its watermark where there is nothing to do', async () => {
    await reconcile('03:00:10');
    const before = writes().length;
    await reconcile('03:01:10');
    expect(writes().slice(before)).toEqual(['PATCH leases/tick', 'PATCH leases/tick']);
    expect(completed()).toBe('2026-06-10T03:01:10Z');
  });

  test('waits for the next minute while somebody else is at it, and says who and since when', async () => {
    await reconcile('02:58:10');
    holdIt('03:00:05');
    const before = writes().length;
    const { code, stdout, stderr } = await reconcile('03:00:10');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: Lease ops/tick is held by process 99 on host vm-hand since Wed 2026-06-10 02:59 UTC: nothing was written; ' +
        'without a sign of life it is free at Wed 2026-06-10 03:00:20 UTC\n',
    });
    expect(writes().length).toBe(before);
    const next = await reconcile('03:00:21');
    expect(next.code).toBe(0);
    expect(lease()?.spec).not.toHaveProperty('holderIdentity');
  });

  const DELETE = 'once nobody is at work, free it by kubectl delete lease tick -n ops\n';
  const STUCK: readonly (readonly [what: string, renewed: string, more: JsonObject, told: string])[] = [
    [
      'was renewed by a clock that is ahead',
      '05:03:10',
      {},
      'the clock of its holder is 2 h 3 min ahead of the one here: without a sign of life it is free at Wed 2026-06-10 05:03:25 UTC; ',
    ],
    [
      'has a time that is garbage',
      '03:00:00',
      { renewTime: '9999-12-31T23:59:59.999999Z' },
      'd ahead of the one here: without a sign of life it is free at Fri 9999-12-31 23:59:59 UTC; ',
    ],
    [
      'has a term that is garbage',
      '03:00:12',
      { leaseDurationSeconds: 2_147_483_647 },
      'it was taken for longer than any tick takes it: without a sign of life it is free at Mon 2094-06-28 06:14:19 UTC; ',
    ],
  ];
  test.each(STUCK)('says how to free one that %s', async (_what, renewed, more, told) => {
    await reconcile('02:58:10');
    holdIt(renewed, more);
    const before = lease();
    const { code, stderr } = await reconcile('03:00:10');
    expect(code).toBe(1);
    expect(stderr).toContain(told + DELETE);
    expect(lease()).toEqual(before);
    server.remove({ group: LEASE.group, kind: LEASE.kind, namespace: 'ops', name: 'tick' });
    expect((await reconcile('03:00:10')).code).toBe(0);
  });

  test('names the Lease of its shard where that is to be freed', async () => {
    await reconcile('02:58:10', [...LEASED, '--shard', '1/2']);
    const found = lease('tick-1');
    if (found === undefined) throw new Error('no Lease yet');
    server.put({
      ...found,
      spec: { holderIdentity: OTHER, leaseDurationSeconds: 15, renewTime: '2026-06-10T03:00:26.000000Z' },
    });
    const { stderr } = await reconcile('03:00:10', [...LEASED, '--shard', '1/2']);
    expect(stderr).toContain('is 16 s ahead of the one here');
    expect(stderr).toContain('kubectl delete lease tick-1 -n ops\n');
  });

  test('says nothing of a clock that is ahead by as much as a Lease lasts', async () => {
    await reconcile('02:58:10');
    holdIt('03:00:25');
    const { stderr } = await reconcile('03:00:10');
    expect(stderr).toContain(
      'nothing was written; without a sign of life it is free at Wed 2026-06-10 03:00:40 UTC\n',
    );
  });

  test.each([
    [41, 42],
    [2_147_483_646, 2_147_483_647],
    [2_147_483_647, 2_147_483_647],
  ])('counts its %i transitions on to %i', async (before, after) => {
    await reconcile('02:58:10');
    holdIt('02:58:20', { leaseTransitions: before });
    expect((await reconcile('03:00:10')).code).toBe(0);
    expect(lease()?.spec).toMatchObject({ leaseTransitions: after });
  });

  test('is no whole tick with -n, -l or a plan: the watermark stays, and no lag is told', async () => {
    await reconcile('03:00:10');
    for (const narrow of [
      ['-n', 'vault-a'],
      ['-l', 'a=b'],
    ]) {
      const { stdout, code } = await reconcile('03:05:10', [...LEASED, ...narrow]);
      expect([code, stdout.includes('lag')]).toEqual([0, false]);
    }
    expect(completed()).toBe('2026-06-10T03:00:10Z');
    expect(lease()?.spec).not.toHaveProperty('holderIdentity');
  });

  test('asks for no Lease in a dry run', async () => {
    await reconcile('03:00:10', [...LEASED, '--dry-run=server']);
    await reconcile('03:00:10', [...LEASED, '--dry-run=client']);
    expect(lease()).toBeUndefined();
  });

  test('leaves the watermark where it was stopped before it was done, and gives the Lease back', async () => {
    await reconcile('02:59:10');
    let asked = 0;
    const isStopped = (): boolean => {
      asked += 1;
      return asked > 1;
    };
    expect((await reconcile('03:00:10', LEASED, { isStopped })).code).toBe(3);
    expect(completed()).toBe('2026-06-10T02:59:10Z');
    expect(lease()?.spec).not.toHaveProperty('holderIdentity');
  });

  test('stops writing once somebody else has it', async () => {
    server.configure({
      admit: ({ object }) => {
        if (object.kind === 'EtcdDefrag') holdIt('03:00:30');
        return undefined;
      },
    });
    const { code, stderr } = await reconcile('03:00:10');
    server.configure({ admit: () => undefined });
    expect(code).toBe(3);
    expect(stderr).toContain(
      'Lease ops/tick could not be given back: it was taken over by process 99 on host vm-hand',
    );
    expect(stderr).toContain('that the tick of 2026-06-10T03:00:10Z was completed stands nowhere');
    expect(completed()).toBeUndefined();
    expect(lease()?.spec).toMatchObject({ holderIdentity: OTHER });
  });

  test('has one for each shard', async () => {
    const shards = await Promise.all(
      ['0/2', '1/2'].map((shard) => reconcile('03:00:10', [...LEASED, '--shard', shard])),
    );
    expect(shards.map(({ code }) => code)).toEqual([0, 0]);
    expect([completed('tick-0'), completed('tick-1')]).toEqual([
      '2026-06-10T03:00:10Z',
      '2026-06-10T03:00:10Z',
    ]);
    expect(lease()).toBeUndefined();
  });

  test('does not know its lag where the watermark is no time, and goes on', async () => {
    await reconcile('03:00:10');
    const found = lease();
    if (found === undefined) throw new Error('no Lease');
    const annotations = { 'minutehand.dev/last-completed': 'yesterday\u001b' };
    server.put({ ...found, metadata: { ...found.metadata, annotations } });
    const { code, stdout, stderr } = await reconcile('03:05:10');
    expect([code, stdout.includes('lag')]).toEqual([0, false]);
    expect(stderr).toContain(
      'was completed at yesterday\\x1b, which is no time: the lag of this tick is not known',
    );
    expect(completed()).toBe('2026-06-10T03:05:10Z');
  });

  test('comes to nothing without the rights, and says which role has them', async () => {
    server.configure({ isForbidden: ({ resource }) => resource === 'leases' });
    const { code, stdout, stderr } = await reconcile('03:00:10');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: Lease ops\/tick could not be taken: .*: nothing was written; bind the Role of examples\/cluster\/lease/,
    );
    expect(writes().filter((write) => !write.startsWith('POST'))).toEqual([]);
  });

  test('is named by the configuration, and by the flag before it', async () => {
    await reconcile('03:00:10', [], { config: 'lease: ops/other\n' });
    expect(completed('other')).toBe('2026-06-10T03:00:10Z');
    await reconcile('03:00:10', LEASED, { config: 'lease: ops/other\n' });
    expect(completed()).toBe('2026-06-10T03:00:10Z');
  });
});

describe('--lease', () => {
  test.each(['tick', 'a/b/c', 'A/tick', 'ops/', '/tick', `ops/${'x'.repeat(61)}`])(
    '%s is no Lease',
    async (name) => {
      const { code, stderr } = await reconcile('03:00:10', ['--lease', name]);
      expect(code).toBe(64);
      expect(stderr).toContain('is no Lease such as minutehand/minutehand');
    },
  );

  test('does not go with a state folder', async () => {
    const { code, stderr } = await runMinutehand(['reconcile', '-f', 'x.yaml', ...LEASED]);
    expect([code, stderr]).toEqual([
      64,
      'error: --lease is of a cluster, and a state folder has a lock of its own: give it without -f\n',
    ]);
  });
});
