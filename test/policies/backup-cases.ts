import type { JsonObject } from '#core/object/object.ts';
import {
  backup,
  backupJob,
  creates,
  deletes,
  plan,
  type RuleCase,
  restoreJob,
  updates,
} from './rule-case.ts';

const CORE = 'crd/backups.cozystack.io';
const REDIS = { kind: 'Redis', name: 'sessions' };
const OTHER = { kind: 'Redis', name: 'carts' };
const LEAVE = 'leave what was recorded';
const ANOTHER = 'leave it, or make another object';
const DRIVER = 'minutehand-job-driver';

function backupField(field: string, before: JsonObject, after: JsonObject, accepted = before): RuleCase {
  return {
    name: `another ${field} of a Backup`,
    field: `spec.${field}`,
    file: `${CORE}_backups.yaml`,
    says: `${field} does not change; ${LEAVE}`,
    accepted: updates(backup(before), backup({ ...accepted, driverMetadata: { more: 'x' } })),
    refused: updates(backup(before), backup(after)),
  };
}

const DEFINITION_CASES: readonly RuleCase[] = [
  {
    name: 'another class of a BackupJob',
    field: 'spec',
    file: `${CORE}_backupjobs.yaml`,
    says: `the spec does not change; ${ANOTHER}`,
    accepted: updates(backupJob({}), backupJob({ metadata: { labels: { a: 'b' } } })),
    refused: updates(backupJob({}), backupJob({ spec: { backupClassName: 'gold' } })),
  },
  backupField('applicationRef', { applicationRef: REDIS }, { applicationRef: OTHER }),
  backupField('planRef', {}, { planRef: { name: 'nightly' } }),
  backupField(
    'strategyRef',
    {},
    { strategyRef: { apiGroup: 'elsewhere.example.net', kind: 'Tar', name: 'rdb' } },
  ),
  backupField('takenAt', {}, { takenAt: '2026-01-02T03:00:00Z' }),
  {
    name: 'metadata of a driver that change',
    field: 'spec.driverMetadata',
    file: `${CORE}_backups.yaml`,
    says: `driverMetadata only gains keys; ${LEAVE}`,
    accepted: updates(backup({ driverMetadata: { a: '1' } }), backup({ driverMetadata: { a: '1', b: '2' } })),
    refused: updates(backup({ driverMetadata: { a: '1' } }), backup({ driverMetadata: { a: '2' } })),
  },
  {
    name: 'another Backup of a RestoreJob',
    field: 'spec.backupRef',
    file: `${CORE}_restorejobs.yaml`,
    says: `backupRef does not change; ${ANOTHER}`,
    accepted: updates(restoreJob({}), restoreJob({ metadata: { labels: { a: 'b' } } })),
    refused: updates(restoreJob({}), restoreJob({ spec: { backupRef: { name: 'other' } } })),
  },
  {
    name: 'a target that comes later',
    field: 'spec.targetApplicationRef',
    file: `${CORE}_restorejobs.yaml`,
    says: `targetApplicationRef does not change; ${ANOTHER}`,
    accepted: updates(
      restoreJob({ spec: { targetApplicationRef: REDIS } }),
      restoreJob({ spec: { targetApplicationRef: REDIS }, metadata: { labels: { a: 'b' } } }),
    ),
    refused: updates(restoreJob({}), restoreJob({ spec: { targetApplicationRef: REDIS } })),
  },
];

const NAMES = 'admission/backup-names.yaml';
const KEPT = { metadata: { finalizers: ['backups.cozystack.io/cleanup'] } };

const ADMISSION_CASES: readonly RuleCase[] = [
  {
    name: 'the name of a Plan that leaves no room',
    file: NAMES,
    says: 'the name has more than 47 characters, so that those of its Jobs would not fit a label; shorten the name',
    offline: 'shorten the name',
    accepted: creates(plan({ name: 'p'.repeat(47) })),
    refused: creates(plan({ name: 'p'.repeat(48) })),
  },
  {
    name: 'the name of a BackupJob that leaves no room',
    file: NAMES,
    says: 'the name has more than 56 characters, so that that of its Job would not fit a label; shorten the name',
    accepted: creates(backupJob({ metadata: { name: 'b'.repeat(56) } })),
    refused: creates(backupJob({ metadata: { name: 'b'.repeat(57) } })),
  },
  {
    name: 'the name of a RestoreJob that leaves no room',
    file: NAMES,
    says: 'the name has more than 55 characters, so that that of its Job would not fit a label; shorten the name',
    accepted: creates(restoreJob({ metadata: { name: 'r'.repeat(55) } })),
    refused: creates(restoreJob({ metadata: { name: 'r'.repeat(56) } })),
  },
  {
    name: 'options of a RestoreJob that change, which no definition sees',
    file: 'admission/backup-specs.yaml',
    says: `the spec never changes; ${ANOTHER}`,
    accepted: updates(
      restoreJob({ spec: { options: { at: '1' } } }),
      restoreJob({ spec: { options: { at: '1' } }, metadata: { labels: { a: 'b' } } }),
    ),
    refused: updates(
      restoreJob({ spec: { options: { at: '1' } } }),
      restoreJob({ spec: { options: { at: '2' } } }),
    ),
  },
  {
    name: 'a BackupJob that its driver deletes',
    file: 'admission/backup-drivers.yaml',
    says: 'a driver deletes no BackupJob and no RestoreJob; use another account',
    accepted: deletes(backup({}), DRIVER),
    refused: deletes(backupJob({}), DRIVER),
  },
  {
    name: 'a label that a driver puts on a RestoreJob',
    file: 'admission/backup-drivers.yaml',
    says: 'a driver changes only the finalizers and the status; use another account for the rest',
    accepted: updates(restoreJob(KEPT), restoreJob({}), DRIVER),
    refused: updates(restoreJob({}), restoreJob({ metadata: { labels: { a: 'b' } } }), DRIVER),
  },
];

export const BACKUP_CASES: readonly RuleCase[] = [...DEFINITION_CASES, ...ADMISSION_CASES];
