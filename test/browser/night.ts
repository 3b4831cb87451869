import type { JsonObject } from '#core/object/object.ts';
import { cronJob, job, policy } from '#test/cli/manifests.ts';

/** Minutes since 1970 of an hour of the morning that the page is about. */
function minuteAt(hour: number): number {
  return Date.UTC(2026, 10, 30, hour) / 60_000;
}

function ended(type: 'Complete' | 'Failed'): JsonObject {
  return { conditions: [{ type, status: 'True' }] };
}

const LIMITS = { successfulJobsHistoryLimit: 20, failedJobsHistoryLimit: 20 };

/** Spread over forty minutes; where it has no uid yet, nobody knows how. */
function snapshots(name: string, metadata: JsonObject): JsonObject {
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'SnapshotSchedule',
    metadata: { name, namespace: 'orchard', creationTimestamp: '2026-11-30T10:00:00Z', ...metadata },
    spec: {
      policyRef: { name: 'daily' },
      schedule: { cron: '0 22 * * *', jitter: '40m', timezone: 'Asia/Kathmandu' },
    },
  };
}

/** What a cluster looks like on a morning at seven past ten: runs that ended well and badly, and slots of every fate. */
export function night(): readonly JsonObject[] {
  const hours = [...Array(10).keys()];
  return [
    cronJob('dump', {
      spec: { schedule: '0 */4 * * *', timeZone: 'Etc/UTC', ...LIMITS },
      status: { lastScheduleTime: '2026-11-30T08:00:00Z' },
    }),
    job(`dump-${minuteAt(4)}`, 'dump', ended('Failed')),
    job(`dump-${minuteAt(8)}`, 'dump', ended('Complete')),
    cronJob('sync', {
      spec: { schedule: '0 * * * *', ...LIMITS },
      status: { lastScheduleTime: '2026-11-30T09:00:00Z' },
    }),
    ...hours.map((hour) => job(`sync-${minuteAt(hour)}`, 'sync', ended(hour === 6 ? 'Failed' : 'Complete'))),
    cronJob('late', {
      spec: { schedule: '0 3 * * *', startingDeadlineSeconds: 600 },
      status: { lastScheduleTime: '2026-11-29T03:00:00Z' },
    }),
    cronJob('paused', { spec: { schedule: '30 5 * * 1-5', suspend: true } }),
    cronJob('kathmandu', { spec: { schedule: '0 6 * * *', timeZone: 'Asia/Kathmandu' } }),
    cronJob('watch', {
      spec: { schedule: '* * * * *' },
      status: { lastScheduleTime: '2026-11-30T10:07:00Z' },
    }),
    snapshots('silo', { uid: 'uid-silo' }),
    snapshots('tank', {}),
    policy('weekly', { spec: { schedule: '0 5 * * 0' } }),
    policy('moon', { spec: { schedule: 'every blue moon' } }),
    policy('never', { spec: { schedule: '0 0 30 2 *' } }),
  ];
}
