/** Of kubectl: the object as it was last applied by a client. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Our annotations (design.md 6). */
export const ANNOTATION_PREFIX = 'minutehand.dev/';
export const SLOT_ANNOTATION = 'minutehand.dev/slot';
export const OWNER_UID_ANNOTATION = 'minutehand.dev/owner-uid';
export const FULL_NAME_ANNOTATION = 'minutehand.dev/full-name';
export const MANUAL_ANNOTATION = 'minutehand.dev/manual';
export const LAST_SCHEDULE_ANNOTATION = 'minutehand.dev/last-schedule-time';
export const DST_ANNOTATION = 'minutehand.dev/dst';
export const ACKNOWLEDGE_ANNOTATION = 'minutehand.dev/acknowledge';
export const LAST_COMPLETED_ANNOTATION = 'minutehand.dev/last-completed';
