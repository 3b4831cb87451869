import { BACKUP_CLASS } from '#api/backups/resources.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { endJobs } from '#test/cluster/built-in/end-pods.ts';
import { until } from '#test/cluster/support/until.ts';
import { MERGE, must, pathOf, remove } from '#test/cluster/world/api.ts';
import type { Write } from '#test/cluster/world/command-line.ts';
import { backupJobs, jobs, minutehand, PLAN_NAME, restoreJobs, type Tenant, tick } from './world.ts';

/** Plays scheduler and kubelet for every Job of the tenant. */
export function endPods({ server, namespace }: Tenant): Promise<void> {
  return endJobs(server, namespace, () => true);
}

async function phases(tenant: Tenant): Promise<string> {
  const orders = [...(await backupJobs(tenant)), ...(await restoreJobs(tenant))];
  return orders.map(({ status }) => String(status['phase'] ?? '-')).join(' ');
}

export interface Step {
  readonly did: string;
  readonly code: number;
  /** Of BackupJobs, then RestoreJobs. */
  readonly phases: string;
  readonly jobs: number;
}

async function step(tenant: Tenant, did: string): Promise<Step> {
  const { code, stdout, stderr } = await tick(tenant);
  if (code !== 0) throw new Error(`${did} ended with ${code}:\n${stdout}${stderr}`);
  return { did, code, phases: await phases(tenant), jobs: (await jobs(tenant)).length };
}

/** From the slot of the Plan to the end of the backup, a tick a step. */
export async function backUp(tenant: Tenant): Promise<readonly Step[]> {
  const fired = await step(tenant, 'the Plan fires');
  const started = await step(tenant, 'the Job is created');
  await endPods(tenant);
  const ended = await step(tenant, 'the end is recorded');
  return [fired, started, ended, await step(tenant, 'nothing is left')];
}

export async function restore(tenant: Tenant, backup: string): Promise<readonly Step[]> {
  const made = await minutehand(tenant, 'run', 'restorejob', '--backup', backup);
  if (made.code !== 0) throw new Error(made.stdout + made.stderr);
  const started = await step(tenant, 'the Job is created');
  await endPods(tenant);
  return [started, await step(tenant, 'the end is recorded')];
}

/** What a class says of every strategy it names, from now on. */
export async function editClass({ server }: Tenant, name: string, strategy: object): Promise<void> {
  const where = { type: BACKUP_CLASS, namespace: '', name };
  await must(server, 'PATCH', pathOf(where), { spec: { strategies: [strategy] } }, MERGE);
}

export async function deletePlan(tenant: Tenant): Promise<void> {
  const { server, namespace } = tenant;
  await remove(server, { type: PLAN, namespace, name: PLAN_NAME });
  await until('what the Plan owned is gone', async () => {
    const taken = (await jobs(tenant)).filter(({ name }) => name.endsWith('-backup'));
    const left = [...(await backupJobs(tenant)), ...taken];
    return left.length === 0 ? true : undefined;
  });
}

class Killed extends Error {}

/** One tick that is killed behind so many writes; what it wrote. */
async function killedTick(tenant: Tenant, most: number): Promise<readonly Write[]> {
  const written: Write[] = [];
  try {
    await tick(tenant, (write) => {
      if (written.length === most) throw new Killed('killed');
      written.push(write);
    });
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  return written;
}

const MOST_TICKS = 40;

/**
 * Ticks that each get no further than one write, until there is none left to do; what they wrote, in order. One that
 * only found what the tick before had written gets one write further.
 */
export async function creep(tenant: Tenant): Promise<readonly string[]> {
  const lines: string[] = [];
  let most = 1;
  for (let count = 0; count < MOST_TICKS; count += 1) {
    const written = (await killedTick(tenant, most)).map(({ verb, key }) => `${verb} ${key.kind}`);
    const [last] = written.slice(-1);
    if (last === undefined) return lines;
    most = last === lines.at(-1) ? most + 1 : 1;
    lines.push(...written);
    await endPods(tenant);
  }
  throw new Error(`it never comes to an end:\n${lines.join('\n')}`);
}
