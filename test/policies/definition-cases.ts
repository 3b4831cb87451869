import type { JsonObject } from '#core/object/object.ts';
import {
  creates,
  defrag,
  defragPolicy,
  type RuleCase,
  repository,
  snapshotPolicy,
  snapshotSchedule,
} from './rule-case.ts';

const ETCD = 'crd/etcd-operator.cozystack.io';
const KOPIUR = 'crd/kopiur.home-operations.com';

interface Row {
  readonly name: string;
  readonly field: string;
  readonly says: string;
  readonly offline?: string;
  readonly accepted: JsonObject;
  readonly refused: JsonObject;
}

/** What is behind the last semicolon of a message is the advice, and `validate` gives the same. */
function adviceOf(says: string): string {
  return says.slice(says.lastIndexOf('; ') + 2);
}

/** One row for policies, and one for their runs, which have the same rules. */
function defragRule(
  name: string,
  field: string,
  says: string,
  accepted: JsonObject,
  refused: JsonObject,
): readonly RuleCase[] {
  return [
    {
      name,
      field,
      file: `${ETCD}_etcddefragpolicies.yaml`,
      says,
      offline: adviceOf(says),
      accepted: creates(defragPolicy(accepted)),
      refused: creates(defragPolicy(refused)),
    },
    {
      name: `${name}, of a run`,
      field,
      file: `${ETCD}_etcddefrags.yaml`,
      says,
      accepted: creates(defrag({ spec: accepted })),
      refused: creates(defrag({ spec: refused })),
    },
  ];
}

function rows(file: string, list: readonly Row[]): readonly RuleCase[] {
  return list.map(({ accepted, refused, offline, ...row }) => ({
    ...row,
    file,
    offline: offline ?? adviceOf(row.says),
    accepted: creates(accepted),
    refused: creates(refused),
  }));
}

const QUANTITY = 'not a quantity; write for example 200Mi';
const POSITIVE = 'not above 0; write a quantity above 0';

const DEFRAG_CASES: readonly RuleCase[] = [
  ...defragRule(
    'a cluster whose name is none',
    'spec.clusterRef.name',
    'not a name of an object; write the name of an EtcdCluster',
    { clusterRef: { name: 'etcd.main-1' } },
    { clusterRef: { name: 'Etcd_main' } },
  ),
  ...defragRule(
    'all beside a threshold',
    'spec.rule.all',
    'all excludes freeSpaceAbove, quotaUsageAbove and minReclaim; keep either all or the thresholds',
    { rule: { all: false, freeSpaceAbove: '100Mi' } },
    { rule: { all: true, freeSpaceAbove: '100Mi' } },
  ),
  ...defragRule(
    'minReclaim alone',
    'spec.rule.minReclaim',
    'minReclaim needs quotaUsageAbove; set quotaUsageAbove or remove minReclaim',
    { rule: { quotaUsageAbove: '80%', minReclaim: '32Mi' } },
    { rule: { minReclaim: '32Mi' } },
  ),
  ...defragRule(
    'minReclaim above freeSpaceAbove',
    'spec.rule.minReclaim',
    'minReclaim exceeds freeSpaceAbove; lower minReclaim or raise freeSpaceAbove',
    { rule: { quotaUsageAbove: '80%', minReclaim: '1Gi', freeSpaceAbove: '1024Mi' } },
    { rule: { quotaUsageAbove: '80%', minReclaim: '1Gi', freeSpaceAbove: '1023Mi' } },
  ),
  ...defragRule(
    'a percentage that no database can exceed',
    'spec.rule.quotaUsageAbove',
    'not a percentage below 100%; write a whole percentage from 1% to 99%',
    { rule: { quotaUsageAbove: '99%' } },
    { rule: { quotaUsageAbove: '100%' } },
  ),
  ...defragRule(
    'a word for a threshold',
    'spec.rule.freeSpaceAbove',
    QUANTITY,
    { rule: { freeSpaceAbove: '1.5e3' } },
    { rule: { freeSpaceAbove: 'much' } },
  ),
  ...defragRule(
    'no threshold at all',
    'spec.rule.freeSpaceAbove',
    POSITIVE,
    { rule: { freeSpaceAbove: 1 } },
    { rule: { freeSpaceAbove: 0 } },
  ),
  ...defragRule(
    'a negative least gain',
    'spec.rule.minReclaim',
    POSITIVE,
    { rule: { quotaUsageAbove: '80%', minReclaim: '1m' } },
    { rule: { quotaUsageAbove: '80%', minReclaim: '-1Mi' } },
  ),
  ...defragRule(
    'a word for the least gain',
    'spec.rule.minReclaim',
    QUANTITY,
    { rule: { quotaUsageAbove: '80%', minReclaim: '1e3' } },
    { rule: { quotaUsageAbove: '80%', minReclaim: '32 Mi' } },
  ),
];

