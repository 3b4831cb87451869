/** Every field of a JobSpec in batch/v1 of Kubernetes 1.36 (job.md 2.1). */
export const JOB_SPEC_FIELDS: readonly string[] = [
  'activeDeadlineSeconds',
  'backoffLimit',
  'backoffLimitPerIndex',
  'completionMode',
  'completions',
  'managedBy',
  'manualSelector',
  'maxFailedIndexes',
  'parallelism',
  'podFailurePolicy',
  'podReplacementPolicy',
  'selector',
  'successPolicy',
  'suspend',
  'template',
  'ttlSecondsAfterFinished',
];
