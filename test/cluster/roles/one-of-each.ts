import { instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { POLICY as DEFRAG_POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from '#test/cluster/world/objects.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import { at, createAll, FOURTH, type Place, stamp, THIRD, tickBefore } from './place.ts';

/** A schedule of each kind that owes the third night. */
export async function plantOneOfEach(place: Place): Promise<void> {
  const { namespace } = place;
  const spec = { schedule: DAILY };
  await createAll(place, [
    [SNAPSHOT_POLICY, snapshotPolicy(`${namespace}/pg`)],
    [SCHEDULE, snapshotSchedule(`${namespace}/nightly`, { cron: DAILY })],
  ]);
  // Its next slot is pinned first, which takes a tick.
  await tickBefore(place, instant(THIRD - 3600));
  await createAll(place, [
    [DEFRAG_POLICY, defragPolicy(`${namespace}/defrag`, { spec })],
    [CRON_JOB, cronJob(`${namespace}/rotate`, { spec })],
  ]);
}

/** What the tick of that night makes of them where CronJobs are left to their controller. */
export const ONE_OF_EACH = {
  runs: [`EtcdDefrag defrag-${THIRD} of defrag`, `Snapshot nightly-${stamp(THIRD)}`],
  settled: [`defrag ${at(THIRD)}`, `nightly ${at(THIRD)} > ${at(FOURTH)}`, 'rotate never'],
  told: ['StampedRun defrag'],
};
