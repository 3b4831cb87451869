import type { JsonObject } from '#core/object/object.ts';

/** A pod of a row of `test/cases/job-cases.json`, explained in job.md section 4. */
export interface PodRow {
  readonly name: string;
  readonly phase: string;
  readonly index?: number | string;
  readonly exitCode?: number;
  readonly container?: string;
  readonly conditions?: readonly JsonObject[];
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finishedAt?: string;
  readonly created?: string;
  readonly ready?: boolean;
  readonly restarts?: number;
  readonly indexFailureCount?: number;
  readonly counted?: boolean;
}

export interface ConditionRow {
  readonly type: string;
  readonly status?: string;
  readonly reason: string;
  readonly lastTransitionTime?: string;
}

export interface PriorRow {
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly conditions?: readonly ConditionRow[];
  readonly backoff?: JsonObject;
}

export interface ExpectRow {
  readonly createPods?: number | readonly number[];
  readonly deletePods?: readonly string[];
  readonly conditions?: readonly ConditionRow[];
  readonly succeeded?: number;
  readonly failed?: number;
  readonly active?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly startTime?: string | null;
  readonly completionTime?: string;
  readonly events?: readonly string[];
  readonly requeueAfterSeconds?: number;
  readonly finished?: boolean;
  readonly deleteJob?: boolean;
  readonly skipped?: boolean;
}

export interface CaseRow {
  readonly id: string;
  readonly about: string;
  readonly source: string;
  readonly spec: JsonObject;
  readonly pods: readonly PodRow[];
  readonly now: string;
  readonly startTime: string | null;
  readonly prior?: PriorRow;
  readonly deleting?: boolean;
  readonly expect: ExpectRow;
}

const KNOWN = {
  row: ['about', 'deleting', 'expect', 'id', 'now', 'pods', 'prior', 'source', 'spec', 'startTime'],
  pod: [
    'name',
    'phase',
    'index',
    'exitCode',
    'container',
    'conditions',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'finishedAt',
    'created',
    'ready',
    'restarts',
    'indexFailureCount',
    'counted',
  ],
  prior: ['succeeded', 'failed', 'completedIndexes', 'conditions', 'backoff'],
  condition: ['type', 'status', 'reason', 'lastTransitionTime'],
  expect: [
    'createPods',
    'deletePods',
    'conditions',
    'succeeded',
    'failed',
    'active',
    'terminating',
    'completedIndexes',
    'failedIndexes',
    'startTime',
    'completionTime',
    'events',
    'requeueAfterSeconds',
    'finished',
    'deleteJob',
    'skipped',
  ],
} as const;

function unknownIn(what: keyof typeof KNOWN, value: object): readonly string[] {
  const known: readonly string[] = KNOWN[what];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${what}.${key}`);
}

/** Fields that the runner does not know: a row that has one is not understood, and fails. */
export function unknownFields(row: CaseRow): readonly string[] {
  return [
    ...unknownIn('row', row),
    ...row.pods.flatMap((pod) => unknownIn('pod', pod)),
    ...unknownIn('prior', row.prior ?? {}),
    ...unknownIn('expect', row.expect),
    ...[...(row.prior?.conditions ?? []), ...(row.expect.conditions ?? [])].flatMap((condition) =>
      unknownIn('condition', condition),
    ),
  ];
}
