import * as z from 'zod/mini';
import { TypedReference } from '#api/backups/reference.ts';

/** What may be written here is not all that is understood: the timing says why. */
export const PlanSchedule = z.object({ type: z.optional(z.string()), cron: z.optional(z.string()) });
export type PlanSchedule = z.infer<typeof PlanSchedule>;

/** backups.md B.1. */
export const PlanSpec = z.object({
  applicationRef: TypedReference,
  backupClassName: z.string().check(z.minLength(1)),
  schedule: PlanSchedule,
});
export type PlanSpec = z.infer<typeof PlanSpec>;
