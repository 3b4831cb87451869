import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MANAGED_BY } from '#api/managed-by.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { type CaseRow, type ConditionRow, type ExpectRow, unknownFields } from './case-row.ts';
import { evaluateRow } from './run-row.ts';
import type { ByVerb } from './support/by-verb.ts';

const ROWS: readonly CaseRow[] = JSON.parse(
  readFileSync(new URL('../../cases/job-cases.json', import.meta.url), 'utf8'),
);

/** Events of pods are not in the rows. */
const POD_EVENTS = ['SuccessfulCreate', 'SuccessfulDelete'];

function indexOf(pod: KubeObject): number {
  return Number(pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index']);
}

function conditionRow(condition: Json): ConditionRow {
  const { type, status, reason } = isObject(condition) ? condition : {};
  return { type: `${type}`, reason: `${reason}`, ...(status === 'True' ? {} : { status: `${status}` }) };
}

function isDone(conditions: readonly ConditionRow[]): boolean {
  return conditions.some(({ type, status }) => status === undefined && ['Complete', 'Failed'].includes(type));
}

/** What came out, in the words of a row; zero and absent are one thing, as in the API. */
function resultOf(row: CaseRow, evaluation: ByVerb): Required<ExpectRow> {
  const { status, creates, deletes, events, requeue, deleteJob } = evaluation;
  const list = Array.isArray(status.conditions) ? status.conditions : [];
  const conditions = list.map(conditionRow);
  const count = (key: string): number => Number(status[key] ?? 0);
  const text = (key: string): string => `${status[key] ?? ''}`;
  return {
    createPods: row.spec.completionMode === 'Indexed' ? creates.map(indexOf) : creates.length,
    deletePods: deletes.map(({ metadata }) => metadata.name).sort(),
    conditions,
    succeeded: count('succeeded'),
    failed: count('failed'),
    active: count('active'),
    terminating: count('terminating'),
    completedIndexes: text('completedIndexes'),
    failedIndexes: text('failedIndexes'),
    startTime: typeof status.startTime === 'string' ? status.startTime : null,
    completionTime: text('completionTime'),
    events: events.map(({ reason }) => reason).filter((reason) => !POD_EVENTS.includes(reason)),
    requeueAfterSeconds: requeue?.seconds ?? 0,
    finished: isDone(conditions),
    deleteJob,
    skipped: evaluation.state === 'skipped',
  };
}

/**
 * What a row leaves out is what it does not have. Only of a finished Job it says nothing of the pods that are left,
 * nor of its times, and expects no events.
 */
function expectedOf(row: CaseRow, result: Required<ExpectRow>): Required<ExpectRow> {
  const wasFinished = isDone(row.prior?.conditions ?? []);
  return {
    createPods: 0,
    deletePods: [],
    conditions: [],
    succeeded: 0,
    failed: 0,
    active: wasFinished ? result.active : 0,
    terminating: wasFinished ? result.terminating : 0,
    completedIndexes: '',
    failedIndexes: '',
    completionTime: '',
    events: [],
    requeueAfterSeconds: 0,
    finished: false,
    deleteJob: false,
    skipped: false,
    startTime: row.startTime,
    ...row.expect,
    ...(row.expect.deletePods === undefined ? {} : { deletePods: [...row.expect.deletePods].sort() }),
  };
}

function checkRow(row: CaseRow, managedBy?: string): void {
  expect(unknownFields(row)).toEqual([]);
  const evaluation = evaluateRow(row, managedBy);
  const result = resultOf(row, evaluation);
  expect(result, row.about).toEqual(expectedOf(row, result));
}

const NAMED = ROWS.map((row) => [row.id, row] as const);

describe('one pass over one Job as Kubernetes does it', () => {
  test.each(NAMED)('%s', (_id, row) => {
    checkRow(row);
  });
});

describe('the same with managedBy, in the name that it has', () => {
  test.each(NAMED)('%s', (_id, row) => {
    checkRow(row, MANAGED_BY);
  });
});

test('the case file is whole', () => {
  expect(new Set(ROWS.map(({ id }) => id)).size).toBe(98);
});
