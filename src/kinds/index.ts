import type { ScheduleKind } from '#core/kind.ts';
import { backupPlan } from './backup-plan/index.ts';
import { cronJob } from './cron-job/index.ts';
import { etcdDefragPolicy } from './etcd-defrag-policy/index.ts';
import { snapshotSchedule } from './snapshot-schedule/index.ts';

/** Every kind of schedule. */
export const KINDS: readonly ScheduleKind[] = [etcdDefragPolicy, cronJob, snapshotSchedule, backupPlan];
