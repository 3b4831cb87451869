import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { JOB_BACKUP_STRATEGY } from '#drivers/job/resources.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { ENDS_LABEL } from '#test/cluster/built-in/job-template.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { ApiBody } from '#test/cluster/support/request.ts';
import { create, createNamespace, listAll, read } from '#test/cluster/world/api.ts';
import { type BeforeWrite, runHere, tickAt } from '#test/cluster/world/command-line.ts';
import { type Definition, install } from '#test/cluster/world/definitions.ts';

export const PLAN_NAME = 'sessions-redis';

const REDIS: ResourceType = {
  group: 'apps.cozystack.io',
  version: 'v1alpha1',
  kind: 'Redis',
  // Nobody could guess it.
  plural: 'redises',
  singular: 'redis',
  shortNames: [],
  namespaced: true,
};

/** The application of a platform: any kind of any group. */
const REDIS_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${REDIS.plural}.${REDIS.group}` },
  spec: {
    group: REDIS.group,
    names: { kind: REDIS.kind, plural: REDIS.plural, singular: REDIS.singular },
    scope: 'Namespaced',
    versions: [
      {
        name: REDIS.version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
} as unknown as Definition;

/** On a cluster a driver acts only where the configuration says so. */
function configOf({ folder }: ApiServer): string {
  return join(folder, 'drivers.yaml');
}

/** Definitions, a class with a strategy for pods that succeed and one for pods that fail. */
export async function furnish(server: ApiServer, definitions: readonly Definition[]): Promise<void> {
  await writeFile(configOf(server), 'jobDriver: manage\n');
  await install(server, [...definitions, REDIS_DEFINITION]);
  for (const ends of ['Succeeded', 'Failed']) {
    const name = `pods-${ends.toLowerCase()}`;
    await create(server, JOB_BACKUP_STRATEGY, {
      apiVersion: 'jobdriver.backups.cozystack.io/v1alpha1',
      kind: JOB_BACKUP_STRATEGY.kind,
      metadata: { name },
      spec: {
        backoffLimit: 0,
        artifact: { uri: 's3://{{ Parameters.bucket }}/{{ BackupJob.Name }}' },
        template: {
          metadata: { labels: { [ENDS_LABEL]: ends } },
          spec: {
            restartPolicy: 'Never',
            containers: [
              {
                name: 'work',
                image: 'registry.example/work:1',
                args: ['{{ Mode }}', '{{ Application.spec.size }}', '{{ Parameters.bucket }}'],
              },
            ],
          },
        },
      },
    });
    await create(server, BACKUP_CLASS, {
      apiVersion: 'backups.cozystack.io/v1alpha1',
      kind: BACKUP_CLASS.kind,
      metadata: { name },
      spec: {
        strategies: [
          {
            application: { kind: REDIS.kind },
            strategyRef: { apiGroup: JOB_BACKUP_STRATEGY.group, kind: JOB_BACKUP_STRATEGY.kind, name },
            parameters: { bucket: 'silver' },
          },
        ],
      },
    });
  }
}

/** One tenant with an application and a Plan for every minute. */
export interface Tenant {
  readonly server: ApiServer;
  readonly namespace: string;
  /** Of every tick: in the minute after the one in which the Plan was made, so that one slot is owed. */
  readonly now: Instant;
}

export async function moveIn(server: ApiServer, namespace: string, ends: string): Promise<Tenant> {
  await createNamespace(server, namespace);
  await create(server, REDIS, {
    apiVersion: 'apps.cozystack.io/v1alpha1',
    kind: REDIS.kind,
    metadata: { name: 'sessions', namespace },
    spec: { size: 'small' },
  });
  const plan = await create(server, PLAN, {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: PLAN.kind,
    metadata: { name: PLAN_NAME, namespace },
    spec: {
      applicationRef: { kind: REDIS.kind, name: 'sessions' },
      backupClassName: `pods-${ends}`,
      schedule: { cron: '* * * * *' },
    },
  });
  const created = Date.parse(String(plan.metadata?.['creationTimestamp' as 'name'] ?? '')) / 1000;
  return { server, namespace, now: instant((Math.floor(created / 60) + 1) * 60 + 20) };
}

/** One tick that looks at this tenant alone. */
export function tick({ server, namespace, now }: Tenant, before?: BeforeWrite) {
  return runHere(tickAt(server.kubeconfig, now, '-n', namespace, '--config', configOf(server)), before);
}

export function minutehand({ server, namespace, now }: Tenant, ...argv: readonly string[]) {
  const where = ['--kubeconfig', server.kubeconfig, '-n', namespace, '--config', configOf(server)];
  return runHere([...argv, ...where, '--now', formatInstant(now)]);
}

export interface Told {
  readonly name: string;
  readonly status: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly object: ApiBody;
}

async function all({ server, namespace }: Tenant, type: ResourceType): Promise<readonly Told[]> {
  const objects = await listAll(server, type, namespace);
  return objects.map((object) => ({
    name: object.metadata?.name ?? '',
    status: (object.status ?? {}) as Readonly<Record<string, unknown>>,
    spec: object.spec ?? {},
    object,
  }));
}

export const backupJobs = (tenant: Tenant) => all(tenant, BACKUP_JOB);
export const backups = (tenant: Tenant) => all(tenant, BACKUP);
export const restoreJobs = (tenant: Tenant) => all(tenant, RESTORE_JOB);
export const jobs = (tenant: Tenant) => all(tenant, JOB);

export function readPlan({ server, namespace }: Tenant): Promise<ApiBody> {
  return read(server, { type: PLAN, namespace, name: PLAN_NAME });
}
