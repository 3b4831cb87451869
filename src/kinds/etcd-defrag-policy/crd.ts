import * as z from 'zod/mini';
import {
  AGE,
  type CelRule,
  type CustomResource,
  celRule,
  customResource,
  type Notes,
} from '#api/custom-resource.ts';
import { Conditions, conditionNotes, INT32, INT64, OBJECT_NAME, time } from '#api/custom-resource-fields.ts';
import { ADVICE } from './advice.ts';
import { DEFRAG, POLICY } from './resources.ts';
import { type ClusterRef, type DefragRule, PolicySpec } from './schema.ts';

/** As much of a schedule as the timing reads. */
const SCHEDULE_LENGTH = 1000;
const QUANTITY_LENGTH = 256;

const clusterNotes: Notes<typeof ClusterRef> = {
  description: 'The EtcdCluster, in the same namespace.',
  more: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    name: {
      description: 'Its name.',
      more: OBJECT_NAME,
      rules: [
        celRule(
          "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
          'not a name of an object',
          ADVICE.cluster,
        ),
      ],
    },
  },
};

const IS_QUANTITY = 'isQuantity(string(self))';

const quantityRules: readonly CelRule[] = [
  celRule(IS_QUANTITY, 'not a quantity', ADVICE.quantity),
  celRule(
    `!${IS_QUANTITY} || quantity(string(self)).isGreaterThan(quantity('0'))`,
    'not above 0',
    ADVICE.positive,
  ),
];

function comparable(field: string): string {
  return `has(self.${field}) && isQuantity(string(self.${field}))`;
}

const ruleNotes: Notes<typeof DefragRule> = {
  description: 'Which members are defragmented; absent or empty = those with more than 200Mi to reclaim.',
  rules: [
    celRule(
      '!(has(self.all) && self.all) || !(has(self.freeSpaceAbove) || has(self.quotaUsageAbove) || has(self.minReclaim))',
      'all excludes freeSpaceAbove, quotaUsageAbove and minReclaim',
      ADVICE.exclusive,
      '.all',
    ),
    celRule(
      '!has(self.minReclaim) || has(self.quotaUsageAbove)',
      'minReclaim needs quotaUsageAbove',
      ADVICE.quotaNeeded,
      '.minReclaim',
    ),
    celRule(
      `!(${comparable('minReclaim')} && ${comparable('freeSpaceAbove')}) || quantity(string(self.minReclaim)).compareTo(quantity(string(self.freeSpaceAbove))) <= 0`,
      'minReclaim exceeds freeSpaceAbove',
      ADVICE.floor,
      '.minReclaim',
    ),
  ],
  fields: {
    all: { description: 'Every member, whatever its size; excludes the other fields.' },
    freeSpaceAbove: {
      description: 'A member that can give back more than this; 200Mi unless set.',
      more: { maxLength: QUANTITY_LENGTH },
      rules: quantityRules,
    },
    quotaUsageAbove: {
      description: 'A member whose database takes more than this share of its quota, from 1% to 99%.',
      more: { maxLength: 64 },
      rules: [celRule("self.matches('^[1-9][0-9]?%$')", 'not a percentage below 100%', ADVICE.percent)],
    },
    minReclaim: {
      description: 'What such a member must be able to give back at least; 32Mi unless set.',
      more: { maxLength: QUANTITY_LENGTH },
      rules: quantityRules,
    },
  },
};

const ttlNote = {
  description: 'Seconds after its end at which a run is deleted; absent = never.',
  more: INT32,
};

const policyNotes: Notes<typeof PolicySpec> = {
  description: 'What is defragmented, and when.',
  fields: {
    clusterRef: clusterNotes,
    schedule: {
      description:
        'Five cron fields, in UTC unless CRON_TZ=<zone> stands in front. What cannot be read is told by the condition Active.',
      more: { maxLength: SCHEDULE_LENGTH },
    },
    suspend: { description: 'No run is created; slots that pass are not made up for.' },
    concurrencyPolicy: {
      description: 'What becomes of a slot while a run is unfinished: Forbid skips it, Allow starts it.',
      default: 'Forbid',
    },
    startingDeadlineSeconds: {
      description: 'How late a slot may be started; absent = however late.',
      more: INT64,
    },
    historyLimit: { description: 'How many finished runs are kept; absent = all.', more: INT32 },
    rule: ruleNotes,
    ttlSecondsAfterFinished: ttlNote,
  },
};

