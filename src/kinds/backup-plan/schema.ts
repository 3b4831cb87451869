import * as z from 'zod/mini';

const Name = z.string().check(z.minLength(1));

export const ApplicationRef = z.object({ apiGroup: z.optional(z.string()), kind: Name, name: Name });
export type ApplicationRef = z.infer<typeof ApplicationRef>;

/** What may be written here is not all that is understood: the timing says why. */
export const PlanSchedule = z.object({ type: z.optional(z.string()), cron: z.optional(z.string()) });
export type PlanSchedule = z.infer<typeof PlanSchedule>;

/** backups.md B.1. */
export const PlanSpec = z.object({
  applicationRef: ApplicationRef,
  backupClassName: Name,
  schedule: PlanSchedule,
});
export type PlanSpec = z.infer<typeof PlanSpec>;
