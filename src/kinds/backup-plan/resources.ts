import { BACKUPS_GROUP } from '#api/backups/resources.ts';
import type { ResourceType } from '#core/object/resource.ts';

export const PLAN: ResourceType = {
  group: BACKUPS_GROUP,
  version: 'v1alpha1',
  kind: 'Plan',
  plural: 'plans',
  singular: 'plan',
  shortNames: [],
  namespaced: true,
};
