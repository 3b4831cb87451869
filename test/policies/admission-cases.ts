import type { JsonObject } from '#core/object/object.ts';
import {
  controlledBy,
  creates,
  defrag,
  defragPolicy,
  deletes,
  dryRun,
  event,
  job,
  managedPod,
  type RuleCase,
  snapshot,
  snapshotSchedule,
  updates,
  writesStatus,
} from './rule-case.ts';

const ETCD = 'etcd-operator.cozystack.io/v1alpha2';
const KOPIUR = 'kopiur.home-operations.com/v1alpha1';
const SLOT = 'minutehand.dev/slot';
const OWNER = 'minutehand.dev/owner-uid';
const MARKS = { [SLOT]: '2026-01-01T03:00:00Z', [OWNER]: 'a' };
const OURS = { annotations: MARKS };
const PRUNED_BY = 'kopiur.home-operations.com/pruned-by';

function marked(reason: string): JsonObject {
  return { annotations: { ...MARKS, [PRUNED_BY]: reason } };
}

const SPEC_CASES: readonly RuleCase[] = [
  {
    name: 'a policy name that leaves no room for those of its runs',
    file: 'admission/etcd-defrag-policies.yaml',
    says: 'the name has more than 52 characters, so that those of its runs would not fit a label; shorten the name',
    offline: 'shorten the name',
    accepted: creates(defragPolicy({}, { name: 'p'.repeat(52) })),
    refused: creates(defragPolicy({}, { name: 'p'.repeat(53) })),
  },
  {
    name: 'a window above a day',
    file: 'admission/snapshot-schedules.yaml',
    says: 'exceeds the 24h maximum; write 24h or less',
    offline: 'jitter of 25h exceeds the 24h maximum',
    accepted: creates(snapshotSchedule({ jitter: '24h' })),
    refused: creates(snapshotSchedule({ jitter: '25h' })),
  },
  {
    name: 'a window above a day, by an edit',
    file: 'admission/snapshot-schedules.yaml',
    says: 'jitter of 1440m1s exceeds the 24h maximum; write 24h or less',
    accepted: updates(snapshotSchedule({}), snapshotSchedule({ jitter: '86400' })),
    refused: updates(snapshotSchedule({}), snapshotSchedule({ jitter: '1440m1s' })),
  },
  {
    name: 'a negative deadline',
    file: 'admission/snapshot-schedules.yaml',
    says: 'a negative startingDeadlineSeconds skips every run; write 0 or more, or remove it for no deadline',
    offline: 'write 0 or more, or remove it for no deadline',
    accepted: creates(snapshotSchedule({ startingDeadlineSeconds: 0 })),
    refused: creates(snapshotSchedule({ startingDeadlineSeconds: -1 })),
  },
  {
    name: 'a policy in another namespace',
    file: 'admission/snapshot-schedules.yaml',
    says: 'policyRef.namespace is another namespace than that of the schedule, where policies are looked for; remove it',
    offline: "another namespace than the schedule's remove it",
    accepted: creates(snapshotSchedule({}, { policyRef: { name: 'pg', namespace: 'rules' } })),
    refused: creates(snapshotSchedule({}, { policyRef: { name: 'pg', namespace: 'other' } })),
  },
  {
    name: 'more than one firing an hour',
    file: 'admission/snapshot-schedules-often.yaml',
    says: 'the schedule fires more than once an hour, and each firing leaves a Snapshot; name one minute, such as H',
    offline: 'fires 4 times an hour',
    onlyWarned: true,
    accepted: creates(snapshotSchedule({ cron: 'H * * * *' })),
    refused: creates(snapshotSchedule({ cron: '*/15 * * * *' })),
  },
];

const SLOT_FIXED = `${SLOT} is set when a run is created and never changes; leave it, or delete the run`;
const OWNER_FIXED = `${OWNER} is set when a run is created and never changes; leave it, or delete the run`;
const MORE = { ...MARKS, 'example.com/note': 'mine' };
const LATER = { ...MARKS, [SLOT]: '2026-01-02T03:00:00Z' };

