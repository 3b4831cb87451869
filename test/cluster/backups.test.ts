import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, creep, deletePlan, editClass, endPods, restore } from './backups/chain.ts';
import {
  backupJobs,
  backups,
  furnish,
  jobs,
  minutehand,
  moveIn,
  readPlan,
  restoreJobs,
  type Tenant,
  tick,
} from './backups/world.ts';
import { OTHER_CONTROLLERS } from './built-in/worlds.ts';
import type { ApiServer } from './support/api-server.ts';
import { startApiServer } from './support/api-server.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';

/** As the platform ships them; data that stand beside the project, and are read where they are. */
const SHARED = '../shared/upstream-crds';
const UPSTREAM = join(import.meta.dirname, '..', '..', SHARED);
const MINUTES = 300_000;

async function onlyName(list: Promise<readonly { readonly name: string }[]>): Promise<string> {
  const objects = await list;
  expect(objects).toHaveLength(1);
  return objects[0]?.name ?? '';
}

/** The whole way of a backup and back, which is the same whoever made the definitions. */
function describeChain(serverOf: () => ApiServer): void {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await moveIn(serverOf(), 'tenant-shop', 'succeeded');
  });

  test('a Plan becomes a Backup in three ticks', { timeout: MINUTES }, async () => {
    expect(await backUp(tenant)).toEqual([
      { did: 'the Plan fires', code: 0, phases: '-', jobs: 0 },
      { did: 'the Job is created', code: 0, phases: 'Running', jobs: 1 },
      { did: 'the end is recorded', code: 0, phases: 'Succeeded', jobs: 1 },
      { did: 'nothing is left', code: 0, phases: 'Succeeded', jobs: 1 },
    ]);
    const [backup] = await backups(tenant);
    const job = await onlyName(backupJobs(tenant));
    expect(backup).toMatchObject({
      name: job,
      spec: {
        planRef: { name: 'sessions-redis' },
        applicationRef: { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' },
        driverMetadata: { 'jobdriver.backups.cozystack.io/parameter/bucket': 'silver' },
      },
      status: { phase: 'Ready', artifact: { uri: `s3://silver/${job}` } },
    });
  });

  test('the template saw the application and the parameters', async () => {
    const [job] = await jobs(tenant);
    expect(job?.spec).toMatchObject({
      backoffLimit: 0,
      template: { spec: { containers: [{ args: ['backup', 'small', 'silver'] }] } },
    });
  });

  test('the Backup is listed and explained', async () => {
    const name = await onlyName(backups(tenant));
    for (const filter of [
      ['--application', 'Redis/sessions'],
      ['--plan', 'sessions-redis'],
    ]) {
      const { code, stdout } = await minutehand(tenant, 'get', 'backups', ...filter);
      expect(code, stdout).toBe(0);
      expect(stdout).toContain(name);
    }
    const none = await minutehand(tenant, 'get', 'backups', '--plan', 'another');
    expect(none.stdout).toBe('No backups were found.\n');
    const explained = await minutehand(tenant, 'explain', `backupjob/${name}`);
    expect(explained.stdout).toContain(`${name}-backup`);
    const plan = await minutehand(tenant, 'explain', 'plan/sessions-redis');
    expect(plan.stdout).toContain(`BackupJob tenant-shop/${name}`);
  });

  test('a RestoreJob made by the command line ends in two ticks', { timeout: MINUTES }, async () => {
    const name = await onlyName(backups(tenant));
    expect(await restore(tenant, name)).toEqual([
      { did: 'the Job is created', code: 0, phases: 'Succeeded Running', jobs: 2 },
      { did: 'the end is recorded', code: 0, phases: 'Succeeded Succeeded', jobs: 2 },
    ]);
    const [order] = await restoreJobs(tenant);
    expect(order?.status).toMatchObject({
      conditions: [{ type: 'Ready', status: 'True', reason: 'RestoreCompleted' }],
    });
  });

  test('a slot is never acted on twice, though its BackupJob is deleted', async () => {
    const plan = await readPlan(tenant);
    const status = (plan.status ?? {}) as Readonly<Record<string, unknown>>;
    const anchor =
      status['lastScheduleTime'] ?? plan.metadata?.annotations?.['minutehand.dev/last-schedule-time'];
    expect(anchor).toBeDefined();
  });

  test('deleting the Plan keeps every Backup', { timeout: MINUTES }, async () => {
    const before = await backups(tenant);
    await deletePlan(tenant);
    expect((await backups(tenant)).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(await backupJobs(tenant)).toEqual([]);
  });

  test('pods that fail end the BackupJob with the reason of its Job', { timeout: MINUTES }, async () => {
    const failing = await moveIn(serverOf(), 'tenant-failing', 'failed');
    const steps = await backUp(failing);
    expect(steps.map(({ phases }) => phases)).toEqual(['-', 'Running', 'Failed', 'Failed']);
    const [order] = await backupJobs(failing);
    expect(order?.status['message']).toMatch(/^BackoffLimitExceeded/);
    expect(await backups(failing)).toEqual([]);
  });

  test('killed behind every single write it comes to the same end', { timeout: MINUTES }, async () => {
    const crept = await moveIn(serverOf(), 'tenant-crept', 'succeeded');
    const written = await creep(crept);
    const made = written.filter((line) => line.startsWith('create ') && !line.endsWith(' Event'));
    expect([...new Set(made)]).toEqual(['create BackupJob', 'create Job', 'create Backup']);
    const [order] = await backupJobs(crept);
    const [backup] = await backups(crept);
    expect(order?.status).toMatchObject({ phase: 'Succeeded', backupRef: { name: backup?.name } });
    expect(backup?.status).toMatchObject({ phase: 'Ready' });
    expect(await jobs(crept)).toHaveLength(1);
  });

  test('a class that is edited in the middle changes nothing that runs', { timeout: MINUTES }, async () => {
    const edited = await moveIn(serverOf(), 'tenant-edited', 'succeeded');
    await tick(edited);
    await tick(edited);
    await editClass(edited, 'pods-succeeded', {
      application: { kind: 'Redis' },
      strategyRef: { apiGroup: 'elsewhere.example.net', kind: 'Tar', name: 'other' },
      parameters: { bucket: 'gold' },
    });
    await endPods(edited);
    await tick(edited);
    const [backup] = await backups(edited);
    expect(backup?.spec).toMatchObject({
      strategyRef: { name: 'pods-succeeded' },
      driverMetadata: { 'jobdriver.backups.cozystack.io/parameter/bucket': 'silver' },
    });
  });
}

describeOnServer(
  'backups from the Plan to the restore',
  () => {
    let server: ApiServer;
    beforeAll(async () => {
      server = await sharedServer();
      await furnish(server, await readDefinitions(OUR_DEFINITIONS));
      await server.controllerManager(OTHER_CONTROLLERS);
    }, MINUTES);
    describeChain(() => server);
  },
  { also: ['kube-controller-manager'] },
);

if (existsSync(UPSTREAM)) {
  describeOnServer(
    "backups on the platform's own definitions",
    () => {
      let server: ApiServer;
      beforeAll(async () => {
        server = await startApiServer();
        const theirs = await readDefinitions(UPSTREAM);
        const names = new Set(theirs.map(({ metadata }) => metadata.name));
        const ours = await readDefinitions(OUR_DEFINITIONS);
        await furnish(server, [...theirs, ...ours.filter(({ metadata }) => !names.has(metadata.name))]);
        await server.controllerManager(OTHER_CONTROLLERS);
      }, MINUTES);
      afterAll(async () => {
        await server.stop();
      });
      describeChain(() => server);

      test('the anchor of a Plan is an annotation, and an idle tick writes nothing', async () => {
        const tenant = await moveIn(server, 'tenant-anchor', 'succeeded');
        await tick(tenant);
        const { metadata, status } = await readPlan(tenant);
        expect(metadata?.annotations?.['minutehand.dev/last-schedule-time']).toBeDefined();
        expect(status ?? {}).not.toHaveProperty('lastScheduleTime');
      });
    },
    { also: ['kube-controller-manager'] },
  );
} else {
  const skipped = `backups on the platform's own definitions: ${SHARED} is not there`;
  console.warn(`SKIPPED ${skipped}`);
  describe(skipped, () => {
    test.skip(skipped);
  });
}
