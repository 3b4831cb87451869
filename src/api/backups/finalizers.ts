import type { KubeObject } from '#core/object/object.ts';
import { BACKUPS_GROUP } from './resources.ts';

const CLEANUP = `${BACKUPS_GROUP}/cleanup`;
/** Of older Backups. */
const CLEANUP_VELERO = `${BACKUPS_GROUP}/cleanup-velero`;

/** The finalizers that other implementations put on, and that the driver of the strategy takes off (backups.md B.7). */
export const RESTORE_FINALIZERS: readonly string[] = [CLEANUP];
export const BACKUP_FINALIZERS: readonly string[] = [CLEANUP, CLEANUP_VELERO];

/** Those of them that the object carries. */
export function carriedFinalizers(object: KubeObject, known: readonly string[]): readonly string[] {
  return (object.metadata.finalizers ?? []).filter((finalizer) => known.includes(finalizer));
}
