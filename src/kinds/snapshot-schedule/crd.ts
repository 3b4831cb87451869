import type { CustomResource } from '#api/custom-resource.ts';
import { SNAPSHOT_POLICY } from './crd-policy.ts';
import { REPOSITORIES } from './crd-repository.ts';
import { SNAPSHOT_SCHEDULE } from './crd-schedule.ts';
import { SNAPSHOT_RUN } from './crd-snapshot.ts';

/** The definitions for clusters that lack those of the kopiur operator (snapshot-schedule.md 1). */
export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  SNAPSHOT_SCHEDULE,
  SNAPSHOT_RUN,
  SNAPSHOT_POLICY,
  ...REPOSITORIES,
];
