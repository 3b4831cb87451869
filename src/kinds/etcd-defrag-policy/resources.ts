import type { ResourceType } from '#core/object/resource.ts';

const GROUP = 'etcd-operator.cozystack.io';
const VERSION = 'v1alpha2';

export const POLICY: ResourceType = {
  group: GROUP,
  version: VERSION,
  kind: 'EtcdDefragPolicy',
  plural: 'etcddefragpolicies',
  singular: 'etcddefragpolicy',
  shortNames: [],
  namespaced: true,
};

export const DEFRAG: ResourceType = {
  group: GROUP,
  version: VERSION,
  kind: 'EtcdDefrag',
  plural: 'etcddefrags',
  singular: 'etcddefrag',
  shortNames: [],
  namespaced: true,
};

export const POLICY_LABEL = `${GROUP}/defrag-policy`;
export const CLUSTER_LABEL = `${GROUP}/cluster`;