const DURATION = 'not a duration; write whole hours, minutes and seconds, such as 30m, 1h30m or 90s';
const ZONE = 'not a time zone; write an IANA name such as Europe/Berlin';
const SELECTOR =
  'the values do not go with the operator; write In, NotIn, Exists or DoesNotExist, with values for the first two';

function selecting(expression: JsonObject): JsonObject {
  return snapshotSchedule({}, { policySelector: { matchExpressions: [expression] } });
}

const SCHEDULE_CASES = rows(`${KOPIUR}_snapshotschedules.yaml`, [
  {
    name: 'both ways to name policies',
    field: 'spec',
    says: 'policyRef and policySelector are both there or both absent; set exactly one of spec.policyRef and spec.policySelector',
    accepted: snapshotSchedule({}, { policySelector: {} }),
    refused: snapshotSchedule({}, { policyRef: { name: 'pg' }, policySelector: {} }),
  },
  {
    name: 'neither way to name policies',
    field: 'spec',
    says: 'policyRef and policySelector are both there or both absent; set exactly one of spec.policyRef and spec.policySelector',
    accepted: snapshotSchedule({}),
    refused: snapshotSchedule({}, { policyRef: null }),
  },
  {
    name: 'a set without values',
    field: 'spec.policySelector.matchExpressions[0].values',
    says: SELECTOR,
    offline: "must be specified when `operator` is 'In' or 'NotIn'",
    accepted: selecting({ key: 'tier', operator: 'In', values: ['critical'] }),
    refused: selecting({ key: 'tier', operator: 'In' }),
  },
  {
    name: 'a presence with values',
    field: 'spec.policySelector.matchExpressions[0].values',
    says: SELECTOR,
    offline: "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    accepted: selecting({ key: 'tier', operator: 'Exists', values: [] }),
    refused: selecting({ key: 'tier', operator: 'Exists', values: ['critical'] }),
  },
  {
    name: 'four fields',
    field: 'spec.schedule.cron',
    says: 'not five fields; write minute, hour, day of month, month and day of week, such as H 2 * * *',
    offline: 'fields',
    accepted: snapshotSchedule({ cron: ' H  2 1,15 jan-mar\tsun#1 ' }),
    refused: snapshotSchedule({ cron: 'H 2 * *' }),
  },
  {
    name: 'a zone in the expression',
    field: 'spec.schedule.cron',
    says: 'not five fields; write minute, hour, day of month, month and day of week, such as H 2 * * *',
    offline: 'write the zone in schedule.timezone and the five fields alone',
    accepted: snapshotSchedule({ cron: '@daily' }),
    refused: snapshotSchedule({ cron: 'TZ=UTC 0 2 * * *' }),
  },
  {
    name: 'a macro that is none',
    field: 'spec.schedule.cron',
    says: 'not five fields; write minute, hour, day of month, month and day of week, such as H 2 * * *',
    offline: 'cannot be read',
    accepted: snapshotSchedule({ cron: '@midnight' }),
    refused: snapshotSchedule({ cron: '@every 1h' }),
  },
  {
    name: 'a fraction of an hour',
    field: 'spec.schedule.jitter',
    says: DURATION,
    accepted: snapshotSchedule({ jitter: '1h30m' }),
    refused: snapshotSchedule({ jitter: '1.5h' }),
  },
  {
    name: 'a day in a window',
    field: 'spec.schedule.jitter',
    says: DURATION,
    accepted: snapshotSchedule({ jitter: ' 90 ' }),
    refused: snapshotSchedule({ jitter: '1d' }),
  },
  {
    name: 'more seconds than a duration holds',
    field: 'spec.schedule.jitter',
    says: DURATION,
    accepted: snapshotSchedule({ jitter: '00000000000000000001h' }),
    refused: snapshotSchedule({ jitter: '99999999999999999999s' }),
  },
  {
    name: 'a zone in small letters',
    field: 'spec.schedule.timezone',
    says: ZONE,
    offline: 'write Europe/Berlin',
    accepted: snapshotSchedule({ timezone: 'Europe/Berlin' }),
    refused: snapshotSchedule({ timezone: 'europe/berlin' }),
  },
  {
    name: 'an offset for a zone',
    field: 'spec.schedule.timezone',
    says: ZONE,
    offline: 'Etc/GMT-3',
    accepted: snapshotSchedule({ timezone: 'Etc/GMT-3' }),
    refused: snapshotSchedule({ timezone: '+03:00' }),
  },
  {
    name: 'the zone of the machine',
    field: 'spec.schedule.timezone',
    says: ZONE,
    offline: 'name the zone, such as Europe/Berlin',
    accepted: snapshotSchedule({ timezone: null }),
    refused: snapshotSchedule({ timezone: 'Local' }),
  },
]);

