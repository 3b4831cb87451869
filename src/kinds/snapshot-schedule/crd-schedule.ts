import * as z from 'zod/mini';
import {
  AGE,
  type CelRule,
  type CustomResource,
  celRule,
  customResource,
  type Note,
  type Notes,
} from '#api/custom-resource.ts';
import {
  Conditions,
  conditionNotes,
  INT64,
  labelSelector,
  OBJECT_NAME,
  time,
} from '#api/custom-resource-fields.ts';
import { ADVICE } from './advice.ts';
import { jitterRules, MAX_ZONE, zoneRules } from './crd-rules.ts';
import { SCHEDULE } from './resources.ts';
import { DEFAULTS, ScheduleSpec } from './schema.ts';

/** As much of a schedule as the timing reads. */
const CRON_LENGTH = 1000;

/** The grammar itself is looked at by a tick; this keeps out what is no expression at all. */
const cronRules: readonly CelRule[] = [
  celRule(
    "self.matches('^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$') || self.matches('^[\\\\s\\\\pZ]*([-0-9A-Za-z*?,/#+]+[\\\\s\\\\pZ]+){4}[-0-9A-Za-z*?,/#+]+[\\\\s\\\\pZ]*$')",
    'not five fields',
    'write minute, hour, day of month, month and day of week, such as H 2 * * *',
  ),
];

const selectorRules: readonly CelRule[] = [
  celRule(
    "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
    'the values do not go with the operator',
    ADVICE.selector,
    '.values',
  ),
];

const specNotes: Notes<typeof ScheduleSpec> = {
  description: 'What is backed up, and when.',
  rules: [
    celRule(
      'has(self.policyRef) != has(self.policySelector)',
      'policyRef and policySelector are both there or both absent',
      ADVICE.aim,
    ),
  ],
  fields: {
    policyRef: {
      description: 'The SnapshotPolicy that each slot is for.',
      fields: {
        name: { description: 'Its name.', more: OBJECT_NAME },
        namespace: {
          description: 'Policies are looked for in the namespace of the schedule; no other is accepted.',
          more: OBJECT_NAME,
        },
      },
    },
    policySelector: {
      instead: labelSelector(
        'Every SnapshotPolicy of the namespace with these labels gets its own Snapshot; {} selects all.',
        selectorRules,
      ),
    },
    schedule: {
      description: 'When.',
      fields: {
        cron: {
          description:
            'Five cron fields or a macro such as @daily. A field that is H is a number that follows from the uid.',
          more: { maxLength: CRON_LENGTH },
          rules: cronRules,
        },
        jitter: {
          description:
            'The window in which each slot is moved, such as 30m; without it the one of the repository, else none.',
          rules: jitterRules,
        },
        timezone: {
          description: 'The IANA zone of the expression; without it the one of the repository, else UTC.',
          more: { maxLength: MAX_ZONE },
          rules: zoneRules,
        },
        runOnCreate: { description: 'Starts a first run as soon as the schedule exists.', default: false },
        suspend: { description: 'Nothing is started; slots that pass are not made up for.' },
        concurrencyPolicy: {
          description:
            'What becomes of a slot while a run is unfinished: Forbid lets it wait, Allow starts it, Replace cancels the runs of earlier slots.',
          default: DEFAULTS.concurrencyPolicy,
        },
        startingDeadlineSeconds: {
          description: 'How late a slot may be started; absent = however late.',
          more: INT64,
        },
      },
    },
    failedJobsHistoryLimit: {
      description: 'How many failed Snapshots of the schedule are kept; 0 = none.',
      default: DEFAULTS.failedJobsHistoryLimit,
      more: INT64,
    },
    deletion: {
      description: 'Accepted without effect: deleting a schedule never touches its Snapshots.',
      fields: {
        onScheduleDelete: { description: 'Accepted without effect.', default: 'Retain' },
      },
    },
  },
};

const Slot = z.object({
  at: z.optional(z.string()),
  snapshotRef: z.optional(z.object({ name: z.string() })),
  cron: z.optional(z.string()),
  timezone: z.optional(z.string()),
  jitter: z.optional(z.string()),
});

const Status = z.object({
  observedGeneration: z.optional(z.int()),
  lastSchedule: z.optional(Slot),
  nextSchedule: z.optional(Slot),
  lastSuccessfulSchedule: z.optional(Slot),
  lastFailedSchedule: z.optional(Slot),
  consecutiveFailures: z.optional(z.int().check(z.minimum(0))),
  conditions: z.optional(Conditions),
});

function slotNotes(description: string): Note & Notes<typeof Slot> {
  return {
    description,
    fields: {
      at: time('The slot, with jitter.'),
      snapshotRef: {
        description: 'Its Snapshot, where it has one alone.',
        fields: { name: { description: 'Its name.' } },
      },
      cron: { description: 'The expression that it was computed from.' },
      timezone: { description: 'The zone that it was computed in.' },
      jitter: { description: 'The window that it was moved in.' },
    },
  };
}

const statusNotes: Notes<typeof Status> = {
  description: 'What was found and done; written by whoever acts on the schedule.',
  fields: {
    observedGeneration: { description: 'The generation of the spec that this was found for.', more: INT64 },
    lastSchedule: slotNotes('The newest slot that was started.'),
    nextSchedule: slotNotes('The slot that is owed next, with everything that it follows from.'),
    lastSuccessfulSchedule: slotNotes('The newest slot whose Snapshots all ended without a failure.'),
    lastFailedSchedule: slotNotes('The newest slot that failed and was counted.'),
    consecutiveFailures: { description: 'How many slots failed since the last success.', more: INT64 },
    conditions: conditionNotes('Whether slots are started, and what holds them.'),
  },
};

/** snapshot-schedule.md 1.1 and 1.2. */
export const SNAPSHOT_SCHEDULE: CustomResource = customResource({
  resource: SCHEDULE,
  description: 'Creates Snapshots for each slot of a cron schedule.',
  categories: ['kopiur'],
  columns: [
    { name: 'Config', type: 'string', jsonPath: '.spec.policyRef.name' },
    { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule.cron' },
    { name: 'Suspended', type: 'boolean', jsonPath: '.spec.schedule.suspend' },
    { name: 'State', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Last', type: 'date', jsonPath: '.status.lastSchedule.at' },
    // A date would be shown as an age, and one to come has none.
    { name: 'Next', type: 'string', jsonPath: '.status.nextSchedule.at' },
    { name: 'Failures', type: 'integer', jsonPath: '.status.consecutiveFailures', priority: 1 },
    AGE,
  ],
  specRequired: true,
  nullable: true,
  spec: { schema: ScheduleSpec, notes: specNotes },
  status: { schema: Status, notes: statusNotes },
});
