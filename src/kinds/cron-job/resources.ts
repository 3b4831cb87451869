import type { ResourceType } from '#core/object/resource.ts';

export const CRON_JOB: ResourceType = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  namespaced: true,
};

export const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
export const INSTANTIATE = 'cronjob.kubernetes.io/instantiate';
