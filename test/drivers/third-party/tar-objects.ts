import * as z from 'zod/mini';
import type { ResourceType } from '#core/object/resource.ts';

export const GROUP = 'tar.example.net';
const BACKUPS = 'backups.cozystack.io';

function resource(group: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  const singular = kind.toLowerCase();
  const version = group === BACKUPS ? 'v1alpha1' : 'v1';
  const words = { plural: `${singular}s`, singular, shortNames: [] };
  return { group, version, kind, ...words, namespaced: true, ...more };
}

export const BACKUP_CLASS = resource(BACKUPS, 'BackupClass', { plural: 'backupclasses', namespaced: false });
export const BACKUP_JOB = resource(BACKUPS, 'BackupJob');
export const BACKUP = resource(BACKUPS, 'Backup');
export const RESTORE_JOB = resource(BACKUPS, 'RestoreJob');
export const TAR_STRATEGY = resource(GROUP, 'TarStrategy', { plural: 'tarstrategies', namespaced: false });
/** The work: what an operator of the group carries out. */
export const TAR_RUN = resource(GROUP, 'TarRun');

const Group = z.optional(z.string());
const Texts = z.record(z.string(), z.string());
const Named = z.object({ name: z.string() });
const Reference = z.object({ apiGroup: Group, kind: z.string(), name: z.string() });
const Artifact = z.object({ uri: z.string(), sizeBytes: z.number(), checksum: z.string() });
const Metadata = z.optional(Texts);

export const BackupClassSpec = z.object({
  strategies: z.array(
    z.object({
      application: z.object({ apiGroup: Group, kind: z.string() }),
      strategyRef: Reference,
      parameters: Metadata,
    }),
  ),
});
export const BackupJobSpec = z.object({
  planRef: z.optional(Named),
  applicationRef: Reference,
  backupClassName: z.string(),
});
export const RestoreJobSpec = z.object({ backupRef: Named, targetApplicationRef: z.optional(Reference) });
export const BackupSpec = z.object({
  applicationRef: Reference,
  strategyRef: Reference,
  driverMetadata: Metadata,
});
export const BackupStatus = z.object({ phase: z.optional(z.string()), artifact: z.optional(Artifact) });
export const TarRunSpec = z.object({
  application: Reference,
  strategyRef: Reference,
  parameters: Texts,
  /** Of a restore. */
  source: z.optional(z.string()),
});
export type TarRunSpec = z.infer<typeof TarRunSpec>;
export const TarRunStatus = z.object({
  phase: z.optional(z.enum(['Done', 'Failed'])),
  completedAt: z.optional(z.string()),
  message: z.optional(z.string()),
  artifact: z.optional(Artifact),
});
