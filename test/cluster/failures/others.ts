import { JOB } from '#api/resources.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, SNAPSHOT, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { create, patchMetadata, pathOf, remove, type Whereabouts } from '#test/cluster/world/api.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from '#test/cluster/world/objects.ts';
import { type Obstacle, refuse } from '#test/cluster/world/obstacles.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import { type FailureCase, FIRST, SECOND } from './case.ts';
import { stampOf } from './stamp.ts';

const JOB_BEFORE = `rotate-${FIRST / 60}`;
const JOB_NOW = `rotate-${SECOND / 60}`;
const SNAPSHOT_BEFORE = `nightly-${stampOf(FIRST)}`;
const SNAPSHOT_NOW = `nightly-${stampOf(SECOND)}`;
const DEFRAG_BEFORE = `defrag-${FIRST}`;
const DEFRAG_NOW = `defrag-${SECOND}`;
const FIRED = [`create etcddefrags ${DEFRAG_NOW}`, 'patch etcddefragpolicies/status defrag'];
const REPLACE = { schedule: DAILY, concurrencyPolicy: 'Replace' };
const NO_HISTORY = { spec: { schedule: DAILY, historyLimit: 0 } };

/** A finalizer that nobody takes away. */
async function hold(server: Endpoint, where: Whereabouts): Promise<Obstacle> {
  await patchMetadata(server, where, { finalizers: ['example.com/hold'] });
  return {
    remove: async () => {
      await patchMetadata(server, where, { finalizers: null });
    },
  };
}

