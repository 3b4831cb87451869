import { AGE, type CustomResource, customResource, type Notes } from '#api/custom-resource.ts';
import { INT32, INT64, UNWRITTEN_STATUS } from '#api/custom-resource-fields.ts';
import type { JsonObject } from '#core/object/object.ts';
import { JOB_BACKUP_STRATEGY } from './resources.ts';
import { DEFAULT_BACKOFF_LIMIT, JobBackupStrategySpec } from './strategy.ts';

/** Open: its texts are templates, so that the API's own rules hold only once it is rendered. */
function podTemplate(description: string): JsonObject {
  return {
    description,
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: {
        description: 'Labels and annotations of the pods.',
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
      },
      spec: {
        description: 'The spec of the pods.',
        type: 'object',
        required: ['containers'],
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          containers: {
            description: 'What does the work.',
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      },
    },
  };
}

const notes: Notes<typeof JobBackupStrategySpec> = {
  description:
    'How a Job backs an application up and restores it. Every text of a template is rendered by itself.',
  fields: {
    template: {
      instead: podTemplate('The pod that backs up; {{ Mode }} tells whether it backs up or restores.'),
    },
    restoreTemplate: { instead: podTemplate('The pod that restores; template unless set.') },
    backoffLimit: {
      description: 'How often a pod that failed is tried again.',
      default: DEFAULT_BACKOFF_LIMIT,
      more: INT32,
    },
    activeDeadlineSeconds: {
      description: 'How long the Job may work; absent = as long as it takes.',
      more: INT64,
    },
    ttlSecondsAfterFinished: {
      description: 'Seconds after its end at which the Job is deleted; absent = with its order.',
      more: INT32,
    },
    artifact: {
      description: 'What the Backup tells of what was stored.',
      fields: { uri: { description: 'Where it lies; a template.', more: { maxLength: 4096 } } },
    },
  },
};

/** backups.md, decision 1. */
export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  customResource({
    resource: JOB_BACKUP_STRATEGY,
    description: 'Backs applications up by a Job, and restores them by another.',
    columns: [AGE],
    specRequired: true,
    nullable: false,
    spec: { schema: JobBackupStrategySpec, notes },
    status: UNWRITTEN_STATUS,
  }),
];
