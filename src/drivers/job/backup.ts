import type { BackupArtifact } from '#api/backups/backup.ts';
import type { BackupJobSpec } from '#api/backups/backup-job.ts';
import { provenanceOf } from '#api/backups/provenance.ts';
import { applicationOf } from '#api/backups/reference.ts';
import { BACKUP } from '#api/backups/resources.ts';
import type { Finding } from '#core/kind.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import type { WorkStep } from '#core/run/driver.ts';
import { formatInstant } from '#core/time/instant.ts';
import { isLeaving } from './job-state.ts';
import type { Order } from './order.ts';
import type { PinnedStrategy } from './pinned.ts';
import { BACKUP_JOB_LABEL, PARAMETER_PREFIX } from './resources.ts';
import { failedEnd } from './work.ts';

/** A backup that succeeded. */
export interface BackupSource {
  readonly order: Order;
  readonly spec: BackupJobSpec;
  readonly pinned: PinnedStrategy;
  readonly job: KubeObject;
  readonly artifact: BackupArtifact | undefined;
}

/** What a restore is given back as its parameters; keys of others are left alone. */
export function parametersIn(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(metadata).filter(([key]) => key.startsWith(PARAMETER_PREFIX));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(PARAMETER_PREFIX.length), value]));
}

function driverMetadata({ parameters }: PinnedStrategy): JsonObject {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return {};
  return {
    driverMetadata: Object.fromEntries(entries.map(([key, value]) => [`${PARAMETER_PREFIX}${key}`, value])),
  };
}

function statusOf({ artifact }: BackupSource): JsonObject {
  return { phase: 'Ready', ...(artifact === undefined ? {} : { artifact: artifact as JsonObject }) };
}

/** The record of a restore point. It outlives the order that made it, so that it has no owner (decision 3). */
function buildBackup(source: BackupSource): KubeObject {
  const { order, spec, pinned, job } = source;
  const takenAt = timeOf(readTime(job.status as Json | undefined, 'completionTime')) ?? order.now;
  const application = applicationOf(spec.applicationRef);
  const { labels, annotations } = provenanceOf({ plan: spec.planRef?.name, application });
  return {
    apiVersion: apiVersionOf(BACKUP),
    kind: BACKUP.kind,
    metadata: {
      name: order.name,
      ...(order.namespace === '' ? {} : { namespace: order.namespace }),
      labels: { ...labels, [BACKUP_JOB_LABEL]: order.name },
      annotations: { ...annotations, [OWNER_UID_ANNOTATION]: order.uid ?? '' },
    },
    spec: {
      applicationRef: spec.applicationRef as JsonObject,
      ...(spec.planRef === undefined ? {} : { planRef: spec.planRef }),
      strategyRef: pinned.strategyRef as JsonObject,
      takenAt: formatInstant(takenAt),
      ...driverMetadata(pinned),
    },
    status: statusOf(source),
  };
}

/** Made for this very order, and here to stay. */
function isOwnBackup(backup: KubeObject, { uid }: Order): boolean {
  const owner = backup.metadata.annotations?.[OWNER_UID_ANNOTATION];
  return uid !== undefined && owner === uid && !isLeaving(backup);
}

/** What stands under the name of the Backup of an order. */
export type BackupState = 'missing' | 'whole' | 'withoutStatus' | 'leaving' | 'taken';

/** For `NameConflict` with a restore point that somebody else made. */
export function takenFinding(order: Order): Finding {
  return {
    code: 'NameTaken',
    severity: 'error',
    path: ['metadata', 'name'],
    what: takenText(order),
    why: 'a Backup has the name of the BackupJob that it was taken by',
    fix: 'create the BackupJob again under a name that no Backup has',
  };
}

export function stateOfBackup(existing: KubeObject | undefined, order: Order): BackupState {
  if (existing === undefined) return 'missing';
  if (isLeaving(existing)) return 'leaving';
  if (!isOwnBackup(existing, order)) return 'taken';
  const phase = isObject(existing.status) ? existing.status.phase : undefined;
  return phase === undefined || phase === null || phase === '' ? 'withoutStatus' : 'whole';
}

function takenText({ name }: Order): string {
  return `Backup ${name} exists and was not made for this BackupJob`;
}

export function takenMessage(order: Order): string {
  return `NameConflict: ${takenText(order)}`;
}

/** Its status goes with the body, and once more where the API keeps it apart (decision 12). */
export function backupSteps(source: BackupSource): readonly WorkStep[] {
  const { order } = source;
  const backup = buildBackup(source);
  const key = keyOf(backup);
  return [
    {
      verb: 'create',
      change: { verb: 'create', type: BACKUP, key, reason: 'WorkDone', object: backup },
      isWanted: (existing) => isOwnBackup(existing, order),
      refused: (message) => failedEnd(order, `creating Backup ${order.name} was refused: ${message}`),
      taken: (existing) => (isLeaving(existing) ? undefined : failedEnd(order, takenMessage(order))),
    },
    {
      verb: 'apply',
      change: {
        verb: 'apply',
        type: BACKUP,
        key,
        reason: 'StatusChanged',
        fields: statusOf(source),
        before: {},
      },
    },
  ];
}
