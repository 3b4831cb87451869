import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { KINDS } from '#kinds/index.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ANNOTATION = 'minutehand.dev/last-schedule-time';
const CONDITION = { type: 'Error', status: 'False', reason: 'ScheduleValid' };
const OTHERS = [...new Map([...typesOf(KINDS, DRIVERS), EVENT].map((type) => [typeId(type), type])).values()];
const KINDS_SERVED = [
  ...OTHERS.filter((type) => typeId(type) !== typeId(PLAN)),
  // As the platform brings it.
  { type: PLAN, statusFields: ['conditions'] },
];

const SPEC = {
  applicationRef: { kind: 'MariaDB', name: 'ledger' },
  backupClassName: 'weekly-s3',
  schedule: { cron: '0 3 * * *' },
};
const LEDGER: KubeObject = {
  apiVersion: 'backups.cozystack.io/v1alpha1',
  kind: PLAN.kind,
  metadata: {
    name: 'ledger',
    namespace: 'tenant-elm',
    uid: 'uid-ledger',
    creationTimestamp: '2026-06-09T12:00:00Z',
  },
  spec: SPEC,
};

/** Left to a driver that is not ours. */
const CLASS: KubeObject = {
  apiVersion: 'backups.cozystack.io/v1alpha1',
  kind: 'BackupClass',
  metadata: { name: 'weekly-s3' },
  spec: {
    strategies: [
      {
        application: { kind: 'MariaDB' },
        strategyRef: { apiGroup: 'strategy.backups.cozystack.io', kind: 'MariaDB', name: 'dump' },
      },
    ],
  },
};

let server: FakeApiServer;

async function run(argv: readonly string[], now?: string): Promise<CliResult> {
  const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url) });
  const clock = now === undefined ? [] : ['--now', now];
  return runMinutehand([...argv, '--kubeconfig', `${cwd}/kubeconfig`, ...clock], { cwd });
}

/** The writes of one tick, events aside, as `METHOD last-segment code`. */
async function writesAt(now: string): Promise<readonly string[]> {
  const before = server.requests().length;
  await run(['reconcile'], now);
  const sent = server.requests().slice(before);
  return sent
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/events'))
    .map(({ method, path, status }) => `${method} ${path.split('/').at(-1)} ${status}`);
}

function plan(): KubeObject | undefined {
  return server.objects().find(({ kind }) => kind === PLAN.kind);
}

describe('a Plan whose definition declares no anchor', () => {
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: KINDS_SERVED, namespaces: ['tenant-elm'] });
  });
  beforeEach(() => server.reset([LEDGER, CLASS]));
  afterAll(() => server.close());

  test('keeps it in an annotation; no tick until the next slot writes anything', async () => {
    const first = await writesAt('2026-06-10T03:00:10Z');
    expect(first[0]).toBe('POST backupjobs 201');
    expect(first.at(-1)).toBe('PATCH ledger 200');
    expect(plan()?.metadata.annotations).toEqual({ [ANNOTATION]: '2026-06-10T03:00:00Z' });
    expect(await writesAt('2026-06-10T03:01:10Z')).toEqual([]);
    expect(await writesAt('2026-06-11T02:59:59Z')).toEqual([]);
    expect((await writesAt('2026-06-11T03:00:10Z'))[0]).toBe('POST backupjobs 201');
    expect(plan()?.metadata.annotations).toEqual({ [ANNOTATION]: '2026-06-11T03:00:00Z' });
    expect(await writesAt('2026-06-11T03:01:10Z')).toEqual([]);
  });

  test('never gets a BackupJob back that somebody deleted', async () => {
    await writesAt('2026-06-10T03:00:10Z');
    const key = { group: PLAN.group, kind: 'BackupJob', namespace: 'tenant-elm' };
    server.remove({ ...key, name: 'ledger-29684340' });
    expect(await writesAt('2026-06-10T03:03:10Z')).toEqual([]);
  });

  test('still has its condition written beside it', async () => {
    server.reset([{ ...LEDGER, spec: { ...SPEC, schedule: { cron: '61 * * * *' } } }, CLASS]);
    expect(await writesAt('2026-06-10T03:00:10Z')).toEqual(['PATCH status 200']);
    expect(await writesAt('2026-06-10T03:01:10Z')).toEqual([]);
    const key = { group: PLAN.group, kind: PLAN.kind, namespace: 'tenant-elm', name: 'ledger' };
    server.edit(key, (object) => ({ ...object, spec: SPEC }));
    await writesAt('2026-06-10T03:02:10Z');
    expect(plan()?.status).toMatchObject({ conditions: [CONDITION] });
    expect(plan()?.metadata.annotations).toEqual({ [ANNOTATION]: '2026-06-10T03:00:00Z' });
    expect(await writesAt('2026-06-10T03:03:10Z')).toEqual([]);
  });

  test('is explained and adopted with the anchor of the annotation', async () => {
    await writesAt('2026-06-10T03:00:10Z');
    const argv = ['plan/ledger', '-n', 'tenant-elm', '-o', 'json'];
    const explained = await run(['explain', ...argv], '2026-06-10T04:00:00Z');
    expect(JSON.parse(explained.stdout).anchor).toEqual({ at: '2026-06-10T03:00:00Z', from: 'status' });
    const adopted = await run(['adopt', ...argv]);
    expect(JSON.parse(adopted.stdout)).toMatchObject({ outcome: 'ours', statusFields: [] });
  });
});
