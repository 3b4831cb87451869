import * as z from 'zod/mini';
import { LocalReference, TypedReference } from './reference.ts';

/** backups.md B.1. */
export const BackupJobSpec = z.object({
  planRef: z.optional(LocalReference),
  applicationRef: TypedReference,
  backupClassName: z.string().check(z.minLength(1)),
});
export type BackupJobSpec = z.infer<typeof BackupJobSpec>;
