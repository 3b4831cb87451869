import type * as z from 'zod/mini';
import { BackupSpec } from '#api/backups/backup.ts';
import { BackupClassSpec } from '#api/backups/backup-class.ts';
import { BackupJobSpec } from '#api/backups/backup-job.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { RestoreJobSpec } from '#api/backups/restore-job.ts';
import { zodFindings } from '#api/zod-findings.ts';
import type { Finding } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { nameFindings } from './barred.ts';
import { BACKUP_ORDER, RESTORE_ORDER } from './order.ts';
import { JOB_BACKUP_STRATEGY } from './resources.ts';
import { strategyFindings } from './strategy.ts';

type Rule = (object: KubeObject) => readonly Finding[];

function specRule(schema: z.ZodMiniType): Rule {
  return (object) => {
    const spec = withoutNulls(object.spec ?? {});
    const parsed = schema.safeParse(spec);
    return parsed.success ? [] : zodFindings(parsed.error.issues, spec, ['spec']);
  };
}

const backupJobRule = specRule(BackupJobSpec);
const restoreJobRule = specRule(RestoreJobSpec);

/** Jobs themselves are not ours to judge: most are nobody's order. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  [typeId(BACKUP_CLASS), specRule(BackupClassSpec)],
  [typeId(BACKUP), specRule(BackupSpec)],
  [
    typeId(BACKUP_JOB),
    (object) => [...nameFindings(object.metadata.name, BACKUP_ORDER), ...backupJobRule(object)],
  ],
  [
    typeId(RESTORE_JOB),
    (object) => [...nameFindings(object.metadata.name, RESTORE_ORDER), ...restoreJobRule(object)],
  ],
  [typeId(JOB_BACKUP_STRATEGY), strategyFindings],
]);

/** The offline rules of the types that the driver reads. */
export function checkObject(object: KubeObject): readonly Finding[] {
  return RULES.get(typeId(keyOf(object)))?.(object) ?? [];
}
