import { checkJobSpec } from '#api/job-template.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';

/** A Job that is valid but for what the row changes. */
export interface JobRow {
  readonly name: string;
  /** Fields of the JobSpec. */
  readonly spec: JsonObject;
  /** Fields of the pod spec. */
  readonly pod?: JsonObject;
  /** The lines that the API server prints; none when it accepts the Job. */
  readonly says?: readonly string[];
}

export const WORKER = { name: 'worker', image: 'busybox:1.37' };
export const ON_42 = { onExitCodes: { operator: 'In', values: [42] } };
export const DISRUPTED = { type: 'DisruptionTarget' };

export function jobSpec(row: Pick<JobRow, 'spec' | 'pod'>): JsonObject {
  return { template: { spec: { restartPolicy: 'Never', containers: [WORKER], ...row.pod } }, ...row.spec };
}

export function indexed(spec: JsonObject): JsonObject {
  return { completionMode: 'Indexed', completions: 5, parallelism: 5, ...spec };
}

export function failurePolicy(...rules: readonly Json[]): JsonObject {
  return { podFailurePolicy: { rules } };
}

export function linesOf(row: JobRow): readonly string[] {
  return issueLines(checkJobSpec(jobSpec(row), ['spec'], {}));
}
