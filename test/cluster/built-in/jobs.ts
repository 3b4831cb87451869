import { JOB } from '#api/resources.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { CRON_JOB, SCHEDULED_TIMESTAMP } from '#kinds/cron-job/resources.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { listAll } from '#test/cluster/world/api.ts';

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly name: string; readonly uid: string }[];
}

export interface Job {
  readonly metadata: Metadata;
  readonly spec: JsonObject & { readonly template: { readonly metadata: Partial<Metadata> } };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface CronJob {
  readonly metadata: Metadata;
  readonly status: {
    readonly active?: readonly { readonly name: string; readonly uid: string }[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}

async function list(server: Endpoint, type: ResourceType, namespace: string): Promise<unknown> {
  return listAll(server, type, namespace);
}

export async function listCronJobs(server: Endpoint, namespace: string): Promise<readonly CronJob[]> {
  return (await list(server, CRON_JOB, namespace)) as readonly CronJob[];
}

/** Those made by hand too. */
export async function listJobs(server: Endpoint, namespace: string): Promise<readonly Job[]> {
  return (await list(server, JOB, namespace)) as readonly Job[];
}

/** Seconds since the epoch, by the annotation that says it to everybody; undefined for a Job made by hand. */
export function slotOf({ metadata }: Job): number | undefined {
  const text = metadata.annotations?.[SCHEDULED_TIMESTAMP];
  return text === undefined ? undefined : Date.parse(text) / 1000;
}

export function isFinished({ status }: Job): boolean {
  const ends = status.conditions?.filter(({ type }) => type === 'Complete' || type === 'Failed') ?? [];
  return ends.some((condition) => condition.status === 'True');
}

/** A Job that a schedule started: whose, for when, under which name. */
export interface Start {
  readonly cronJob: string;
  readonly slot: string;
  readonly job: string;
}

export function slotText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export function startOf(job: Job): Start {
  const slot = slotOf(job);
  return {
    cronJob: job.metadata.ownerReferences?.[0]?.name ?? '',
    slot: slot === undefined ? '' : slotText(slot),
    job: job.metadata.name,
  };
}

/** One line each, sorted, so that a difference shows the Job that is missing or too many. */
export function startLines(starts: readonly Start[]): readonly string[] {
  return starts.map(({ cronJob, slot, job }) => `${cronJob} at ${slot}: ${job}`).sort();
}
