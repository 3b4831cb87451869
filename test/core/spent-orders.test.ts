import { describe, expect, test } from 'vitest';
import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import type { Readers } from '#core/reading.ts';
import type { Driver } from '#core/run/driver.ts';
import { spentOf } from '#core/spent-orders.ts';
import { DRIVERS } from '#drivers/index.ts';
import { JOB_DRIVER } from '#drivers/job/index.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { backupPlan } from '#kinds/backup-plan/index.ts';
import { KINDS } from '#kinds/index.ts';

const PHASE: FieldValue = { path: ['status', 'phase'], value: 'Succeeded' };
const [FIRST] = KINDS;

function another(parts: Partial<Driver>): Driver {
  return { ...MANAGED_JOBS, id: 'another', orders: [BACKUP_JOB], ...parts };
}

describe('what the first step of reading does without', () => {
  test.each<[what: string, type: ResourceType, wanted: FieldValue | undefined]>([
    ['BackupJobs that succeeded', BACKUP_JOB, PHASE],
    ['no RestoreJob: one that is over may wait for its finalizer', RESTORE_JOB, undefined],
    ['no Backup, for the same reason', BACKUP, undefined],
    ['no Job', JOB, undefined],
    ['nothing of what is no order', backupPlan.resource, undefined],
  ])('%s', (_what, type, wanted) => {
    expect(spentOf(type, { kinds: KINDS, drivers: DRIVERS })).toEqual(wanted);
  });

  const field: FieldValue = { path: ['status', 'phase'], value: 'Over' };
  test.each<[who: string, readers: Partial<Readers>]>([
    ['another driver needs all of them', { drivers: [JOB_DRIVER, another({})] }],
    [
      'another driver means others by it',
      { drivers: [JOB_DRIVER, another({ spent: [{ type: BACKUP_JOB, field }] })] },
    ],
    ['a driver looks them up', { drivers: [JOB_DRIVER, another({ orders: [], types: [BACKUP_JOB] })] }],
    [
      'schedules point to them',
      {
        kinds: KINDS.map((kind) =>
          kind === FIRST ? { ...kind, referents: [{ resource: BACKUP_JOB, namespaceOf: () => '' }] } : kind,
        ) as Readers['kinds'],
      },
    ],
  ])('nothing of a type where %s', (_who, readers) => {
    expect(spentOf(BACKUP_JOB, { kinds: KINDS, drivers: DRIVERS, ...readers })).toBeUndefined();
  });

  test('nothing that its driver does not show as an order', () => {
    for (const { orders, spent } of DRIVERS)
      for (const { type } of spent) expect(orders.map(typeId)).toContain(typeId(type));
  });
});
