import type { JsonObject } from '#core/object/object.ts';
import { creates, defragPolicy, type RuleCase, snapshotPolicy, snapshotSchedule } from './rule-case.ts';

const ETCD = 'crd/etcd-operator.cozystack.io_etcddefragpolicies.yaml';
const SCHEDULES = 'crd/kopiur.home-operations.com_snapshotschedules.yaml';
const POLICIES = 'crd/kopiur.home-operations.com_snapshotpolicies.yaml';

interface Row extends Pick<RuleCase, 'name' | 'says' | 'offline'> {
  readonly field: string;
  readonly accepted: JsonObject;
  readonly refused: JsonObject;
}

function of(file: string, make: (spec: JsonObject) => JsonObject, rows: readonly Row[]): readonly RuleCase[] {
  return rows.map(({ accepted, refused, ...row }) => ({
    ...row,
    file,
    accepted: creates(make(accepted)),
    refused: creates(make(refused)),
  }));
}

const NAS = { name: 'nas' };

/** What the schemas in zod say without any rule: each limit is the same offline and on a server. */
export const LIMIT_CASES: readonly RuleCase[] = [
  ...of(ETCD, defragPolicy, [
    {
      name: 'a policy for runs in the way that does not exist',
      field: 'spec.concurrencyPolicy',
      says: 'supported values: "Allow", "Forbid"',
      offline: 'write one of Allow, Forbid',
      accepted: { concurrencyPolicy: 'Allow' },
      refused: { concurrencyPolicy: 'Replace' },
    },
    {
      name: 'a switch in words',
      field: 'spec.suspend',
      says: 'must be of type boolean',
      offline: 'write true or false, unquoted',
      accepted: { suspend: true },
      refused: { suspend: 'true' },
    },
    {
      name: 'an empty schedule',
      field: 'spec.schedule',
      says: 'should be at least 1 chars long',
      offline: 'spec.schedule is empty',
      accepted: { schedule: '0 3 * * 0' },
      refused: { schedule: '' },
    },
    {
      name: 'a cluster without a name',
      field: 'spec.clusterRef.name',
      says: 'Required value',
      offline: 'spec.clusterRef.name is required',
      accepted: { clusterRef: { name: 'e' } },
      refused: { clusterRef: {} },
    },
    {
      name: 'a deadline below 0',
      field: 'spec.startingDeadlineSeconds',
      says: 'should be greater than or equal to 0',
      offline: 'write 0 or more',
      accepted: { startingDeadlineSeconds: 0 },
      refused: { startingDeadlineSeconds: -1 },
    },
    {
      name: 'a deadline above ten years',
      field: 'spec.startingDeadlineSeconds',
      says: 'should be less than or equal to 315360000',
      offline: 'write 315360000 or less',
      accepted: { startingDeadlineSeconds: 315_360_000 },
      refused: { startingDeadlineSeconds: 315_360_001 },
    },
    {
      name: 'a history of less than nothing',
      field: 'spec.historyLimit',
      says: 'should be greater than or equal to 0',
      offline: 'write 0 or more',
      accepted: { historyLimit: 0 },
      refused: { historyLimit: -1 },
    },
    {
      name: 'more seconds to live than there are',
      field: 'spec.ttlSecondsAfterFinished',
      says: 'should be less than or equal to 2147483647',
      offline: 'write 2147483647 or less',
      accepted: { ttlSecondsAfterFinished: 2_147_483_647 },
      refused: { ttlSecondsAfterFinished: 2_147_483_648 },
    },
    {
      name: 'a part of a byte as a number',
      field: 'spec.rule.freeSpaceAbove',
      says: 'must be of type integer',
      offline: 'spec.rule.freeSpaceAbove',
      accepted: { rule: { freeSpaceAbove: '1.5' } },
      refused: { rule: { freeSpaceAbove: 1.5 } },
    },
  ]),
  ...of(SCHEDULES, (timetable) => snapshotSchedule(timetable), [
    {
      name: 'a policy for runs in the way that is none, of a SnapshotSchedule',
      field: 'spec.schedule.concurrencyPolicy',
      says: 'supported values: "Forbid", "Allow", "Replace"',
      offline: 'write one of Forbid, Allow, Replace',
      accepted: { concurrencyPolicy: 'Replace' },
      refused: { concurrencyPolicy: 'Queue' },
    },
    {
      name: 'half a second',
      field: 'spec.schedule.startingDeadlineSeconds',
      says: 'must be of type integer',
      offline: 'spec.schedule.startingDeadlineSeconds',
      accepted: { startingDeadlineSeconds: 4_000_000_000 },
      refused: { startingDeadlineSeconds: 0.5 },
    },
    {
      name: 'a window as long as a poem',
      field: 'spec.schedule.jitter',
      says: 'Too long: may not be more than 64 bytes',
      offline: 'write 64 characters or less',
      accepted: { jitter: `${'0'.repeat(62)}1m` },
      refused: { jitter: `${'0'.repeat(63)}1m` },
    },
    {
      name: 'an expression as long as a book',
      field: 'spec.schedule.cron',
      says: 'Too long: may not be more than 1000 bytes',
      offline: 'the schedule has 1001 characters',
      accepted: { cron: `${'0,'.repeat(495)}0 2 * * *` },
      refused: { cron: `${'0,'.repeat(496)}0 2 * * *` },
    },
  ]),
  ...of(SCHEDULES, (spec) => snapshotSchedule({}, spec), [
    {
      name: 'a history of less than nothing, of a SnapshotSchedule',
      field: 'spec.failedJobsHistoryLimit',
      says: 'should be greater than or equal to 0',
      offline: 'write 0 or more',
      accepted: { failedJobsHistoryLimit: 0 },
      refused: { failedJobsHistoryLimit: -1 },
    },
    {
      name: 'an operator that selectors do not have',
      field: 'spec.policySelector.matchExpressions[0].operator',
      says: 'supported values: "In", "NotIn", "Exists", "DoesNotExist"',
      offline: 'not a valid selector operator',
      accepted: { policySelector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } },
      refused: { policySelector: { matchExpressions: [{ key: 'tier', operator: 'Gt', values: ['1'] }] } },
    },
    {
      name: 'a key that no label has',
      field: 'spec.policySelector.matchExpressions[0].key',
      says: 'should match',
      offline: 'spec.policySelector.matchExpressions[0].key',
      accepted: { policySelector: { matchExpressions: [{ key: 'a.b/c_d', operator: 'Exists' }] } },
      refused: { policySelector: { matchExpressions: [{ key: 'a b', operator: 'Exists' }] } },
    },
    {
      name: 'a value that no label has',
      field: 'spec.policySelector.matchLabels.tier',
      says: 'should match',
      offline: 'spec.policySelector.matchLabels',
      accepted: { policySelector: { matchLabels: { tier: '' } } },
      refused: { policySelector: { matchLabels: { tier: '-' } } },
    },
  ]),
  ...of(POLICIES, snapshotPolicy, [
    {
      name: 'nine repositories',
      field: 'spec.repositories',
      says: 'must have at most 8 items',
      offline: 'keep 8 entries or less',
      accepted: { repositories: [...'12345678'].map((name) => ({ name })) },
      refused: { repositories: [...'123456789'].map((name) => ({ name })) },
    },
    {
      name: 'no repository in a list of them',
      field: 'spec.repositories',
      says: 'should have at least 1 items',
      offline: 'spec.repositories is empty',
      accepted: { repositories: [NAS] },
      refused: { repositories: [] },
    },
    {
      name: 'a deletion policy that is none',
      field: 'spec.defaultDeletionPolicy',
      says: 'supported values: "Delete", "Retain", "Orphan"',
      offline: 'write one of Delete, Retain, Orphan',
      accepted: { repository: NAS, defaultDeletionPolicy: 'Orphan' },
      refused: { repository: NAS, defaultDeletionPolicy: 'Keep' },
    },
  ]),
];
