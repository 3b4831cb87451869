import { KNOWN_FIELDS } from '#api/backups/known-fields.ts';
import { orderPhase } from '#api/backups/order-phase.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { listingOf, type Observed, typeId } from '#core/observed.ts';
import type { Driver, DriverInput, Wants, Work, WorkInput } from '#core/run/driver.ts';
import { podsOf } from './artifact.ts';
import { lookAtBackupJob } from './backup-order.ts';
import { checkObject } from './check.ts';
import { backupWork } from './finalizers.ts';
import { followObject } from './follow.ts';
import { isLeaving } from './job-state.ts';
import type { Look } from './look.ts';
import { DRIVER_ID, JOB_BACKUP_STRATEGY } from './resources.ts';
import { lookAtRestoreJob } from './restore-order.ts';
import { runningWork, wantsPods } from './running.ts';
import { applicationReference, startWork } from './start.ts';
import { JobBackupStrategySpec, StrategyArtifact } from './strategy.ts';

function objectsOf(observed: Observed, type: ResourceType): readonly SourcedObject[] {
  const listing = listingOf(observed, type);
  return listing.state === 'read' ? listing.objects : [];
}

function looksOf(input: DriverInput): readonly Look[] {
  const { observed } = input;
  return [
    ...objectsOf(observed, BACKUP_JOB).map((source) => lookAtBackupJob(source, input)),
    ...objectsOf(observed, RESTORE_JOB).map((source) => lookAtRestoreJob(source, input)),
  ];
}

/** Of one that is over nothing is asked; one that is being deleted may still wait for a finalizer. */
function openIn(observed: Observed): readonly string[] {
  const orders = [BACKUP_JOB, RESTORE_JOB].flatMap((type) => objectsOf(observed, type));
  return orders.flatMap(({ object }) => {
    const isOver = ['succeeded', 'failed'].includes(orderPhase(object));
    return isOver && !isLeaving(object) ? [] : [object.metadata.namespace ?? ''];
  });
}

function wants(input: DriverInput): Wants {
  const looks = looksOf(input);
  return {
    templates: looks.some(({ at }) => at === 'start'),
    objects: looks.flatMap((look) => (look.at === 'start' ? [applicationReference(look.start)] : [])),
    labelled: looks.flatMap((look) =>
      look.at === 'job' && wantsPods(look.running, input) ? [podsOf(look.running.order)] : [],
    ),
  };
}

function finish(look: Look, input: WorkInput): Work {
  switch (look.at) {
    case 'rest':
      return look.work;
    case 'start':
      return startWork(look.start, input);
    case 'job':
      return runningWork(look.running, input);
  }
}

function works(input: WorkInput): readonly Work[] {
  const orders = looksOf(input).map((look) => finish(look, input));
  return [...orders, ...objectsOf(input.observed, BACKUP).map((source) => backupWork(source, input))];
}

/** Carries out BackupJobs and RestoreJobs by Jobs, from the templates of a JobBackupStrategy. */
export const JOB_DRIVER: Driver = {
  id: DRIVER_ID,
  unset: 'observe',
  orders: [BACKUP_JOB, RESTORE_JOB, BACKUP],
  // Those that failed stay in sight; RestoreJobs and Backups may wait for a finalizer, which no selector finds.
  spent: [{ type: BACKUP_JOB, field: { path: ['status', 'phase'], value: 'Succeeded' } }],
  types: [BACKUP_CLASS, JOB_BACKUP_STRATEGY, JOB],
  beside: [JOB],
  openIn,
  creates: [JOB, BACKUP],
  mayEnd: ({ metadata }, _order, verb) => verb === 'release' && metadata.deletionTimestamp !== undefined,
  knownFields: {
    ...KNOWN_FIELDS,
    [typeId(JOB_BACKUP_STRATEGY)]: {
      spec: Object.keys(JobBackupStrategySpec.shape),
      'spec.artifact': Object.keys(StrategyArtifact.shape),
    },
  },
  check: checkObject,
  checkChange: () => [],
  follow: followObject,
  wants,
  works,
};
