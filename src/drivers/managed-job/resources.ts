export const DRIVER_ID = 'managed-jobs';

/** On every pod that is created here: they are read by it, those included whose Job is gone. */
export const MANAGED_LABEL = 'minutehand.dev/managed-job';
export const MANAGED_LABEL_VALUE = 'true';

/** Kubernetes' own controller, which a Job without `spec.managedBy` means. */
export const BUILT_IN_CONTROLLER = 'kubernetes.io/job-controller';

export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

export const CONTROLLER_UID_LABEL = 'batch.kubernetes.io/controller-uid';
export const JOB_NAME_LABEL = 'batch.kubernetes.io/job-name';
/** The names without a prefix, which the API server still writes beside them. */
export const OLD_CONTROLLER_UID_LABEL = 'controller-uid';
export const OLD_JOB_NAME_LABEL = 'job-name';

/** An annotation and a label of the same name. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
export const INDEX_FAILURES_ANNOTATION = 'batch.kubernetes.io/job-index-failure-count';
export const INDEX_IGNORED_FAILURES_ANNOTATION = 'batch.kubernetes.io/job-index-ignored-failure-count';
export const COMPLETION_INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** The series of failures, as JSON on the Job (job.md 2.7). */
export const BACKOFF_ANNOTATION = 'minutehand.dev/backoff';

/** What the API can write into a 32-bit field at most. */
export const LARGEST_INT32 = 2_147_483_647;

/** Of creates, of deletes and of pods being counted, in one pass (job.md 2.6, 2.13). */
export const MOST_PER_PASS = 500;
