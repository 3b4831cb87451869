import fc from 'fast-check';
import type { Json, KubeObject } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';

/** A schedule as its author thinks of it; the models of these tests read this and never the object made from it. */
export interface Timetable {
  readonly kind: 'CronJob' | 'EtcdDefragPolicy';
  readonly namespace: string;
  readonly name: string;
  readonly expression: string;
  /** Absent is UTC. */
  readonly zone: string | undefined;
  readonly deadline: number | undefined;
  readonly concurrency: 'Allow' | 'Forbid' | 'Replace';
  readonly suspend: boolean;
  /** Of succeeded runs of a CronJob, of finished runs of a policy. */
  readonly limit: number | undefined;
  readonly failedLimit: number | undefined;
  readonly ttl: number | undefined;
}

const OFTEN = ['* * * * *', '*/2 * * * *', '*/5 * * * *', '3-59/7 * * * *', '15,45 * * * *'] as const;
const SELDOM = [
  '0 * * * *',
  '30 */2 * * *',
  '0 3 * * *',
  '30 2 * * *',
  '45 1 * * 0,6',
  '0 0 * * 1-5',
  '0 9 1-7 * 1',
  '0 0 1 * *',
  '0 12 29 2 *',
] as const;
/** With clock changes of an hour, of half an hour and at midnight, in both halves of the year, and without any. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
] as const;

/** Most of them fire often: a history of seldom schedules tells little. */
export const someExpression = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...OFTEN) },
  { weight: 2, arbitrary: fc.constantFrom(...SELDOM) },
);
export const someZone = fc.option(fc.constantFrom(...ZONES), { nil: undefined, freq: 2 });
export const someDeadline = fc.option(fc.constantFrom(0, 30, 90, 120, 600, 3600, 86_400), { nil: undefined });
export const someConcurrency = fc.constantFrom('Allow', 'Forbid', 'Replace');
export const someLimit = fc.option(fc.constantFrom(0, 1, 2, 5), { nil: undefined });
const someTtl = fc.option(fc.constantFrom(0, 60, 300, 3600), { nil: undefined, freq: 2 });

/** Names that are ordinary to the API and special to JavaScript, that fit just so, or that begin alike. */
const NAMES = ['a', 'a-1', 'nightly', 'tostring', 'constructor', 'x'.repeat(52), 'x'.repeat(51)] as const;

function forKind(timetable: Timetable): Timetable {
  if (timetable.kind === 'CronJob') return timetable;
  // A policy cannot replace, and has one limit for both outcomes.
  const concurrency = timetable.concurrency === 'Replace' ? 'Forbid' : timetable.concurrency;
  return { ...timetable, concurrency, failedLimit: undefined };
}

const someTimetable: fc.Arbitrary<Timetable> = fc
  .record({
    kind: fc.constantFrom('CronJob', 'EtcdDefragPolicy'),
    namespace: fc.constantFrom('harbor', 'vault-a', 'vault-b'),
    name: fc.constantFrom(...NAMES),
    expression: someExpression,
    zone: someZone,
    deadline: someDeadline,
    concurrency: someConcurrency,
    suspend: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    limit: someLimit,
    failedLimit: someLimit,
    ttl: someTtl,
  } as const)
  .map(forKind);

/** Several schedules, no two of one name. */
export function someTimetables(minLength: number, maxLength: number): fc.Arbitrary<readonly Timetable[]> {
  return fc.uniqueArray(someTimetable, {
    minLength,
    maxLength,
    selector: ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`,
  });
}

function without(members: Record<string, Json | undefined>): { readonly [key: string]: Json } {
  const kept = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

function cronJobSpec(timetable: Timetable): Json {
  const podSpec = {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'registry.example/tool:1' }],
  };
  const jobSpec = without({ template: { spec: podSpec }, ttlSecondsAfterFinished: timetable.ttl });
  return without({
    schedule: timetable.expression,
    timeZone: timetable.zone,
    startingDeadlineSeconds: timetable.deadline,
    concurrencyPolicy: timetable.concurrency,
    suspend: timetable.suspend,
    successfulJobsHistoryLimit: timetable.limit,
    failedJobsHistoryLimit: timetable.failedLimit,
    jobTemplate: { spec: jobSpec },
  });
}

function policySpec(timetable: Timetable): Json {
  const prefix = timetable.zone === undefined ? '' : `CRON_TZ=${timetable.zone} `;
  return without({
    clusterRef: { name: 'kv' },
    schedule: prefix + timetable.expression,
    startingDeadlineSeconds: timetable.deadline,
    concurrencyPolicy: timetable.concurrency,
    suspend: timetable.suspend,
    historyLimit: timetable.limit,
    ttlSecondsAfterFinished: timetable.ttl,
  });
}

export function specOf(timetable: Timetable): Json {
  return timetable.kind === 'CronJob' ? cronJobSpec(timetable) : policySpec(timetable);
}

export function uidOf({ kind, namespace, name }: Timetable): string {
  return `uid-${kind}-${namespace}-${name}`;
}

export function scheduleObject(timetable: Timetable, created: number, status?: Json): KubeObject {
  const { kind, namespace, name } = timetable;
  return {
    apiVersion: kind === 'CronJob' ? 'batch/v1' : 'etcd-operator.cozystack.io/v1alpha2',
    kind,
    metadata: {
      name,
      namespace,
      uid: uidOf(timetable),
      generation: 1,
      creationTimestamp: formatInstant(instant(created)),
    },
    spec: specOf(timetable),
    ...(status === undefined ? {} : { status }),
  };
}
