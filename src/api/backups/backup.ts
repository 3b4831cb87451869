import * as z from 'zod/mini';
import { LocalReference, TypedReference } from './reference.ts';

/** backups.md B.1. */
export const BackupSpec = z.object({
  applicationRef: TypedReference,
  planRef: z.optional(LocalReference),
  strategyRef: TypedReference,
  takenAt: z.string(),
  driverMetadata: z.optional(z.record(z.string(), z.string())),
});
export type BackupSpec = z.infer<typeof BackupSpec>;

export const BackupArtifact = z.object({
  uri: z.string(),
  sizeBytes: z.optional(z.int().check(z.minimum(0))),
  checksum: z.optional(z.string()),
});
export type BackupArtifact = z.infer<typeof BackupArtifact>;
