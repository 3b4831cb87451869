import { typeId } from '#core/observed.ts';
import { BackupSpec } from './backup.ts';
import { BackupClassSpec } from './backup-class.ts';
import { BackupJobSpec } from './backup-job.ts';
import { LocalReference, TypedReference } from './reference.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from './resources.ts';
import { RestoreJobSpec } from './restore-job.ts';

const TYPED = Object.keys(TypedReference.shape);
const LOCAL = Object.keys(LocalReference.shape);

/** By `typeId` and the path of what holds them. */
export const KNOWN_FIELDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [typeId(BACKUP_CLASS)]: { spec: Object.keys(BackupClassSpec.shape) },
  [typeId(BACKUP_JOB)]: {
    spec: Object.keys(BackupJobSpec.shape),
    'spec.planRef': LOCAL,
    'spec.applicationRef': TYPED,
  },
  [typeId(BACKUP)]: {
    spec: Object.keys(BackupSpec.shape),
    'spec.planRef': LOCAL,
    'spec.applicationRef': TYPED,
    'spec.strategyRef': TYPED,
  },
  [typeId(RESTORE_JOB)]: {
    spec: Object.keys(RestoreJobSpec.shape),
    'spec.backupRef': LOCAL,
    'spec.targetApplicationRef': TYPED,
  },
};
