import * as z from 'zod/mini';
import { AGE, type CustomResource, customResource, type Notes } from '#api/custom-resource.ts';
import { Conditions, conditionNotes, INT64 } from '#api/custom-resource-fields.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { cappedJitterRules, MAX_ZONE, zoneRules } from './crd-rules.ts';
import { CLUSTER_REPOSITORY, REPOSITORY } from './resources.ts';
import { RepositorySpec } from './schema.ts';

const specNotes: Notes<typeof RepositorySpec> = {
  description: 'Where backups are kept. Other fields are those of the operator.',
  fields: {
    scheduleDefaults: {
      description: 'What schedules inherit.',
      fields: {
        timezone: {
          description: 'The IANA zone of schedules that name none.',
          more: { maxLength: MAX_ZONE },
          rules: zoneRules,
        },
        jitter: {
          description: 'The window of schedules that have none, such as 30m; at most 24h.',
          rules: cappedJitterRules,
        },
      },
    },
  },
};

const Status = z.looseObject({
  observedGeneration: z.optional(z.int()),
  phase: z.optional(z.string()),
  conditions: z.optional(Conditions),
});

const statusNotes: Notes<typeof Status> = {
  description: 'Written by the kopiur operator.',
  fields: {
    observedGeneration: { description: 'The generation of the spec that this was found for.', more: INT64 },
    phase: { description: 'Pending, Initializing, Ready, Degraded or Failed.' },
    conditions: conditionNotes('Whether the repository can be used.'),
  },
};

function repository(resource: ResourceType, description: string): CustomResource {
  return customResource({
    resource,
    description,
    categories: ['kopiur'],
    columns: [
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Backend', type: 'string', jsonPath: '.status.backend' },
      { name: 'Server', type: 'string', jsonPath: '.status.server.endpoint' },
      AGE,
    ],
    specRequired: false,
    nullable: true,
    spec: { schema: RepositorySpec, notes: specNotes },
    status: { schema: Status, notes: statusNotes },
  });
}

/** snapshot-schedule.md 1.5. */
export const REPOSITORIES: readonly CustomResource[] = [
  repository(REPOSITORY, 'A place for backups, for the policies of its namespace.'),
  repository(CLUSTER_REPOSITORY, 'A place for backups, for the policies of every namespace.'),
];
