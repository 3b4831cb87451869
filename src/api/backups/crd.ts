import * as z from 'zod/mini';
import { AGE, type CustomResource, celRule, customResource, type Notes } from '#api/custom-resource.ts';
import {
  Conditions,
  conditionNotes,
  INT64,
  OBJECT_NAME,
  time,
  UNWRITTEN_STATUS,
} from '#api/custom-resource-fields.ts';
import { BackupArtifact, BackupSpec } from './backup.ts';
import { BackupClassSpec } from './backup-class.ts';
import { BackupJobSpec } from './backup-job.ts';
import { immutableField, localReferenceNotes, MAX_KIND, textMap, typedReferenceNotes } from './crd-fields.ts';
import { LocalReference } from './reference.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from './resources.ts';
import { RestoreJobSpec } from './restore-job.ts';

const NEW_ORDER = 'leave it, or make another object';

const APPLICATION = {
  name: 'Application',
  type: 'string',
  jsonPath: '.spec.applicationRef.name',
} as const;
const PHASE = { name: 'Phase', type: 'string', jsonPath: '.status.phase' } as const;
const REASON = {
  name: 'Reason',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
} as const;
const APPLICATION_FIELDS = [
  '.spec.applicationRef.apiGroup',
  '.spec.applicationRef.kind',
  '.spec.applicationRef.name',
];

const classNotes: Notes<typeof BackupClassSpec> = {
  description:
    'How applications are backed up, by their kind. No parameter may be secret: tenants can read them.',
  fields: {
    strategies: {
      description: 'The first entry with the group and the kind of an application counts.',
      more: { 'x-kubernetes-list-type': 'atomic', maxItems: 256 },
      items: {
        description: 'What is done for one kind of application.',
        fields: {
          strategyRef: typedReferenceNotes('The strategy, an object of the driver whose group is named.'),
          application: {
            description: 'The kind of application that this entry is for.',
            fields: {
              apiGroup: { description: 'Its group; apps.cozystack.io unless set.', more: OBJECT_NAME },
              kind: { description: 'Its kind, exactly.', more: { maxLength: MAX_KIND } },
            },
          },
          parameters: { instead: textMap('What the strategy is told, such as a bucket.') },
        },
      },
    },
  },
};

const backupJobNotes: Notes<typeof BackupJobSpec> = {
  description: 'What is backed up, once.',
  rules: [celRule('self == oldSelf', 'the spec does not change', NEW_ORDER)],
  fields: {
    planRef: localReferenceNotes('The Plan that wanted it, if one did.'),
    applicationRef: typedReferenceNotes('The application, in the same namespace.'),
    backupClassName: { description: 'The BackupClass that says how.', more: OBJECT_NAME },
  },
};

const OrderStatus = z.object({
  phase: z.optional(z.string()),
  startedAt: z.optional(z.string()),
  completedAt: z.optional(z.string()),
  message: z.optional(z.string()),
  conditions: z.optional(Conditions),
});

const BackupJobStatus = z.extend(OrderStatus, { backupRef: z.optional(LocalReference) });

const orderStatusFields = {
  phase: { description: 'Pending, Running, Succeeded or Failed; the last two are final.' },
  startedAt: time('When a driver took it up.'),
  completedAt: time('When it ended.'),
  message: { description: 'How it ended, for people.' },
  conditions: conditionNotes('Ready: whether it is done, and what it waits for.'),
};

const backupJobStatusNotes: Notes<typeof BackupJobStatus> = {
  description: 'How far it is; written by the driver of its strategy.',
  fields: {
    ...orderStatusFields,
    backupRef: localReferenceNotes('The Backup that came of it.'),
  },
};

const backupNotes: Notes<typeof BackupSpec> = {
  description: 'A point that an application can be restored from. It outlives what made it.',
  rules: [
    ...['applicationRef', 'planRef', 'strategyRef', 'takenAt'].map((field) =>
      immutableField(field, 'leave what was recorded'),
    ),
    celRule(
      '!has(oldSelf.driverMetadata) || (has(self.driverMetadata) && oldSelf.driverMetadata.all(key, key in self.driverMetadata && self.driverMetadata[key] == oldSelf.driverMetadata[key]))',
      'driverMetadata only gains keys',
      'leave what was recorded',
      '.driverMetadata',
    ),
  ],
  fields: {
    applicationRef: typedReferenceNotes('The application that was backed up, in the same namespace.'),
    planRef: localReferenceNotes('The Plan that wanted it, if one did.'),
    strategyRef: typedReferenceNotes('The strategy that made it, and that can restore it.'),
    takenAt: time('When it was taken.'),
    driverMetadata: { instead: textMap('What the driver needs to restore it.') },
  },
};