/** Deletes and status writes that the server refuses, and deletes that do not come to their end. */
export const OTHER_CASES: readonly FailureCase[] = [
  {
    title: 'an admission policy for a run that is to be replaced',
    namespace: 'refused-victim',
    objects: [[CRON_JOB, cronJob('refused-victim/rotate', { spec: REPLACE })]],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-victim',
        type: JOB,
        operation: 'DELETE',
        message: 'Jobs stay',
        probe: {
          method: 'DELETE',
          path: pathOf({ type: JOB, namespace: 'refused-victim', name: JOB_BEFORE }),
        },
      }),
    failure: ['denied request: Jobs stay', `Job refused-victim/${JOB_BEFORE}`],
    meanwhile: [`delete jobs ${JOB_BEFORE} 422`],
    again: [`delete jobs ${JOB_BEFORE} 422`],
    afterwards: [`delete jobs ${JOB_BEFORE}`, `create jobs ${JOB_NOW}`, 'patch cronjobs/status rotate'],
  },
  {
    title: 'an admission policy for the mark that comes before a delete',
    namespace: 'refused-mark',
    objects: [
      [SNAPSHOT_POLICY, snapshotPolicy('refused-mark/pg')],
      [SCHEDULE, snapshotSchedule('refused-mark/nightly', { cron: DAILY, concurrencyPolicy: 'Replace' })],
    ],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-mark',
        type: SNAPSHOT,
        operation: 'UPDATE',
        message: 'Snapshots stay',
        probe: {
          method: 'PATCH',
          path: pathOf({ type: SNAPSHOT, namespace: 'refused-mark', name: SNAPSHOT_BEFORE }),
          body: { metadata: { labels: { probe: 'yes' } } },
        },
      }),
    failure: ['denied request: Snapshots stay', `Snapshot refused-mark/${SNAPSHOT_BEFORE}`],
    meanwhile: [`patch snapshots ${SNAPSHOT_BEFORE} 422`],
    again: [`patch snapshots ${SNAPSHOT_BEFORE} 422`],
    afterwards: [
      `patch snapshots ${SNAPSHOT_BEFORE}`,
      `delete snapshots ${SNAPSHOT_BEFORE}`,
      `create snapshots ${SNAPSHOT_NOW}`,
      'patch snapshotschedules/status nightly',
    ],
  },
  {
    title: 'an admission policy for a run beyond the history',
    namespace: 'refused-history',
    objects: [[POLICY, defragPolicy('refused-history/defrag', NO_HISTORY)]],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-history',
        type: DEFRAG,
        operation: 'DELETE',
        message: 'runs stay',
        probe: {
          method: 'DELETE',
          path: pathOf({ type: DEFRAG, namespace: 'refused-history', name: DEFRAG_BEFORE }),
        },
      }),
    failure: ['denied request: runs stay', `EtcdDefrag refused-history/${DEFRAG_BEFORE}`],
    meanwhile: [...FIRED, `delete etcddefrags ${DEFRAG_BEFORE} 422`],
    again: [`delete etcddefrags ${DEFRAG_BEFORE} 422`],
    afterwards: [`delete etcddefrags ${DEFRAG_BEFORE}`],
  },
  {
    title: 'an admission policy for the status, on which the history waits',
    namespace: 'refused-status',
    objects: [[POLICY, defragPolicy('refused-status/defrag', NO_HISTORY)]],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-status',
        type: POLICY,
        subresource: 'status',
        operation: 'UPDATE',
        message: 'the status stays',
        probe: {
          method: 'PATCH',
          path: pathOf({ type: POLICY, namespace: 'refused-status', name: 'defrag' }, 'status'),
          body: { status: { lastScheduleTime: formatInstant(SECOND) } },
        },
      }),
    failure: ['denied request: the status stays', 'EtcdDefragPolicy refused-status/defrag'],
    meanwhile: [`create etcddefrags ${DEFRAG_NOW}`, 'patch etcddefragpolicies/status defrag 422'],
    again: ['patch etcddefragpolicies/status defrag 422'],
    afterwards: ['patch etcddefragpolicies/status defrag', `delete etcddefrags ${DEFRAG_BEFORE}`],
  },
  {
    title: 'a finalizer of a run that is to be replaced, whose delete is accepted all the same',
    namespace: 'held-victim',
    objects: [[CRON_JOB, cronJob('held-victim/rotate', { spec: REPLACE })]],
    putUp: (server) => hold(server, { type: JOB, namespace: 'held-victim', name: JOB_BEFORE }),
    meanwhile: [`delete jobs ${JOB_BEFORE}`, `create jobs ${JOB_NOW}`, 'patch cronjobs/status rotate'],
    again: [],
    // The run that was held is not active any more.
    afterwards: ['patch cronjobs/status rotate'],
  },
  {
    title: 'a finalizer of an object that has the name of the run',
    namespace: 'held-name',
    objects: [[POLICY, defragPolicy('held-name/defrag', { spec: { schedule: DAILY } })]],
    putUp: async (server) => {
      const where = { type: DEFRAG, namespace: 'held-name', name: DEFRAG_NOW };
      const metadata = { name: DEFRAG_NOW, namespace: 'held-name', finalizers: ['example.com/hold'] };
      const spec = { clusterRef: { name: 'kv' } };
      const body = { apiVersion: apiVersionOf(DEFRAG), kind: DEFRAG.kind, metadata, spec };
      await create(server, DEFRAG, body);
      await remove(server, where);
      return {
        remove: async () => {
          await patchMetadata(server, where, { finalizers: null });
        },
      };
    },
    failure: [
      `the name ${DEFRAG_NOW} is taken by an EtcdDefrag that this policy does not control`,
      'EtcdDefragPolicy held-name/defrag',
      'NameTaken',
    ],
    // The status says so.
    meanwhile: ['patch etcddefragpolicies/status defrag'],
    again: [],
    afterwards: FIRED,
  },
  {
    title: 'a finalizer of a run beyond the history, whose delete is accepted all the same',
    namespace: 'held-history',
    objects: [[POLICY, defragPolicy('held-history/defrag', NO_HISTORY)]],
    putUp: (server) => hold(server, { type: DEFRAG, namespace: 'held-history', name: DEFRAG_BEFORE }),
    meanwhile: [...FIRED, `delete etcddefrags ${DEFRAG_BEFORE}`],
    again: [],
    afterwards: [],
  },
];