const NAS = { repository: { name: 'nas' } };

const POLICY_CASES = rows(`${KOPIUR}_snapshotpolicies.yaml`, [
  {
    name: 'no repository',
    field: 'spec',
    says: 'repository and repositories are both there or both absent; set exactly one of repository and repositories',
    accepted: snapshotPolicy(NAS),
    refused: snapshotPolicy({}),
  },
  {
    name: 'a source of two kinds',
    field: 'spec.sources[0]',
    says: 'none or several of pvc, pvcSelector and nfs; keep exactly one of pvc, pvcSelector and nfs',
    accepted: snapshotPolicy({ ...NAS, sources: [{ nfs: { server: 'files', path: '/' } }] }),
    refused: snapshotPolicy({ ...NAS, sources: [{ pvc: { name: 'pg' }, pvcSelector: {} }] }),
  },
  {
    name: 'a source of no kind',
    field: 'spec.sources[0]',
    says: 'none or several of pvc, pvcSelector and nfs; keep exactly one of pvc, pvcSelector and nfs',
    accepted: snapshotPolicy({ ...NAS, sources: [{ pvcSelector: {} }] }),
    refused: snapshotPolicy({ ...NAS, sources: [{ sourcePathOverride: '/' }] }),
  },
  {
    name: 'a repository that is named twice',
    field: 'spec.repositories',
    says: 'names a repository a second time; remove it',
    accepted: snapshotPolicy({
      repositories: [
        { name: 'nas' },
        { name: 'nas', namespace: 'other' },
        { name: 'nas', kind: 'ClusterRepository' },
      ],
    }),
    refused: snapshotPolicy({ repositories: [{ name: 'nas' }, { name: 'nas', kind: 'Repository' }] }),
  },
  {
    name: 'a retention that keeps nothing',
    field: 'spec.retention',
    says: 'keeps nothing; set at least one bucket above 0, or remove the block',
    accepted: snapshotPolicy({ ...NAS, retention: { keepLatest: 0, keepDaily: 7 } }),
    refused: snapshotPolicy({ ...NAS, retention: { keepLatest: 0 } }),
  },
]);

const REPOSITORY_CASES = (['Repository', 'ClusterRepository'] as const).flatMap((kind) =>
  rows(`${KOPIUR}_${kind === 'Repository' ? 'repositories' : 'clusterrepositories'}.yaml`, [
    {
      name: `a zone that does not exist, of a ${kind}`,
      field: 'spec.scheduleDefaults.timezone',
      says: ZONE,
      offline: 'write Europe/Berlin',
      accepted: repository(kind, { timezone: 'UTC' }),
      refused: repository(kind, { timezone: 'Europe/Berln' }),
    },
    {
      name: `a window that is none, of a ${kind}`,
      field: 'spec.scheduleDefaults.jitter',
      says: DURATION,
      accepted: repository(kind, { jitter: '0' }),
      refused: repository(kind, { jitter: '-5m' }),
    },
    {
      name: `more than a day, of a ${kind}`,
      field: 'spec.scheduleDefaults.jitter',
      says: 'jitter exceeds the 24h maximum; write 24h or less',
      accepted: repository(kind, { jitter: '24h' }),
      refused: repository(kind, { jitter: '24h1s' }),
    },
  ]),
);

/** What the definitions of `policies/crd` refuse by rules in CEL. */
export const DEFINITION_CASES: readonly RuleCase[] = [
  ...DEFRAG_CASES,
  ...SCHEDULE_CASES,
  ...POLICY_CASES,
  ...REPOSITORY_CASES,
];
