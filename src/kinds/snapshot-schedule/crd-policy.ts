import * as z from 'zod/mini';
import {
  AGE,
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
import { POLICY } from './resources.ts';
import { PolicySpec, type RepositoryRef, type RetentionBlock, type Source } from './schema.ts';

const BUCKETS = ['keepLatest', 'keepHourly', 'keepDaily', 'keepWeekly', 'keepMonthly', 'keepAnnual'] as const;

function bucket(what: string): Note {
  return { description: `How many are kept: ${what}.`, more: INT64 };
}

const retentionNotes: Notes<typeof RetentionBlock> = {
  description: 'Which successful Snapshots are kept; what no field keeps goes.',
  rules: [
    celRule(
      BUCKETS.map((name) => `(has(self.${name}) && self.${name} > 0)`).join(' || '),
      'keeps nothing',
      ADVICE.retention,
    ),
  ],
  fields: {
    keepLatest: bucket('the newest'),
    keepHourly: bucket('the newest of each of the latest hours'),
    keepDaily: bucket('the newest of each of the latest days'),
    keepWeekly: bucket('the newest of each of the latest weeks'),
    keepMonthly: bucket('the newest of each of the latest months'),
    keepAnnual: bucket('the newest of each of the latest years'),
  },
};

export function repositoryNotes(description: string): Notes<typeof RepositoryRef> {
  return {
    description,
    fields: {
      kind: { description: 'Repository unless set.' },
      name: { description: 'Its name.', more: OBJECT_NAME },
      namespace: { description: 'That of a Repository; its own unless set.', more: OBJECT_NAME },
    },
  };
}

function isClusterWide(ref: string): string {
  return `(has(${ref}.kind) && ${ref}.kind == 'ClusterRepository')`;
}

/** As far as it can be told without the namespace of the policy. */
const SAME_REPOSITORY = [
  'one.name == other.name',
  `${isClusterWide('one')} == ${isClusterWide('other')}`,
  // The word namespace is reserved in CEL and written so.
  `(${isClusterWide('one')} || (has(one.__namespace__) == has(other.__namespace__) && (!has(one.__namespace__) || one.__namespace__ == other.__namespace__)))`,
].join(' && ');

const sourceNotes: Notes<typeof Source> = {
  description: 'One thing that is backed up.',
  rules: [
    celRule(
      '[has(self.pvc), has(self.pvcSelector), has(self.nfs)].filter(there, there).size() == 1',
      'none or several of pvc, pvcSelector and nfs',
      ADVICE.source,
    ),
  ],
  fields: {
    pvc: {
      description: 'A PersistentVolumeClaim.',
      fields: { name: { description: 'Its name.', more: OBJECT_NAME } },
    },
    pvcSelector: {
      description: 'Every PersistentVolumeClaim with these labels; each gets its own Snapshot.',
      fields: {
        labelSelector: {
          instead: labelSelector('The labels; absent = every claim.'),
        },
        namespaceSelector: {
          description: 'Where the claims are; that of the policy unless set.',
          fields: {
            matchNames: {
              description: 'Namespaces by name.',
              more: { 'x-kubernetes-list-type': 'atomic' },
              items: { description: 'A namespace.', more: OBJECT_NAME },
            },
          },
        },
      },
    },
    nfs: { description: 'A folder of an NFS server.', fields: {} },
  },
};

const specNotes: Notes<typeof PolicySpec> = {
  description:
    'What is backed up, where to, and how long it is kept. Other fields are those of the operator.',
  rules: [
    celRule(
      'has(self.repository) != has(self.repositories)',
      'repository and repositories are both there or both absent',
      ADVICE.repositories,
    ),
  ],
  fields: {
    suspend: { description: 'No Snapshot is created for the policy.' },
    repository: repositoryNotes('Where to.'),
    repositories: {
      description: 'Where to, if to several places; each slot has one Snapshot for each.',
      more: { 'x-kubernetes-list-type': 'atomic' },
      rules: [
        celRule(
          `self.all(one, self.exists_one(other, ${SAME_REPOSITORY}))`,
          'names a repository a second time',
          ADVICE.double,
        ),
      ],
      items: repositoryNotes('A Repository or ClusterRepository.'),
    },
    sources: { description: 'What.', more: { 'x-kubernetes-list-type': 'atomic' }, items: sourceNotes },
    groupBy: { description: 'Whether the claims of one source are frozen together.' },
    defaultDeletionPolicy: {
      description: 'What deleting a Snapshot does in the repository, unless it says so itself.',
    },
    retention: retentionNotes,
  },
};

const Status = z.looseObject({
  observedGeneration: z.optional(z.int()),
  lastSuccessfulSnapshot: z.optional(z.string()),
  lastVerified: z.optional(z.string()),
  conditions: z.optional(Conditions),
});

const statusNotes: Notes<typeof Status> = {
  description: 'Written by the kopiur operator.',
  fields: {
    observedGeneration: { description: 'The generation of the spec that this was found for.', more: INT64 },
    lastSuccessfulSnapshot: time('When a Snapshot of the policy succeeded last.'),
    lastVerified: time('When what was backed up was verified last.'),
    conditions: conditionNotes('Whether the policy can be used.'),
  },
};

/** snapshot-schedule.md 1.4. */
export const SNAPSHOT_POLICY: CustomResource = customResource({
  resource: POLICY,
  description: 'What is backed up, where to, and how long it is kept.',
  categories: ['kopiur'],
  columns: [
    { name: 'Repository', type: 'string', jsonPath: '.spec.repository.name' },
    { name: 'Last-Snapshot', type: 'date', jsonPath: '.status.lastSuccessfulSnapshot' },
    { name: 'Last-Verified', type: 'date', jsonPath: '.status.lastVerified' },
    { name: 'Suspended', type: 'boolean', jsonPath: '.spec.suspend' },
    AGE,
  ],
  specRequired: true,
  nullable: true,
  spec: { schema: PolicySpec, notes: specNotes },
  status: { schema: Status, notes: statusNotes },
});