const MARK_CASES: readonly RuleCase[] = [
  {
    name: 'another slot of an EtcdDefrag',
    file: 'admission/run-marks.yaml',
    says: SLOT_FIXED,
    accepted: updates(defrag({ metadata: OURS }), defrag({ metadata: { annotations: MORE } })),
    refused: updates(defrag({ metadata: OURS }), defrag({ metadata: { annotations: LATER } })),
  },
  {
    name: 'a slot that is taken off a Snapshot',
    file: 'admission/run-marks.yaml',
    says: SLOT_FIXED,
    accepted: updates(snapshot({ metadata: OURS }), snapshot({ metadata: marked('retention') })),
    refused: updates(snapshot({ metadata: OURS }), snapshot({ metadata: { annotations: { [OWNER]: 'a' } } })),
  },
  {
    name: 'a slot that is put on a Job',
    file: 'admission/run-marks.yaml',
    says: SLOT_FIXED,
    accepted: updates(job({}), job({ annotations: { 'example.com/note': 'mine' } })),
    refused: updates(job({}), job({ annotations: { [SLOT]: '2026-01-01T03:00:00Z' } })),
  },
  {
    name: 'another owner of a Snapshot',
    file: 'admission/run-marks.yaml',
    says: OWNER_FIXED,
    accepted: updates(snapshot({ metadata: OURS }), snapshot({ metadata: { ...OURS, labels: { a: 'b' } } })),
    refused: updates(
      snapshot({ metadata: OURS }),
      snapshot({ metadata: { annotations: { ...MARKS, [OWNER]: 'b' } } }),
    ),
  },
];

const DRY_ONLY =
  'the account minutehand-plan changes nothing; use dryRun=All, or the account minutehand-reconcile';

const SLOT_DONE = { lastScheduleTime: '2026-01-01T03:00:00Z' };

const PLAN_CASES: readonly RuleCase[] = [
  {
    name: 'a run that the plan account creates',
    file: 'admission/plan-account.yaml',
    says: DRY_ONLY,
    accepted: dryRun(creates(defrag({ metadata: OURS }), 'minutehand-plan')),
    refused: creates(defrag({ metadata: OURS }), 'minutehand-plan'),
  },
  {
    name: 'an event that the plan account creates',
    file: 'admission/plan-account.yaml',
    says: DRY_ONLY,
    accepted: dryRun(creates(event(), 'minutehand-plan')),
    refused: creates(event(), 'minutehand-plan'),
  },
  {
    name: 'a Snapshot that the plan account deletes',
    file: 'admission/plan-account.yaml',
    says: DRY_ONLY,
    accepted: dryRun(deletes(snapshot({}), 'minutehand-plan')),
    refused: deletes(snapshot({}), 'minutehand-plan'),
  },
  {
    name: 'a status that the plan account writes',
    file: 'admission/plan-account.yaml',
    says: DRY_ONLY,
    accepted: dryRun(writesStatus(defragPolicy({}), SLOT_DONE, 'minutehand-plan')),
    refused: writesStatus(defragPolicy({}), SLOT_DONE, 'minutehand-plan'),
  },
];

const OF_POLICY = { ...OURS, ...controlledBy(ETCD, 'EtcdDefragPolicy') };
const OF_CRON_JOB = { ...OURS, ...controlledBy('batch/v1', 'CronJob') };
const OF_SNAPSHOT = controlledBy(KOPIUR, 'Snapshot');
const UNMARKED = 'a run says its slot and its owner; set minutehand.dev/slot and minutehand.dev/owner-uid';
const ANNOTATIONS_ONLY = 'of a run only annotations change; use another account for the rest';
const FINISHED_ONLY =
  'only finished runs of an EtcdDefragPolicy are deleted; wait for its end, or use another account';
const REASON_NEEDED =
  'a Snapshot is deleted with the reason on it, and unfinished only to be replaced; set kopiur.home-operations.com/pruned-by, or use another account';
const ITS_JOBS_ONLY =
  'only Jobs of a CronJob or a Snapshot are deleted, and finished ones that minutehand manages and that have a time to live; use another account';
const TRACKED = { finalizers: ['batch.kubernetes.io/job-tracking'] };

function as(row: Pick<RuleCase, 'name' | 'says' | 'accepted' | 'refused'>): RuleCase {
  return { ...row, file: 'admission/reconcile-account.yaml' };
}

const ACCOUNT = 'minutehand-reconcile';

