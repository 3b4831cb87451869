/** One row of `test/cases/cronjob-cases.json`, explained in cron-job.md section 4. */
export interface JobRow {
  readonly scheduled?: string;
  readonly name?: string;
  readonly state?: 'running' | 'complete' | 'failed' | 'missing' | 'unlisted';
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly controller?: 'otherUid' | 'otherName' | 'none';
}

export interface Expectation {
  readonly create: string | null;
  readonly deleteActive: boolean;
  readonly lastScheduleTime: string | null;
  readonly missedMany: boolean;
  readonly events: readonly string[];
  readonly error?: string;
  readonly jobName?: string;
  readonly scheduledAnnotation?: string;
  readonly activeAfter: readonly string[];
  readonly historyDeleted?: readonly string[];
  readonly lastSuccessfulTime?: string;
  readonly statusWrite: boolean;
}

export interface CaseRow {
  readonly id: string;
  readonly about: string;
  readonly now: string;
  readonly schedule: string;
  readonly timeZone?: string;
  readonly created: string;
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
  readonly startingDeadlineSeconds?: number;
  readonly concurrencyPolicy: string;
  readonly suspend?: boolean;
  readonly deleting?: boolean;
  readonly cronJobName?: string;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
  readonly active: readonly JobRow[];
  readonly jobs?: readonly JobRow[];
  readonly createOutcome?: 'existsOwnedUntracked' | 'existsForeign' | 'namespaceTerminating' | 'error';
  readonly getOutcome?: 'error';
  readonly deleteOutcome?: 'error';
  readonly expect: Expectation;
}

export function cronJobName(row: CaseRow): string {
  return row.cronJobName ?? 'demo';
}

/** cron-job.md 1.9: a Job that the row names by its slot. */
export function jobName(row: CaseRow, job: JobRow): string {
  if (job.name !== undefined) return job.name;
  return `${cronJobName(row)}-${Math.floor(Date.parse(job.scheduled ?? '') / 60_000)}`;
}

/** What one pass did, in the words of the rows; every field always there. */
export interface PassResult {
  readonly create: string | null;
  readonly deleteActive: boolean;
  readonly lastScheduleTime: string | null;
  readonly missedMany: boolean;
  readonly events: readonly string[];
  readonly error: string | null;
  readonly jobName: string | null;
  readonly scheduledAnnotation: string | null;
  readonly activeAfter: readonly string[];
  readonly historyDeleted: readonly string[];
  readonly lastSuccessfulTime: string | null;
  readonly statusWrite: boolean;
}

/**
 * Upstream sends the status whenever its walk touched it, also when no value differs. Here nothing is written when
 * nothing changed (design.md 3.6), so a write is expected only where an expected value differs from the given one.
 */
function hasNewStatus(row: CaseRow): boolean {
  const { expect } = row;
  const before = row.active.map((job) => jobName(row, job)).join();
  return (
    (row.lastScheduleTime ?? null) !== expect.lastScheduleTime ||
    (row.lastSuccessfulTime ?? null) !== (expect.lastSuccessfulTime ?? null) ||
    before !== expect.activeAfter.join()
  );
}

/** Whether the row asks for a write that would change nothing. */
export function asksForEmptyWrite(row: CaseRow): boolean {
  return row.expect.statusWrite && !hasNewStatus(row);
}

export function expectedOf(row: CaseRow): PassResult {
  const { expect } = row;
  return {
    create: expect.create,
    deleteActive: expect.deleteActive,
    lastScheduleTime: expect.lastScheduleTime,
    missedMany: expect.missedMany,
    events: expect.events,
    error: expect.error ?? null,
    jobName: expect.jobName ?? null,
    scheduledAnnotation: expect.scheduledAnnotation ?? null,
    activeAfter: expect.activeAfter,
    historyDeleted: expect.historyDeleted ?? [],
    lastSuccessfulTime: expect.lastSuccessfulTime ?? null,
    statusWrite: expect.statusWrite && !asksForEmptyWrite(row),
  };
}
