import fc from 'fast-check';
import type { Json, KubeObject } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';

/** A schedule as its author thinks of it; the models of these tests read this and never the object made from it. */
export interface Timetable {
  readonly kind: 'CronJob' | 'EtcdDefragPolicy' | 'Plan';
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
/** The longest name of a Plan. */
const MAX_PLAN_NAME = 47;

/** A Plan has no other fields than its expression; the configuration alone says its deadline. */
const OF_A_PLAN = {
  concurrency: 'Allow',
  suspend: false,
  limit: undefined,
  failedLimit: undefined,
  ttl: undefined,
} as const;

/** What an author can say of a kind. */
export function forKind(timetable: Timetable): Timetable {
  switch (timetable.kind) {
    case 'CronJob':
      return timetable;
    case 'EtcdDefragPolicy': {
      // A policy cannot replace, and has one limit for both outcomes.
      const concurrency = timetable.concurrency === 'Replace' ? 'Forbid' : timetable.concurrency;
      return { ...timetable, concurrency, failedLimit: undefined };
    }
    case 'Plan':
      return { ...timetable, ...OF_A_PLAN, name: timetable.name.slice(0, MAX_PLAN_NAME) };
  }
}

function someTimetable(kinds: readonly Timetable['kind'][]): fc.Arbitrary<Timetable> {
  return someTimetableOf(fc.constantFrom(...kinds)).map(forKind);
}

function someTimetableOf(kind: fc.Arbitrary<Timetable['kind']>): fc.Arbitrary<Timetable> {
  return fc.record({
    kind,
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
  } as const);
}

const WITH_JOBS = ['CronJob', 'EtcdDefragPolicy'] as const;

/** Several schedules, no two of one name. */
export function someTimetables(
  minLength: number,
  maxLength: number,
  kinds: readonly Timetable['kind'][] = WITH_JOBS,
): fc.Arbitrary<readonly Timetable[]> {
  return fc.uniqueArray(someTimetable(kinds), {
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

function prefixed({ zone, expression }: Timetable): string {
  return zone === undefined ? expression : `CRON_TZ=${zone} ${expression}`;
}

function policySpec(timetable: Timetable): Json {
  return without({
    clusterRef: { name: 'kv' },
    schedule: prefixed(timetable),
    startingDeadlineSeconds: timetable.deadline,
    concurrencyPolicy: timetable.concurrency,
    suspend: timetable.suspend,
    historyLimit: timetable.limit,
    ttlSecondsAfterFinished: timetable.ttl,
  });
}

/** What Plans back up; which class they name is a matter of their name. */
export const APPLICATION = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' } as const;

export function classOf({ name }: Pick<Timetable, 'name'>): 'silver' | 'gold' {
  return name.startsWith('a') ? 'silver' : 'gold';
}

function planSpec(timetable: Timetable): Json {
  const { kind, name } = APPLICATION;
  return {
    applicationRef: { kind, name },
    backupClassName: classOf(timetable),
    schedule: { cron: prefixed(timetable) },
  };
}

export function specOf(timetable: Timetable): Json {
  switch (timetable.kind) {
    case 'CronJob':
      return cronJobSpec(timetable);
    case 'EtcdDefragPolicy':
      return policySpec(timetable);
    case 'Plan':
      return planSpec(timetable);
  }
}

export const API_VERSIONS: Readonly<Record<Timetable['kind'], string>> = {
  CronJob: 'batch/v1',
  EtcdDefragPolicy: 'etcd-operator.cozystack.io/v1alpha2',
  Plan: 'backups.cozystack.io/v1alpha1',
};

export function uidOf({ kind, namespace, name }: Timetable): string {
  return `uid-${kind}-${namespace}-${name}`;
}

export function scheduleObject(timetable: Timetable, created: number, status?: Json): KubeObject {
  const { kind, namespace, name } = timetable;
  return {
    apiVersion: API_VERSIONS[kind],
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