const RECONCILE_CASES: readonly RuleCase[] = [
  as({
    name: 'a run without its marks',
    says: UNMARKED,
    accepted: creates(defrag({ metadata: OURS }), ACCOUNT),
    refused: creates(defrag({}), ACCOUNT),
  }),
  as({
    name: 'a Job for nobody',
    says: 'a Job is created for a CronJob, a BackupJob or a RestoreJob alone; set that as its controller',
    accepted: creates(job(OF_CRON_JOB), ACCOUNT),
    refused: creates(job(OURS), ACCOUNT),
  }),
  as({
    name: 'another spec of a run',
    says: ANNOTATIONS_ONLY,
    accepted: updates(snapshot({ metadata: OURS }), snapshot({ metadata: marked('replaced-run') }), ACCOUNT),
    refused: updates(
      snapshot({ metadata: OURS }),
      snapshot({ metadata: OURS, spec: { pin: true } }),
      ACCOUNT,
    ),
  }),
  as({
    name: 'another label of a run',
    says: ANNOTATIONS_ONLY,
    accepted: updates(snapshot({ metadata: marked('replaced-run') }), snapshot({ metadata: OURS }), ACCOUNT),
    refused: updates(
      snapshot({ metadata: OURS }),
      snapshot({ metadata: { ...OURS, labels: { a: 'b' } } }),
      ACCOUNT,
    ),
  }),
  as({
    name: 'an unfinished EtcdDefrag that is deleted',
    says: FINISHED_ONLY,
    accepted: deletes(defrag({ metadata: OF_POLICY, status: { phase: 'Complete' } }), ACCOUNT),
    refused: deletes(defrag({ metadata: OF_POLICY, status: { phase: 'Running' } }), ACCOUNT),
  }),
  as({
    name: 'an EtcdDefrag of somebody else that is deleted',
    says: FINISHED_ONLY,
    accepted: deletes(defrag({ metadata: OF_POLICY, status: { phase: 'Failed' } }), ACCOUNT),
    refused: deletes(defrag({ metadata: OURS, status: { phase: 'Failed' } }), ACCOUNT),
  }),
  as({
    name: 'a Snapshot that is deleted without a reason',
    says: REASON_NEEDED,
    accepted: deletes(snapshot({ metadata: marked('retention'), status: { phase: 'Succeeded' } }), ACCOUNT),
    refused: deletes(snapshot({ metadata: OURS, status: { phase: 'Succeeded' } }), ACCOUNT),
  }),
  as({
    name: 'a running Snapshot that is deleted as history',
    says: REASON_NEEDED,
    accepted: deletes(snapshot({ metadata: marked('replaced-run'), status: { phase: 'Running' } }), ACCOUNT),
    refused: deletes(snapshot({ metadata: marked('failed-history'), status: { phase: 'Running' } }), ACCOUNT),
  }),
  as({
    name: 'a Snapshot at a phase that nobody knows that is replaced',
    says: REASON_NEEDED,
    accepted: deletes(snapshot({ metadata: marked('replaced-run') }), ACCOUNT),
    refused: deletes(snapshot({ metadata: marked('replaced-run'), status: { phase: 'Warming' } }), ACCOUNT),
  }),
  as({
    name: 'a Job of a person that is deleted',
    says: ITS_JOBS_ONLY,
    accepted: deletes(job(OF_SNAPSHOT), ACCOUNT),
    refused: deletes(job(OURS), ACCOUNT),
  }),
  as({
    name: 'a managed Job that is deleted before its end',
    says: ITS_JOBS_ONLY,
    accepted: deletes(job(OF_CRON_JOB), ACCOUNT),
    refused: deletes(job({}, { managedBy: 'minutehand.dev/job', ttlSecondsAfterFinished: 5 }), ACCOUNT),
  }),
];

const POD_FILE = 'admission/managed-job-pods.yaml';

const POD_CASES: readonly RuleCase[] = [
  {
    name: 'a pod that is not of a managed Job',
    file: POD_FILE,
    says: 'only pods of Jobs that minutehand manages are made, changed or deleted; set minutehand.dev/managed-job and minutehand.dev/owner-uid, or use another account',
    accepted: creates(managedPod(), ACCOUNT),
    refused: creates(managedPod({ labels: {} }), ACCOUNT),
  },
  {
    name: 'a pod of another controller',
    file: POD_FILE,
    says: 'the controller of such a pod is its Job, by the uid of minutehand.dev/owner-uid; set both alike',
    accepted: deletes(managedPod(), ACCOUNT),
    refused: deletes(managedPod(controlledBy('apps/v1', 'ReplicaSet')), ACCOUNT),
  },
  {
    name: 'a label of a managed pod',
    file: POD_FILE,
    says: 'of such a pod only the finalizers change; use another account for the rest',
    accepted: updates(managedPod(TRACKED), managedPod(), ACCOUNT),
    refused: updates(
      managedPod(),
      managedPod({ labels: { 'minutehand.dev/managed-job': 'true', a: 'b' } }),
      ACCOUNT,
    ),
  },
];

/** What the policies of `policies/admission` refuse. */
export const ADMISSION_CASES: readonly RuleCase[] = [
  ...SPEC_CASES,
  ...MARK_CASES,
  ...PLAN_CASES,
  ...POD_CASES,
  ...RECONCILE_CASES,
];
