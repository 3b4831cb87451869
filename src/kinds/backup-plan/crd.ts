import * as z from 'zod/mini';
import { typedReferenceNotes } from '#api/backups/crd-fields.ts';
import { AGE, type CustomResource, customResource, type Notes } from '#api/custom-resource.ts';
import { Conditions, conditionNotes, OBJECT_NAME, time } from '#api/custom-resource-fields.ts';
import { PLAN } from './resources.ts';
import { PlanSpec } from './schema.ts';

/** As much of an expression as the timing reads. */
const CRON_LENGTH = 1000;

const planNotes: Notes<typeof PlanSpec> = {
  description: 'What is backed up, how, and when.',
  fields: {
    applicationRef: typedReferenceNotes('The application, in the same namespace.'),
    backupClassName: { description: 'The BackupClass that says how.', more: OBJECT_NAME },
    schedule: {
      description: 'When.',
      fields: {
        type: {
          description: 'How the schedule is written; there is one way.',
          default: 'cron',
          more: { enum: ['', 'cron'] },
        },
        cron: {
          description:
            'Five cron fields, in UTC unless CRON_TZ=<zone> stands in front. What cannot be read is told by the condition Error.',
          more: { maxLength: CRON_LENGTH },
        },
      },
    },
  },
};

const PlanStatus = z.object({
  lastScheduleTime: z.optional(z.string()),
  conditions: z.optional(Conditions),
});

const planStatusNotes: Notes<typeof PlanStatus> = {
  description: 'What was found and done; written by whoever acts on the schedule.',
  fields: {
    lastScheduleTime: time(
      'The newest slot that was started or skipped; nothing before it is started any more.',
    ),
    conditions: conditionNotes('Error: why no slot is started; absent where all is well.'),
  },
};

/** The definition for clusters that lack it (backups.md B.1, decision 4). */
export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  customResource({
    resource: PLAN,
    description: 'Creates a BackupJob for each slot of a cron schedule.',
    columns: [
      { name: 'Application', type: 'string', jsonPath: '.spec.applicationRef.name' },
      { name: 'Class', type: 'string', jsonPath: '.spec.backupClassName' },
      { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule.cron' },
      { name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' },
      {
        name: 'Error',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Error")].reason',
        priority: 1,
      },
      AGE,
    ],
    selectable: ['.spec.applicationRef.apiGroup', '.spec.applicationRef.kind', '.spec.applicationRef.name'],
    specRequired: true,
    nullable: false,
    spec: { schema: PlanSpec, notes: planNotes },
    status: { schema: PlanStatus, notes: planStatusNotes },
  }),
];
