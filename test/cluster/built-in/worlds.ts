import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { create, createNamespace } from '#test/cluster/world/api.ts';
import { APART, cronJobs, cronJobsApart, NAMESPACE, WITH_MANUAL_JOB } from './cron-jobs.ts';

/** Who carries out Jobs is the cluster's own on both sides. */
export const OTHER_CONTROLLERS = ['job-controller', 'garbage-collector-controller'];
export const CRON_JOB_CONTROLLER = ['cronjob-controller'];

/** @param first and `lastSlot`, the slots that are looked at, in seconds since the epoch */
export async function populate(server: ApiServer, first: number, lastSlot: number): Promise<void> {
  await createNamespace(server, NAMESPACE);
  await createNamespace(server, APART);
  const all = [...cronJobs(first), ...cronJobsApart(first, lastSlot)];
  for (const cronJob of all) await create(server, CRON_JOB, cronJob);
  const from = `--from=cronjob/${WITH_MANUAL_JOB}`;
  const made = await server.kubectl(['-n', NAMESPACE, 'create', 'job', 'by-hand', from]);
  if (made.code !== 0) throw new Error(made.stderr);
}

/** A configuration for control planes whose own CronJob controller is off. */
export async function managingConfig({ folder }: ApiServer): Promise<string> {
  const file = join(folder, 'manage.yaml');
  await writeFile(file, 'cronJob: manage\n');
  return file;
}
