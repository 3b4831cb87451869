import { type Order, read, standing, type Told } from './order.ts';
import {
  BACKUP,
  BACKUP_CLASS,
  BackupClassSpec,
  BackupJobSpec,
  BackupSpec,
  BackupStatus,
  GROUP,
  RestoreJobSpec,
  type TarRunSpec,
} from './tar-objects.ts';

/** What an order was resolved to, as the TarRun is told. */
export type Task = TarRunSpec;

/** How parameters are called in the metadata of a Backup. */
export const PARAMETER = `${GROUP}/parameter/`;

const PATIENCE = 30 * 60_000;

export function groupOf(apiGroup = ''): string {
  return apiGroup === '' ? 'apps.cozystack.io' : apiGroup;
}

/** Half an hour long; then it failed. */
export function waiting(
  order: Order,
  since: string | undefined,
  { reason, message }: Pick<Told, 'reason' | 'message'>,
): Told {
  const isOver = since !== undefined && Date.parse(order.now) - Date.parse(since) > PATIENCE;
  if (isOver) {
    const failure = order.type.kind === 'RestoreJob' ? 'RestoreFailed' : 'BackupFailed';
    return { phase: 'Failed', reason: failure, message: `${reason}: ${message}` };
  }
  return { phase: standing(order).startedAt === undefined ? 'Pending' : 'Running', reason, message };
}

/** By the first entry of the class; undefined: somebody else answers for it, or nobody can tell yet. */
export async function taskOfBackup(order: Order): Promise<Task | undefined> {
  const { applicationRef, backupClassName } = BackupJobSpec.parse(order.object.spec);
  const application = { ...applicationRef, apiGroup: groupOf(applicationRef.apiGroup) };
  const found = await read(order, BACKUP_CLASS, backupClassName);
  if (found.state !== 'found') return undefined;
  const entry = BackupClassSpec.parse(found.object.spec).strategies.find(
    ({ application: { apiGroup, kind } }) =>
      groupOf(apiGroup) === application.apiGroup && kind === application.kind,
  );
  if (entry?.strategyRef.apiGroup !== GROUP) return undefined;
  return { application, strategyRef: entry.strategyRef, parameters: entry.parameters ?? {} };
}

/** By the Backup alone. */
export async function taskOfRestore(order: Order): Promise<Task | Told | undefined> {
  const { backupRef, targetApplicationRef } = RestoreJobSpec.parse(order.object.spec);
  const found = await read(order, BACKUP, backupRef.name);
  if (found.state !== 'found') return undefined;
  const { applicationRef, strategyRef, driverMetadata = {} } = BackupSpec.parse(found.object.spec);
  if (strategyRef.apiGroup !== GROUP) return undefined;
  const { phase, artifact } = BackupStatus.parse(found.object.status ?? {});
  const { creationTimestamp } = order.object.metadata;
  if (phase === 'Failed')
    return { phase, reason: 'RestoreFailed', message: `Backup ${backupRef.name} has failed` };
  if (phase !== 'Ready' || artifact === undefined || found.object.metadata.deletionTimestamp !== undefined) {
    const message = `Backup ${backupRef.name} cannot be used`;
    return waiting(order, creationTimestamp, { reason: 'BackupNotReady', message });
  }
  const parameters = Object.entries(driverMetadata)
    .filter(([key]) => key.startsWith(PARAMETER))
    .map(([key, value]) => [key.slice(PARAMETER.length), value]);
  const target = targetApplicationRef ?? applicationRef;
  const group =
    target.apiGroup === undefined || target.apiGroup === '' ? applicationRef.apiGroup : target.apiGroup;
  return {
    application: { ...target, apiGroup: groupOf(group) },
    strategyRef,
    parameters: Object.fromEntries(parameters),
    source: artifact.uri,
  };
}
