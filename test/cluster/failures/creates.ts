import { JOB } from '#api/resources.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, SNAPSHOT, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { TEMPLATE } from '#test/cli/manifests.ts';
import { must, patchMetadata, pathOf, remove } from '#test/cluster/world/api.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from '#test/cluster/world/objects.ts';
import { createProbe, exhaust, refuse, terminate } from '#test/cluster/world/obstacles.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import { refuseByWebhook } from '#test/cluster/world/webhook.ts';
import { defragProbe, type FailureCase, FIRST, SECOND } from './case.ts';
import { stampOf } from './stamp.ts';

const BACKUP = { metadata: { labels: { backup: 'yes' } } };
const SELECTED = { spec: { policySelector: { matchLabels: BACKUP.metadata.labels } } };
const DEFRAG_RUN = `defrag-${SECOND}`;
const STATUS = 'patch etcddefragpolicies/status defrag';

/** Writes of a policy whose create is refused, and told in its status. */
const TOLD = (code: number) => [`create etcddefrags ${DEFRAG_RUN} ${code}`, STATUS];
const MADE_UP = [`create etcddefrags ${DEFRAG_RUN}`, STATUS];

/** Runs that the server does not let come. */
export const CREATE_CASES: readonly FailureCase[] = [
  {
    title: 'a quota of Jobs',
    namespace: 'quota-jobs',
    objects: [[CRON_JOB, cronJob('quota-jobs/rotate', { spec: { schedule: DAILY } })]],
    putUp: (server) => {
      const probe = createProbe(JOB, 'quota-jobs', 'probe', TEMPLATE['spec'] as object);
      return exhaust(server, { namespace: 'quota-jobs', type: JOB, probe });
    },
    failure: [
      `create of Job rotate-${SECOND / 60}: jobs.batch "rotate-${SECOND / 60}" is forbidden: exceeded quota: few, requested: count/jobs.batch=1`,
      `Job quota-jobs/rotate-${SECOND / 60}`,
    ],
    meanwhile: [`create jobs rotate-${SECOND / 60} 403`],
    again: [`create jobs rotate-${SECOND / 60} 403`],
    afterwards: [`create jobs rotate-${SECOND / 60}`, 'patch cronjobs/status rotate'],
  },
  {
    title: 'a quota of custom resources, which the history relieves',
    namespace: 'quota-runs',
    objects: [[POLICY, defragPolicy('quota-runs/defrag', { spec: { schedule: DAILY, historyLimit: 0 } })]],
    putUp: (server) =>
      exhaust(server, { namespace: 'quota-runs', type: DEFRAG, probe: defragProbe('quota-runs') }),
    failure: [
      `create of EtcdDefrag ${DEFRAG_RUN}: etcddefrags.etcd-operator.cozystack.io "${DEFRAG_RUN}" is forbidden: exceeded quota: few`,
      `EtcdDefrag quota-runs/${DEFRAG_RUN}`,
    ],
    meanwhile: [...TOLD(403), `delete etcddefrags defrag-${FIRST}`],
    again: [`create etcddefrags ${DEFRAG_RUN} 403`],
    afterwards: MADE_UP,
  },
  {
    title: 'an admission policy',
    namespace: 'refused-create',
    objects: [[POLICY, defragPolicy('refused-create/defrag', { spec: { schedule: DAILY } })]],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-create',
        type: DEFRAG,
        operation: 'CREATE',
        message: 'nothing is defragmented this week',
        probe: defragProbe('refused-create'),
      }),
    failure: ['denied request: nothing is defragmented this week', `EtcdDefrag refused-create/${DEFRAG_RUN}`],
    meanwhile: TOLD(422),
    again: [`create etcddefrags ${DEFRAG_RUN} 422`],
    afterwards: MADE_UP,
  },
  {
    title: 'a webhook',
    namespace: 'webhook',
    objects: [[POLICY, defragPolicy('webhook/defrag', { spec: { schedule: DAILY } })]],
    putUp: (server) =>
      refuseByWebhook(server, {
        namespace: 'webhook',
        type: DEFRAG,
        message: 'ask the database team',
        probe: defragProbe('webhook'),
      }),
    failure: ['denied the request: ask the database team', `EtcdDefrag webhook/${DEFRAG_RUN}`],
    meanwhile: TOLD(422),
    again: [`create etcddefrags ${DEFRAG_RUN} 422`],
    afterwards: MADE_UP,
  },
  {
    title: 'an admission policy for one target of two',
    namespace: 'refused-target',
    objects: [
      [SNAPSHOT_POLICY, snapshotPolicy('refused-target/kv', BACKUP)],
      [SNAPSHOT_POLICY, snapshotPolicy('refused-target/pg', BACKUP)],
      [
        SCHEDULE,
        snapshotSchedule('refused-target/nightly', { cron: DAILY, concurrencyPolicy: 'Allow' }, SELECTED),
      ],
    ],
    putUp: (server) =>
      refuse(server, {
        namespace: 'refused-target',
        type: SNAPSHOT,
        operation: 'CREATE',
        when: 'object.spec.policyRef.name == "kv"',
        message: 'kv is frozen',
        probe: createProbe(SNAPSHOT, 'refused-target', 'probe', { policyRef: { name: 'kv' } }),
      }),
    failure: ['denied request: kv is frozen', `Snapshot refused-target/nightly-kv-${stampOf(SECOND)}`],
    meanwhile: [
      `create snapshots nightly-kv-${stampOf(SECOND)} 422`,
      `create snapshots nightly-pg-${stampOf(SECOND)}`,
    ],
    again: [`create snapshots nightly-kv-${stampOf(SECOND)} 422`],
    afterwards: [`create snapshots nightly-kv-${stampOf(SECOND)}`, 'patch snapshotschedules/status nightly'],
  },
  {
    title: 'a namespace that goes away',
    namespace: 'leaving',
    objects: [
      [
        POLICY,
        defragPolicy('leaving/defrag', {
          spec: { schedule: DAILY },
          metadata: { finalizers: ['example.com/hold'] },
        }),
      ],
    ],
    putUp: async (server) => {
      const policy = { type: POLICY, namespace: 'leaving', name: 'defrag' };
      const terminating = await terminate(server, 'leaving', defragProbe('leaving'));
      return {
        remove: async () => {
          await patchMetadata(server, policy, { finalizers: null });
          await remove(server, policy);
          await must(
            server,
            'DELETE',
            pathOf({ type: DEFRAG, namespace: 'leaving', name: `defrag-${FIRST}` }),
          );
          await terminating.remove();
        },
      };
    },
    failure: ['unable to create new content in namespace leaving', `EtcdDefrag leaving/${DEFRAG_RUN}`],
    meanwhile: TOLD(403),
    again: [`create etcddefrags ${DEFRAG_RUN} 403`],
    afterwards: [],
  },
];
