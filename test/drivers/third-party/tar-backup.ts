import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { WriteResult } from '#store/port.ts';
import { applyStatus, type Order, read } from './order.ts';
import { BACKUP, BackupJobSpec, BackupStatus, GROUP, TarRunSpec, TarRunStatus } from './tar-objects.ts';
import { PARAMETER } from './tar-task.ts';

type Recorded =
  | WriteResult
  | { readonly state: 'whole' }
  | { readonly state: 'taken'; readonly message: string };

const OWNER = `${GROUP}/backupjob-uid`;
const LABEL_VALUE = /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;

/** The record, then its status where the first write did not keep it; undefined: later. */
export async function recordBackup(order: Order, run: KubeObject): Promise<Recorded | undefined> {
  const { name, uid } = order.object.metadata;
  const { artifact } = TarRunStatus.parse(run.status);
  const status = { phase: 'Ready', ...(artifact === undefined ? {} : { artifact }) };
  const found = await read(order, BACKUP, name);
  if (found.state === 'failed') return undefined;
  if (found.state === 'missing') return order.store.create(BACKUP, { ...backupOf(order, run), status });
  const { object } = found;
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  if (object.metadata.annotations?.[OWNER] !== uid)
    return { state: 'taken', message: `Backup ${name} was not made for this BackupJob` };
  if (BackupStatus.parse(object.status ?? {}).phase !== undefined) return { state: 'whole' };
  return applyStatus(order.store, BACKUP, object, status);
}

function backupOf({ object }: Order, run: KubeObject): KubeObject {
  const { name, namespace = '', uid = '' } = object.metadata;
  const { applicationRef, planRef } = BackupJobSpec.parse(object.spec);
  const { strategyRef, parameters } = TarRunSpec.parse(run.spec);
  const { completedAt = '' } = TarRunStatus.parse(run.status);
  const metadata = Object.entries(parameters).map(([key, value]) => [`${PARAMETER}${key}`, value]);
  const origin = {
    'backups.cozystack.io/plan': planRef?.name ?? '',
    'backups.cozystack.io/application-kind': applicationRef.kind,
    'backups.cozystack.io/application-name': applicationRef.name,
  };
  const labels = Object.fromEntries(Object.entries(origin).filter(([, value]) => LABEL_VALUE.test(value)));
  const spec = {
    applicationRef,
    ...(planRef === undefined ? {} : { planRef }),
    strategyRef,
    takenAt: completedAt,
    driverMetadata: Object.fromEntries(metadata),
  };
  return {
    apiVersion: object.apiVersion,
    kind: BACKUP.kind,
    metadata: {
      name,
      namespace,
      labels,
      annotations: { [OWNER]: uid },
    },
    spec: spec as JsonObject,
  };
}
