import { absentApplication, absentClass } from '#api/backups/absent.ts';
import { BackupSpec } from '#api/backups/backup.ts';
import { BackupClassSpec } from '#api/backups/backup-class.ts';
import { BackupJobSpec } from '#api/backups/backup-job.ts';
import { looseReference, type TypedReference } from '#api/backups/reference.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { RestoreJobSpec } from '#api/backups/restore-job.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { absentReferent } from '#core/absent-referent.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { FieldPath, Json, KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { Referents } from '#core/referents.ts';
import type { FollowInput } from '#core/run/driver.ts';
import { JOB_BACKUP_STRATEGY, JOB_DRIVER_GROUP } from './resources.ts';
import { trialFindings } from './trial.ts';

interface Read {
  readonly spec: Json;
  readonly namespace: string;
  readonly referents: Referents;
}

/** A strategy of ours that is not there, or is of a kind that we have not. */
function strategyFindings(
  { apiGroup, kind, name }: TypedReference,
  path: FieldPath,
  referents: Referents,
): readonly Finding[] {
  if (apiGroup !== JOB_DRIVER_GROUP) return [];
  if (kind === JOB_BACKUP_STRATEGY.kind) {
    const why = 'nothing is started while the strategy does not exist';
    const type = JOB_BACKUP_STRATEGY;
    return absentReferent({ type, namespace: '', name, path: [...path, 'name'], why }, referents);
  }
  const nearest = nearestName(kind, [JOB_BACKUP_STRATEGY.kind]);
  return [
    {
      code: 'ReferentUnusable',
      severity: 'warning',
      path: [...path, 'kind'],
      what: `${kind.slice(0, 60)} is no kind of strategy of ${JOB_DRIVER_GROUP}`,
      why: 'its backups fail at once',
      ...(nearest === undefined ? {} : { fix: `write ${nearest}` }),
    },
  ];
}

function classFindings({ spec, referents }: Read): readonly Finding[] {
  const parsed = BackupClassSpec.safeParse(spec);
  if (!parsed.success) return [];
  return parsed.data.strategies.flatMap(({ strategyRef }, index) =>
    strategyFindings(strategyRef, ['spec', 'strategies', index, 'strategyRef'], referents),
  );
}

function backupJobFindings({ spec, namespace, referents }: Read): readonly Finding[] {
  const parsed = BackupJobSpec.safeParse(spec);
  if (!parsed.success) return [];
  const path = ['spec', 'applicationRef'];
  return [
    ...absentClass(parsed.data, referents),
    ...absentApplication(parsed.data.applicationRef, { namespace, path, referents }),
  ];
}

/** Without its Backup, a target that names no group is looked for in the default one. */
function targetFindings(
  target: TypedReference,
  backupName: string,
  { namespace, referents }: Read,
): readonly Finding[] {
  const found = referents.find(BACKUP, namespace, backupName);
  const spec = found.state === 'found' && isObject(found.object.spec) ? found.object.spec : {};
  const application = targetOf(looseReference(spec['applicationRef']), target);
  return absentApplication(application, { namespace, path: ['spec', 'targetApplicationRef'], referents });
}

function restoreJobFindings(read: Read): readonly Finding[] {
  const { spec, namespace, referents } = read;
  const parsed = RestoreJobSpec.safeParse(spec);
  if (!parsed.success) return [];
  const { backupRef, targetApplicationRef: target } = parsed.data;
  const why = 'the restore waits for it half an hour, and then fails';
  const path = ['spec', 'backupRef', 'name'];
  const backup = { type: BACKUP, namespace, name: backupRef.name, path, why };
  return [
    ...absentReferent(backup, referents),
    ...(target === undefined ? [] : targetFindings(target, backupRef.name, read)),
  ];
}

function backupFindings({ spec, referents }: Read): readonly Finding[] {
  const parsed = BackupSpec.safeParse(spec);
  return parsed.success ? strategyFindings(parsed.data.strategyRef, ['spec', 'strategyRef'], referents) : [];
}

const FOLLOW: ReadonlyMap<string, (read: Read) => readonly Finding[]> = new Map([
  [typeId(BACKUP_CLASS), classFindings],
  [typeId(BACKUP_JOB), backupJobFindings],
  [typeId(RESTORE_JOB), restoreJobFindings],
  [typeId(BACKUP), backupFindings],
]);

/** Where an object leads, and what its templates make of what it leads to. */
export function followObject(object: KubeObject, input: FollowInput): readonly Finding[] {
  const key = keyOf(object);
  const id = typeId(key);
  if (id === typeId(JOB_BACKUP_STRATEGY)) return trialFindings(object, input);
  const spec = withoutNulls(object.spec ?? {});
  return FOLLOW.get(id)?.({ spec, namespace: key.namespace, referents: input.referents }) ?? [];
}
