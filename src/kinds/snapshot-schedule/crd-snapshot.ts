import * as z from 'zod/mini';
import { AGE, type CustomResource, customResource, type Notes } from '#api/custom-resource.ts';
import { Conditions, conditionNotes, INT64, OBJECT_NAME, time } from '#api/custom-resource-fields.ts';
import { repositoryNotes } from './crd-policy.ts';
import { SNAPSHOT } from './resources.ts';
import { PolicyRef, PolicySpec, RepositoryRef } from './schema.ts';

const Claim = z.object({ namespace: z.optional(z.string()), name: z.string() });

const SnapshotSource = z.looseObject({
  sourceIndex: z.optional(z.int().check(z.minimum(0))),
  target: z.optional(z.looseObject({ pvc: z.optional(Claim) })),
  group: z.optional(
    z.object({ namespace: z.optional(z.string()), volumeGroupSnapshotName: z.optional(z.string()) }),
  ),
});

/** What a firing writes, and what is read of a run (snapshot-schedule.md 1.3); the rest is the operator's. */
const Spec = z.looseObject({
  policyRef: z.optional(PolicyRef),
  repository: z.optional(RepositoryRef),
  source: z.optional(SnapshotSource),
  deletionPolicy: PolicySpec.shape.defaultDeletionPolicy,
  pin: z.optional(z.boolean()),
  description: z.optional(z.string().check(z.maxLength(1024))),
});

const specNotes: Notes<typeof Spec> = {
  description: 'What is backed up, once. Other fields are those of the operator.',
  fields: {
    policyRef: {
      description: 'The SnapshotPolicy that says how.',
      fields: {
        name: { description: 'Its name.', more: OBJECT_NAME },
        namespace: { description: 'That of the Snapshot unless set.', more: OBJECT_NAME },
      },
    },
    repository: repositoryNotes('Which repository of a policy that has several.'),
    source: {
      description: 'Which claim of a policy that selects them.',
      fields: {
        sourceIndex: { description: 'The source of the policy, counted from 0.', more: INT64 },
        target: {
          description: 'What was selected.',
          fields: {
            pvc: {
              description: 'A PersistentVolumeClaim.',
              fields: {
                namespace: { description: 'Its namespace.', more: OBJECT_NAME },
                name: { description: 'Its name.', more: OBJECT_NAME },
              },
            },
          },
        },
        group: {
          description: 'The claims that are frozen together with this one.',
          fields: {
            namespace: { description: 'Their namespace.', more: OBJECT_NAME },
            volumeGroupSnapshotName: { description: 'What they share.', more: OBJECT_NAME },
          },
        },
      },
    },
    deletionPolicy: { description: 'What deleting the Snapshot does in the repository.' },
    pin: { description: 'No retention takes it.' },
    description: { description: 'A word for people.' },
  },
};

const Status = z.looseObject({
  observedGeneration: z.optional(z.int()),
  phase: z.optional(z.string()),
  origin: z.optional(z.string()),
  snapshot: z.optional(z.looseObject({ kopiaSnapshotID: z.optional(z.string()) })),
  timing: z.optional(
    z.looseObject({
      startTime: z.optional(z.string()),
      endTime: z.optional(z.string()),
      durationSeconds: z.optional(z.int()),
    }),
  ),
  conditions: z.optional(Conditions),
});

const statusNotes: Notes<typeof Status> = {
  description: 'How far the run is; written by the kopiur operator.',
  fields: {
    observedGeneration: { description: 'The generation of the spec that this was found for.', more: INT64 },
    phase: { description: 'Pending, Running, Succeeded, Unchanged, Failed, Discovered or Deleting.' },
    origin: { description: 'scheduled, manual, discovered, adopted or replicated.' },
    snapshot: {
      description: 'What it has committed.',
      fields: { kopiaSnapshotID: { description: 'Its id in the repository.' } },
    },
    timing: {
      description: 'How long it took.',
      fields: {
        startTime: time('When it began.'),
        endTime: time('When it ended.'),
        durationSeconds: { description: 'The time between.', more: INT64 },
      },
    },
    conditions: conditionNotes('What the run waits for, and how it ended.'),
  },
};

export const SNAPSHOT_RUN: CustomResource = customResource({
  resource: SNAPSHOT,
  description: 'One backup: to be made, being made, or made.',
  categories: ['kopiur'],
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Origin', type: 'string', jsonPath: '.status.origin' },
    { name: 'Snapshot', type: 'string', jsonPath: '.status.snapshot.kopiaSnapshotID' },
    { name: 'Source', type: 'string', jsonPath: '.spec.source.target.pvc.name' },
    { name: 'Slot', type: 'string', jsonPath: '.metadata.annotations.minutehand\\.dev/slot', priority: 1 },
    AGE,
  ],
  selectable: ['.spec.policyRef.name', '.status.phase'],
  specRequired: false,
  nullable: true,
  spec: { schema: Spec, notes: specNotes },
  status: { schema: Status, notes: statusNotes },
});
