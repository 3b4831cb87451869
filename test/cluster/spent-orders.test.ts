import { beforeAll, expect, test } from 'vitest';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { isSwept } from '#core/sweep.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { inLanes } from '#store/in-lanes.ts';
import { request } from './support/request.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import {
  type CreateBody,
  create,
  createNamespace,
  LANES,
  listAll,
  MERGE,
  must,
  namesOf,
  patchStatus,
  read,
} from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

/** One more than a page. */
const ENDED = 501;
const NAMESPACE = 'vaults';
const DEFINITION = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${BACKUP_JOB.plural}.${BACKUP_JOB.group}`;
const REFERENCE = { applicationRef: { kind: 'Redis', name: 'sessions' }, backupClassName: 'daily' };
const ORDERS = `/apis/${apiVersionOf(BACKUP_JOB)}/${BACKUP_JOB.plural}`;
const SELECTED = `${ORDERS}?fieldSelector=status.phase!=Succeeded`;

let sent: SentRequests;

function backupJob(name: string): CreateBody {
  const metadata = { name, namespace: NAMESPACE };
  return { apiVersion: apiVersionOf(BACKUP_JOB), kind: BACKUP_JOB.kind, metadata, spec: REFERENCE };
}

async function createOver(name: string, phase: string): Promise<void> {
  const server = await sharedServer();
  await create(server, BACKUP_JOB, backupJob(name));
  await patchStatus(server, { type: BACKUP_JOB, namespace: NAMESPACE, name }, { phase });
}

/** Until its first slot it owes nothing. */
async function createPlan(): Promise<void> {
  const server = await sharedServer();
  const spec = { ...REFERENCE, schedule: { type: 'cron', cron: DAILY } };
  const metadata = { name: 'nightly', namespace: NAMESPACE };
  await create(server, PLAN, { apiVersion: apiVersionOf(PLAN), kind: PLAN.kind, metadata, spec });
}

/** The lists of BackupJobs of a tick, without what does not matter of their queries. */
async function tick(now: Instant): Promise<readonly string[]> {
  const { kubeconfig } = await sharedServer();
  await sent.next();
  const { code, stdout, stderr } = await runHere(tickAt(kubeconfig, now));
  expect([code, stderr], stdout).toEqual([0, '']);
  const lists = (await sent.next()).filter(
    ({ verb, objectRef }) => verb === 'list' && objectRef?.resource === BACKUP_JOB.plural,
  );
  return lists.map(({ requestURI, responseStatus }) => {
    const [path, query] = decodeURIComponent(requestURI).split('?');
    const selector = /fieldSelector=[^&]*/.exec(query ?? '')?.[0];
    const page = query?.includes('continue=') === true ? ', a further page' : '';
    const code = responseStatus?.code === 200 ? '' : `, ${responseStatus?.code}`;
    return `${path}${selector === undefined ? '' : `?${selector}`}${page}${code}`;
  });
}

/** A minute in which the namespace is not swept. */
function quiet(from: Instant): Instant {
  return isSwept(NAMESPACE, from) ? instant(from - 60) : from;
}

/** The field of the definition is declared, or is not. */
async function declare(selectable: boolean): Promise<void> {
  const server = await sharedServer();
  const { spec } = await must(server, 'GET', DEFINITION);
  const [version] = (
    spec as { readonly versions: readonly { readonly selectableFields: readonly object[] }[] }
  ).versions;
  const own = version?.selectableFields.filter(
    (field) => JSON.stringify(field) !== '{"jsonPath":".status.phase"}',
  );
  const selectableFields = [...(own ?? []), ...(selectable ? [{ jsonPath: '.status.phase' }] : [])];
  await must(server, 'PATCH', DEFINITION, { spec: { versions: [{ ...version, selectableFields }] } }, MERGE);
  const wanted = selectable ? 200 : 400;
  await until(`the server answers ${wanted}`, async () => {
    const { status } = await request(server, 'GET', `${SELECTED}&limit=1`);
    return status === wanted ? true : undefined;
  });
}

describeOnServer('ticks of a cluster with more BackupJobs that succeeded than a page holds', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    sent = sentTo(server);
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createNamespace(server, NAMESPACE);
    const names = Array.from({ length: ENDED }, (_, index) => `over-${String(index).padStart(4, '0')}`);
    await inLanes(names, LANES, (name) => createOver(name, 'Succeeded'));
    await createOver('broken', 'Failed');
    await createPlan();
  });

  const before = quiet(instant(SLOT - 3600));
  test('list those alone that are not, as long as no Plan owes anything', async () => {
    expect(await tick(before)).toEqual([SELECTED]);
  });

  test('list all of a namespace where one does, and start the slot once', async () => {
    const server = await sharedServer();
    const inNamespace = resourcePath(BACKUP_JOB, { namespace: NAMESPACE });
    expect(await tick(NOW)).toEqual([SELECTED, inNamespace, `${inNamespace}, a further page`]);
    const run = namesOf(await listAll(server, BACKUP_JOB, NAMESPACE)).filter((name) =>
      name.startsWith('nightly'),
    );
    expect(run).toHaveLength(1);
    // Over at once, and its status lost: only the run tells, and it is not among those that the first list has.
    const [name = ''] = run;
    await patchStatus(server, { type: BACKUP_JOB, namespace: NAMESPACE, name }, { phase: 'Succeeded' });
    await patchStatus(
      server,
      { type: PLAN, namespace: NAMESPACE, name: 'nightly' },
      { lastScheduleTime: null },
    );
    expect(await tick(instant(NOW + 60))).toHaveLength(3);
    expect(
      namesOf(await listAll(server, BACKUP_JOB, NAMESPACE)).filter((one) => one.startsWith('nightly')),
    ).toEqual(run);
    const { status } = await read(server, { type: PLAN, namespace: NAMESPACE, name: 'nightly' });
    expect(status).toMatchObject({ lastScheduleTime: formatInstant(SLOT) });
  });

  test('list all of them where the definition does not let them be selected, and say nothing of it', async () => {
    await declare(false);
    const now = quiet(instant(NOW + 3600));
    expect(await tick(now)).toEqual([`${SELECTED}, 400`, ORDERS, `${ORDERS}, a further page`]);
    await declare(true);
    expect(await tick(now)).toEqual([SELECTED]);
    expect(await tick(daysAfter(NOW, 1))).toHaveLength(3);
  });
});
