import { BACKUP_JOB } from '#api/backups/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { latestIn, type When } from '#test/properties/support/slot-model.ts';
import { timeText } from '#test/properties/support/snapshot/objects.ts';
import type { Book, Member } from './book.ts';

export interface PlanTimetable {
  readonly namespace: string;
  readonly name: string;
  readonly when: When;
  readonly isValid: boolean;
}

/** Nobody but its user deletes a BackupJob: of each Plan so many that ended are left. */
const KEPT_BACKUP_JOBS = 2;

function isEnded(run: KubeObject): boolean {
  return JSON.stringify(run.status ?? {}).includes('"completedAt"');
}

/** Every slot gets its BackupJob, however late and beside whatever runs. */
export function planBook({ namespace, name, when, isValid }: PlanTimetable, created: number): Book {
  let anchor: number | undefined;
  const runs = new Map<string, KubeObject>();
  const who: Member = {
    type: PLAN,
    namespace,
    name,
    anchors: () => ({ lastScheduleTime: anchor === undefined ? undefined : timeText(anchor) }),
  };
  return {
    members: [who],
    runType: BACKUP_JOB,
    runs,
    settle: (now) => {
      const slot = isValid ? latestIn(when, anchor ?? created, now) : undefined;
      if (slot === undefined) return { creates: [], victims: [] };
      anchor = slot;
      const run: KubeObject = {
        apiVersion: apiVersionOf(BACKUP_JOB),
        kind: BACKUP_JOB.kind,
        metadata: {
          name: `${name}-${slot / 60}`,
          namespace,
          annotations: { 'minutehand.dev/slot': timeText(slot) },
        },
        spec: {},
      };
      runs.set(run.metadata.name, run);
      return { creates: [run], victims: [] };
    },
    outdated: () => [],
    begun: undefined,
    ended: (_run, at, succeeded) => ({
      phase: succeeded ? 'Succeeded' : 'Failed',
      completedAt: timeText(at),
    }),
    isEnded,
    edit: undefined,
  };
}

/** Of a book of a Plan: what its user clears away. */
export function unwantedBackupJobs({ runs, runType }: Book): readonly string[] {
  if (runType !== BACKUP_JOB) return [];
  const ended = [...runs.values()].filter(isEnded).map(({ metadata }) => metadata.name);
  return ended.sort().slice(0, Math.max(0, ended.length - KEPT_BACKUP_JOBS));
}
