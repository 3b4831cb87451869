import type { ResourceType } from '#core/object/resource.ts';

const GROUP = 'kopiur.home-operations.com';
const COMMON = { group: GROUP, version: 'v1alpha1', namespaced: true } as const;

export const SCHEDULE: ResourceType = {
  ...COMMON,
  kind: 'SnapshotSchedule',
  plural: 'snapshotschedules',
  singular: 'snapshotschedule',
  shortNames: ['kopiasched'],
};

export const SNAPSHOT: ResourceType = {
  ...COMMON,
  kind: 'Snapshot',
  plural: 'snapshots',
  singular: 'snapshot',
  shortNames: ['kopiasnap'],
};

export const POLICY: ResourceType = {
  ...COMMON,
  kind: 'SnapshotPolicy',
  plural: 'snapshotpolicies',
  singular: 'snapshotpolicy',
  shortNames: ['kopiasp'],
};

export const REPOSITORY: ResourceType = {
  ...COMMON,
  kind: 'Repository',
  plural: 'repositories',
  singular: 'repository',
  shortNames: ['kopiarepo'],
};

export const CLUSTER_REPOSITORY: ResourceType = {
  ...COMMON,
  kind: 'ClusterRepository',
  plural: 'clusterrepositories',
  singular: 'clusterrepository',
  shortNames: [],
  namespaced: false,
};

export const ORIGIN_LABEL = `${GROUP}/origin`;
export const SCHEDULE_LABEL = `${GROUP}/schedule`;
export const POLICY_LABEL = `${GROUP}/config`;
export const GROUP_LABEL = `${GROUP}/group`;
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** On what an operator deletes itself; without it a deletion counts as somebody's attack on the repository. */
export const PRUNED_BY = `${GROUP}/pruned-by`;