const PolicyStatus = z.object({
  lastScheduleTime: z.optional(z.string()),
  lastSuccessfulTime: z.optional(z.string()),
  active: z.optional(z.array(z.object({ name: z.string() }))),
  conditions: z.optional(Conditions),
});

const policyStatusNotes: Notes<typeof PolicyStatus> = {
  description: 'What was found and done; written by whoever acts on the schedule.',
  fields: {
    lastScheduleTime: time(
      'The newest slot that was started or skipped; nothing before it is started any more.',
    ),
    lastSuccessfulTime: time('When a run was complete last.'),
    active: {
      description: 'Runs that are unfinished.',
      more: { 'x-kubernetes-list-type': 'atomic' },
      items: {
        description: 'An EtcdDefrag of the same namespace.',
        more: { 'x-kubernetes-map-type': 'atomic' },
        fields: { name: { description: 'Its name.' } },
      },
    },
    conditions: conditionNotes('Active: whether slots are started, and why not.'),
  },
};

const RunSpec = z.pick(PolicySpec, { clusterRef: true, rule: true, ttlSecondsAfterFinished: true });

const runNotes: Notes<typeof RunSpec> = {
  description: 'What is defragmented, once.',
  fields: { clusterRef: clusterNotes, rule: ruleNotes, ttlSecondsAfterFinished: ttlNote },
};

const Member = z.object({
  name: z.string(),
  role: z.optional(z.string()),
  outcome: z.optional(z.string()),
  reason: z.optional(z.string()),
  dbSizeBefore: z.optional(z.int()),
  dbSizeAfter: z.optional(z.int()),
  reclaimedBytes: z.optional(z.int()),
  finishedAt: z.optional(z.string()),
});

const RunStatus = z.object({
  phase: z.optional(z.string()),
  startedAt: z.optional(z.string()),
  completedAt: z.optional(z.string()),
  defragmented: z.optional(z.int()),
  members: z.optional(z.array(Member)),
  conditions: z.optional(Conditions),
});

const runStatusNotes: Notes<typeof RunStatus> = {
  description: 'How far the run is; written by the etcd-operator.',
  fields: {
    phase: { description: 'Pending, Running, Complete or Failed; the last two are final.' },
    startedAt: time('When the first member was looked at.'),
    completedAt: time('When the run ended.'),
    defragmented: { description: 'How many members were defragmented.', more: INT32 },
    members: {
      description: 'What became of each member.',
      more: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      items: {
        description: 'One member.',
        fields: {
          name: { description: 'Its name.' },
          role: { description: 'leader or follower, when it was looked at.' },
          outcome: { description: 'Pending, Skipped, Defragmented or Failed.' },
          reason: { description: 'Why, in one word.' },
          dbSizeBefore: { description: 'Bytes of its database before.', more: INT64 },
          dbSizeAfter: { description: 'Bytes of its database after.', more: INT64 },
          reclaimedBytes: { description: 'The difference.', more: INT64 },
          finishedAt: time('When it was done with.'),
        },
      },
    },
    conditions: conditionNotes('Why the run waits, and how it ended.'),
  },
};

const CLUSTER = { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterRef.name' } as const;

/** The definitions for clusters that lack those of the etcd-operator (etcd-defrag-policy.md A.1 to A.4). */
export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  customResource({
    resource: POLICY,
    description: 'Creates an EtcdDefrag for each slot of a cron schedule.',
    columns: [
      CLUSTER,
      { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' },
      { name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' },
      { name: 'State', type: 'string', jsonPath: '.status.conditions[?(@.type=="Active")].reason' },
      { name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' },
      { name: 'Last Success', type: 'date', jsonPath: '.status.lastSuccessfulTime', priority: 1 },
      AGE,
    ],
    specRequired: true,
    nullable: false,
    spec: { schema: PolicySpec, notes: policyNotes },
    status: { schema: PolicyStatus, notes: policyStatusNotes },
  }),
  customResource({
    resource: DEFRAG,
    description: 'Defragments the members of an EtcdCluster, once.',
    columns: [
      CLUSTER,
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Defragmented', type: 'integer', jsonPath: '.status.defragmented' },
      { name: 'Slot', type: 'string', jsonPath: '.metadata.annotations.minutehand\\.dev/slot', priority: 1 },
      AGE,
    ],
    selectable: ['.spec.clusterRef.name', '.status.phase'],
    specRequired: true,
    nullable: false,
    spec: { schema: RunSpec, notes: runNotes },
    status: { schema: RunStatus, notes: runStatusNotes },
  }),
];