const BackupStatus = z.object({
  phase: z.optional(z.string()),
  artifact: z.optional(BackupArtifact),
  underlyingResources: z.optional(z.looseObject({})),
  conditions: z.optional(Conditions),
});

const backupStatusNotes: Notes<typeof BackupStatus> = {
  description: 'Whether it can be used; written by the driver that made it.',
  fields: {
    phase: { description: 'Pending, Ready or Failed.' },
    artifact: {
      description: 'What is stored where.',
      fields: {
        uri: { description: 'Where it lies.' },
        sizeBytes: { description: 'How large it is.', more: INT64 },
        checksum: { description: 'Such as sha256:<hex>.' },
      },
    },
    underlyingResources: { description: 'Whatever else a driver notes down.', fields: {} },
    conditions: conditionNotes('What its driver tells of it.'),
  },
};

const restoreJobNotes: Notes<typeof RestoreJobSpec> = {
  description: 'What is restored, once.',
  rules: [immutableField('backupRef', NEW_ORDER), immutableField('targetApplicationRef', NEW_ORDER)],
  fields: {
    backupRef: localReferenceNotes('The Backup, in the same namespace.'),
    targetApplicationRef: typedReferenceNotes(
      'The application that is overwritten; the one that was backed up unless set.',
    ),
    options: { description: 'What other drivers are told.', fields: {} },
  },
};

const restoreJobStatusNotes: Notes<typeof OrderStatus> = {
  description: 'How far it is; written by the driver of its strategy.',
  fields: orderStatusFields,
};

/** The definitions of the backups core for clusters that lack them (backups.md B.1). */
export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  customResource({
    resource: BACKUP_CLASS,
    description: 'Says for each kind of application which strategy backs it up.',
    columns: [AGE],
    specRequired: true,
    nullable: false,
    spec: { schema: BackupClassSpec, notes: classNotes },
    status: UNWRITTEN_STATUS,
  }),
  customResource({
    resource: BACKUP_JOB,
    description: 'Backs an application up, once.',
    columns: [
      APPLICATION,
      { name: 'Class', type: 'string', jsonPath: '.spec.backupClassName' },
      PHASE,
      REASON,
      { name: 'Slot', type: 'string', jsonPath: '.metadata.annotations.minutehand\\.dev/slot', priority: 1 },
      AGE,
    ],
    selectable: [...APPLICATION_FIELDS, '.status.phase'],
    specRequired: true,
    nullable: false,
    spec: { schema: BackupJobSpec, notes: backupJobNotes },
    status: { schema: BackupJobStatus, notes: backupJobStatusNotes },
  }),
  customResource({
    resource: BACKUP,
    description: 'A point that an application can be restored from.',
    columns: [
      APPLICATION,
      { name: 'Plan', type: 'string', jsonPath: '.spec.planRef.name' },
      PHASE,
      { name: 'Taken', type: 'date', jsonPath: '.spec.takenAt' },
      { name: 'Artifact', type: 'string', jsonPath: '.status.artifact.uri', priority: 1 },
      AGE,
    ],
    selectable: APPLICATION_FIELDS,
    specRequired: true,
    nullable: false,
    spec: { schema: BackupSpec, notes: backupNotes },
    status: { schema: BackupStatus, notes: backupStatusNotes },
  }),
  customResource({
    resource: RESTORE_JOB,
    description: 'Restores a Backup, once.',
    columns: [
      { name: 'Backup', type: 'string', jsonPath: '.spec.backupRef.name' },
      { name: 'Target', type: 'string', jsonPath: '.spec.targetApplicationRef.name' },
      PHASE,
      REASON,
      AGE,
    ],
    specRequired: true,
    nullable: false,
    spec: { schema: RestoreJobSpec, notes: restoreJobNotes },
    status: { schema: OrderStatus, notes: restoreJobStatusNotes },
  }),
];
