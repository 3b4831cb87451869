import * as z from 'zod/mini';

const MAX_INT32 = 2_147_483_647;

const Count = z.int().check(z.minimum(0), z.maximum(MAX_INT32));

/** cron-job.md 1.1 without the template, which `#api/job-template.ts` checks with the API's own wording. */
export const CronJobSpec = z.object({
  schedule: z.string().check(z.minLength(1)),
  timeZone: z.optional(z.string()),
  startingDeadlineSeconds: z.optional(z.int().check(z.minimum(0))),
  concurrencyPolicy: z.optional(z.enum(['Allow', 'Forbid', 'Replace'])),
  suspend: z.optional(z.boolean()),
  successfulJobsHistoryLimit: z.optional(Count),
  failedJobsHistoryLimit: z.optional(Count),
});
export type CronJobSpec = z.infer<typeof CronJobSpec>;

export const CronJobBody = z.object({ spec: CronJobSpec });

/** What the API server fills in (cron-job.md 1.1). */
export const DEFAULTS = { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } as const;
