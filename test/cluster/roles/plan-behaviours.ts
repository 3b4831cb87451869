import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { EVENT } from '#core/object/resource.ts';
import { JOB_BACKUP_STRATEGY } from '#drivers/job/resources.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import type { CreateBody } from '#test/cluster/world/api.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import type { Behaviour } from './behaviour.ts';
import { at, createAll, editedMeanwhile, type Place, startedMeanwhile, THIRD } from './place.ts';
import { rightTo } from './rights.ts';

const CREATE = [rightTo('create', BACKUP_JOB), rightTo('update', PLAN, 'finalizers')];
const STATUS = rightTo('patch', PLAN, 'status');
const TELL = rightTo('create', EVENT);
/** What a driver that only foretells looks at. */
const ORDERS = [BACKUP_CLASS, BACKUP, RESTORE_JOB, JOB_BACKUP_STRATEGY].map((type) => rightTo('list', type));

function plan({ namespace }: Place): readonly [typeof PLAN, CreateBody] {
  return [
    PLAN,
    {
      apiVersion: 'backups.cozystack.io/v1alpha1',
      kind: 'Plan',
      metadata: { name: 'sessions', namespace },
      spec: {
        applicationRef: { kind: 'Redis', name: 'sessions' },
        backupClassName: 'silver',
        schedule: { cron: DAILY },
      },
    },
  ];
}

const MADE = [`BackupJob sessions-${THIRD / 60} of sessions`];
const SETTLED = [`sessions ${at(THIRD)}`];

export const PLAN_BEHAVIOURS: readonly Behaviour[] = [
  {
    does: 'makes the BackupJob of a Plan',
    needs: [...CREATE, STATUS, TELL, rightTo('list', PLAN), rightTo('list', BACKUP_JOB), ...ORDERS],
    plant: (place) => createAll(place, [plan(place)]),
    wants: { runs: MADE, settled: SETTLED, told: ['BackupJobCreated sessions'] },
  },
  {
    does: 'finds the BackupJob of a tick that ended before it could write the status',
    needs: [...CREATE, STATUS, rightTo('get', BACKUP_JOB)],
    plant: (place) => createAll(place, [plan(place)]),
    meanwhile: startedMeanwhile,
    wants: { runs: MADE, settled: SETTLED, told: [] },
  },
  {
    does: 'records the slot of a Plan that was edited meanwhile',
    needs: [...CREATE, STATUS, TELL, rightTo('get', PLAN)],
    plant: (place) => createAll(place, [plan(place)]),
    meanwhile: (place) => editedMeanwhile(place, 'apply', PLAN),
    wants: { runs: MADE, settled: SETTLED, told: ['BackupJobCreated sessions'] },
  },
];
