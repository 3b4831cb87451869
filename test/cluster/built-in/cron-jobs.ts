import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import type { CreateBody } from '#test/cluster/world/api.ts';
import { civilTime } from './civil-time.ts';
import { FULL_TEMPLATE, jobTemplate } from './job-template.ts';

/** The thirty that both sides are to treat alike. */
export const NAMESPACE = 'beside';
/** Those that are known to be treated otherwise. */
export const APART = 'apart';

/** Beside each of these a Job runs that was made by hand. */
export const WITH_MANUAL_JOB = 'forbid-beside-manual';

export const PAST_DEADLINE = 'forbid-past-deadline';
/** In seconds: when its Job of one minute ends, the slot that it held back is too late. */
export const SHORT_DEADLINE = 20;

const EVERY_MINUTE = '* * * * *';
/** As long as a name of a CronJob may be. */
const LONG_NAME = 'overlaps-with-a-name-of-exactly-fifty-two-characters';
const KOLKATA = 'Asia/Kolkata';
const KATHMANDU = 'Asia/Kathmandu';
const NEW_YORK = 'America/New_York';
const KIRITIMATI = 'Pacific/Kiritimati';

function cronJob(namespace: string, name: string, spec: JsonObject): CreateBody {
  return {
    apiVersion: apiVersionOf(CRON_JOB),
    kind: CRON_JOB.kind,
    metadata: { name, namespace },
    spec: { schedule: EVERY_MINUTE, jobTemplate: jobTemplate('never'), ...spec },
  };
}

/** @param first the first of the slots that are looked at, in seconds since the epoch */
function specs(first: number): Readonly<Record<string, JsonObject>> {
  const minuteOf = (index: number, zone?: string): number => civilTime(first + index * 60, zone).minute;
  const kolkata = civilTime(first + 60, KOLKATA);
  const hours = [civilTime(first, KATHMANDU).hour, civilTime(first + 120, KATHMANDU).hour];
  const newYork = civilTime(first, NEW_YORK);
  const far = civilTime(first + 6 * 3600);
  const succeeds = jobTemplate('Succeeded');
  const fails = jobTemplate('Failed');
  return {
    // Schedules.
    'every-minute': {},
    'every-two': { schedule: '*/2 * * * *', jobTemplate: succeeds },
    'list-of-steps': { schedule: '0-59/3,1-59/3 * * * *' },
    'first-and-third': { schedule: `${minuteOf(0)},${minuteOf(2)} * * * *`, jobTemplate: succeeds },
    'names-and-question-marks': { schedule: '? * ? jan-DEC Sun-SAT', jobTemplate: succeeds },
    hourly: { schedule: '@hourly' },
    later: { schedule: `${far.minute} ${far.hour} * * *` },
    never: { schedule: '0 0 31 2 *' },
    // Zones.
    'zone-one-slot': { timeZone: KOLKATA, schedule: `${kolkata.minute} ${kolkata.hour} * * *` },
    'zone-hours': { timeZone: KATHMANDU, schedule: `* ${hours.join(',')} * * *` },
    'zone-date': { timeZone: NEW_YORK, schedule: `* * ${newYork.day} ${newYork.month} *` },
    // Either of the two days is enough, and the day of the month is a week off.
    'zone-either-day': {
      timeZone: KIRITIMATI,
      schedule: `* * ${civilTime(first + 7 * 86_400, KIRITIMATI).day} * ${civilTime(first, KIRITIMATI).weekday}`,
    },
    // Concurrency.
    succeeds: { jobTemplate: succeeds },
    fails: { jobTemplate: fails },
    [LONG_NAME]: { concurrencyPolicy: 'Allow', jobTemplate: jobTemplate('Succeeded', 1) },
    'forbid-running': { concurrencyPolicy: 'Forbid', jobTemplate: jobTemplate('Succeeded', 1_000_000) },
    'forbid-succeeds': { concurrencyPolicy: 'Forbid', jobTemplate: succeeds },
    'forbid-fails': { concurrencyPolicy: 'Forbid', jobTemplate: fails },
    'forbid-suspended-job': {
      concurrencyPolicy: 'Forbid',
      jobTemplate: jobTemplate('never', 0, { suspend: true }),
    },
    [WITH_MANUAL_JOB]: { concurrencyPolicy: 'Forbid', jobTemplate: succeeds },
    [PAST_DEADLINE]: {
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: SHORT_DEADLINE,
      jobTemplate: jobTemplate('Succeeded', 1),
    },
    'replace-running': { concurrencyPolicy: 'Replace' },
    'replace-succeeds': {
      concurrencyPolicy: 'Replace',
      startingDeadlineSeconds: 3600,
      jobTemplate: succeeds,
    },
    // Nobody works on these Jobs, so that they stay active.
    'replace-managed-elsewhere': {
      concurrencyPolicy: 'Replace',
      jobTemplate: jobTemplate('never', 0, { managedBy: 'example.com/runner' }),
    },
    // Suspension, deadline, history, template.
    suspended: { suspend: true },
    'deadline-under-a-minute': { startingDeadlineSeconds: 40 },
    'keeps-none': { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0, jobTemplate: succeeds },
    'keeps.one': { successfulJobsHistoryLimit: 1, jobTemplate: succeeds },
    'keeps-two-failures': { failedJobsHistoryLimit: 2, jobTemplate: fails },
    'full-template': { jobTemplate: FULL_TEMPLATE },
  };
}

export function cronJobs(first: number): readonly CreateBody[] {
  return Object.entries(specs(first)).map(([name, spec]) => cronJob(NAMESPACE, name, spec));
}

/** The names of those that are known to be treated otherwise. */
export const LOST_BY_ESTIMATE = 'two-in-a-row';
export const WITHIN_THE_GRACE = 'deadline-within-the-grace';

/**
 * Both are suspended until the controller comes back.
 *
 * The slots of the first are one minute apart, and the next two an hour later: the built-in controller takes the first
 * gap for all of them and finds no slot, where the second one is still owed. The slot of the other is then past its
 * deadline, but within the time that our tick forgives.
 *
 * @param lastSlot the last of the slots that are looked at
 */
export function cronJobsApart(first: number, lastSlot: number): readonly CreateBody[] {
  const [one, two, end] = [first, first + 60, lastSlot].map((slot) => civilTime(slot).minute);
  return [
    cronJob(APART, LOST_BY_ESTIMATE, { schedule: `${one},${two} * * * *`, suspend: true }),
    cronJob(APART, WITHIN_THE_GRACE, {
      schedule: `${end} * * * *`,
      startingDeadlineSeconds: 30,
      suspend: true,
    }),
  ];
}
