import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { POLICY as DEFRAG_POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { REPOSITORY, SCHEDULE, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { create, createNamespace, LANES } from '#test/cluster/world/api.ts';
import { secondsOf } from '#test/properties/support/expected.ts';
import {
  NAMESPACE,
  policyObject,
  repositoryObject,
  scheduleSpec,
} from '#test/properties/support/snapshot/objects.ts';
import { specOf } from '#test/properties/support/timetable.ts';
import { type Authors, CRONS, EXPRESSIONS, namespaces } from './authors.ts';
import type { Book } from './books/book.ts';
import { minutelyBook } from './books/minutely.ts';
import { type PlanTimetable, planBook } from './books/plan.ts';
import { type Born, type Cell, snapshotBook } from './books/snapshots.ts';

interface Draft {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

async function plantObject(server: Endpoint, type: ResourceType, draft: Draft): Promise<Born> {
  const { namespace, name, labels = {}, spec } = draft;
  const body = {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name, namespace, labels },
    spec,
  };
  const { metadata } = await create(server, type, body);
  const { uid = '', creationTimestamp } = metadata as {
    readonly uid?: string;
    readonly creationTimestamp?: string;
  };
  return { uid, created: secondsOf(creationTimestamp) ?? Number.NaN };
}

async function plantMinutely(
  server: Endpoint,
  { timetable, isValid }: Authors['minutely'][number],
): Promise<Book> {
  const { kind, namespace, name } = timetable;
  const spec = specOf(timetable) as JsonObject;
  const type = kind === 'CronJob' ? CRON_JOB : DEFRAG_POLICY;
  const { created } = await plantObject(server, type, { namespace, name, spec });
  return minutelyBook(timetable, { created, isValid, expressions: EXPRESSIONS });
}

async function plantPlan(server: Endpoint, plan: PlanTimetable): Promise<Book> {
  const { namespace, name, when } = plan;
  const prefix = when.zone === 'UTC' ? '' : `CRON_TZ=${when.zone} `;
  const spec = {
    applicationRef: { kind: 'Redis', name: 'sessions' },
    backupClassName: 'nightly',
    schedule: { cron: `${prefix}${when.expression}` },
  };
  const { created } = await plantObject(server, PLAN, { namespace, name, spec });
  return planBook(plan, created);
}

async function plantCell(server: Endpoint, cell: Cell): Promise<Book> {
  for (const [name, defaults] of cell.defaults) {
    const { spec } = repositoryObject(name, defaults);
    await plantObject(server, REPOSITORY, { namespace: NAMESPACE, name, spec: spec as JsonObject });
  }
  for (const [name, recipe] of cell.recipes) {
    const { spec, metadata } = policyObject(name, recipe);
    const { labels = {} } = metadata;
    await plantObject(server, SNAPSHOT_POLICY, {
      namespace: NAMESPACE,
      name,
      labels,
      spec: spec as JsonObject,
    });
  }
  const born: Born[] = [];
  for (const timetable of cell.timetables) {
    const spec = scheduleSpec(timetable) as JsonObject;
    born.push(await plantObject(server, SCHEDULE, { namespace: NAMESPACE, name: timetable.name, spec }));
  }
  return snapshotBook(cell, born, CRONS);
}

/** All of it on the server, and a book for each that belongs together. */
export async function plant(server: Endpoint, authors: Authors): Promise<readonly Book[]> {
  for (const namespace of [...namespaces, NAMESPACE]) await createNamespace(server, namespace);
  return [
    ...(await inLanes(authors.minutely, LANES, (one) => plantMinutely(server, one))),
    ...(await inLanes(authors.plans, LANES, (plan) => plantPlan(server, plan))),
    ...(await inLanes(authors.cells, LANES, (cell) => plantCell(server, cell))),
  ];
}
