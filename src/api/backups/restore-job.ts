import * as z from 'zod/mini';
import { LocalReference, TypedReference } from './reference.ts';

/** backups.md B.1; `options` is for drivers that know what to do with them. */
export const RestoreJobSpec = z.object({
  backupRef: LocalReference,
  targetApplicationRef: z.optional(TypedReference),
  options: z.optional(z.looseObject({})),
});
export type RestoreJobSpec = z.infer<typeof RestoreJobSpec>;
