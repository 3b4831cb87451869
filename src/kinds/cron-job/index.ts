import { JOB_SPEC_FIELDS } from '#api/job-fields.ts';
import { hostNameRoom } from '#api/job-name.ts';
import { jobPhase } from '#api/job-phase.ts';
import { nameWarnings } from '#api/name-findings.ts';
import { JOB } from '#api/resources.ts';
import { zodFindings } from '#api/zod-findings.ts';
import { type Anchor, anchorOf } from '#core/anchor.ts';
import type { Finding, OpenContext, Opened, Schedule, ScheduleKind, Settings } from '#core/kind.ts';
import { DST_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { controlledRuns, controllerKeys } from '#core/object/owner.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import { manualName } from '#core/run/manual-name.ts';
import { oneRun } from '#core/run/plan.ts';
import { deadlineWarnings, lifetimeWarnings } from '#core/spec-warnings.ts';
import type { TimingSource } from '#core/timing-source.ts';
import { buildManualRun, buildRun, runName } from './build.ts';
import { foretellCronJob } from './estimate.ts';
import { leavesNoRoom, MAX_RUN_NAME, nameFindings, templateFindings } from './findings.ts';
import { lifecycle } from './lifecycle.ts';
import { readRun } from './observe.ts';
import { CRON_JOB } from './resources.ts';
import { CronJobBody, CronJobSpec, DEFAULTS } from './schema.ts';
import { moveAnchor, STATUS_FIELDS, settleCronJob } from './status.ts';
import { timingOf } from './timing.ts';

const ID = 'cron-job';
function jobSpecOf({ jobTemplate }: JsonObject): JsonObject {
  return isObject(jobTemplate) && isObject(jobTemplate.spec) ? jobTemplate.spec : {};
}

function warnings(spec: JsonObject, parsed: CronJobSpec, settings: Settings): Finding[] {
  const template = jobSpecOf(spec);
  const path = ['spec', 'jobTemplate', 'spec', 'ttlSecondsAfterFinished'];
  return [
    // Of an observed CronJob the raw rule is foretold, without any grace (decision 3).
    ...deadlineWarnings(parsed.startingDeadlineSeconds, isManaged(settings) ? settings.graceSeconds : 0),
    ...lifetimeWarnings(template.ttlSecondsAfterFinished, path),
  ];
}

function isManaged(settings: Settings): boolean {
  return settings.writers[ID] === 'manage';
}

/** Nulls of the first level count as absent; the template's rules read null so by themselves. */
function specOf(object: KubeObject): JsonObject {
  const spec = isObject(object.spec) ? object.spec : {};
  const kept = Object.entries(spec).filter(([, value]) => value !== null);
  return kept.length === Object.keys(spec).length ? spec : Object.fromEntries(kept);
}

/** One finding for a spec that is none, instead of one for every field that it lacks. */
function noSpec(object: KubeObject, anchor: Anchor): Finding[] {
  const { spec } = object;
  const body = spec === undefined || spec === null ? {} : { spec };
  const issues = CronJobBody.safeParse(body).error?.issues ?? [];
  return [...zodFindings(issues, body, []), ...anchor.findings];
}

type TimingFields = Pick<CronJobSpec, 'schedule' | 'timeZone'>;

/** Beside other faults the schedule is still worth a look. */
function timingFields({ schedule, timeZone }: JsonObject): TimingFields | undefined {
  if (typeof schedule !== 'string' || schedule === '') return undefined;
  if (timeZone === undefined) return { schedule };
  return typeof timeZone === 'string' ? { schedule, timeZone } : undefined;
}

/** A word that is not known would change nothing, and be noticed in the night when the clocks change. */
function dstFindings(object: KubeObject): Finding[] {
  const value = object.metadata.annotations?.[DST_ANNOTATION];
  if (value === undefined || value === 'safe') return [];
  const what = `the annotation ${DST_ANNOTATION} is ${JSON.stringify(value.slice(0, 40))}, which has no effect`;
  return [
    {
      code: 'InvalidField',
      severity: 'warning',
      path: ['metadata', 'annotations', DST_ANNOTATION],
      what,
      fix: 'write safe, or remove it',
    },
  ];
}

function openCronJob(object: KubeObject, { settings, now }: OpenContext): Opened {
  const spec = specOf(object);
  const anchor = anchorOf(object, now);
  if (!isObject(object.spec)) return { state: 'invalid', findings: noSpec(object, anchor) };
  const parsed = CronJobSpec.safeParse(spec);
  const names = nameFindings(object.metadata.name);
  const template = templateFindings(spec, object.metadata.name);
  const errors = [...names, ...template.findings, ...anchor.findings];
  const readable = (timing: TimingFields): TimingSource =>
    timingOf(object, timing, anchor.at, { settings, managed: isManaged(settings) });
  if (!parsed.success) {
    const findings = [...zodFindings(parsed.error.issues, spec, ['spec']), ...errors];
    const timing = timingFields(spec);
    return { state: 'invalid', findings, ...(timing === undefined ? {} : { timing: readable(timing) }) };
  }
  if (leavesNoRoom(object.metadata.name) || template.blocking || anchor.unreadable) {
    return { state: 'invalid', findings: errors, timing: readable(parsed.data) };
  }
  const findings = [
    ...errors,
    ...nameWarnings(object.metadata.name),
    ...dstFindings(object),
    ...warnings(spec, parsed.data, settings),
  ];
  return { state: 'open', schedule: scheduleOf(object, parsed.data, { anchor, settings, findings }) };
}

interface Reading {
  readonly anchor: Anchor;
  readonly settings: Settings;
  readonly findings: readonly Finding[];
}

function scheduleOf(object: KubeObject, spec: CronJobSpec, context: Reading): Schedule {
  const { anchor, settings } = context;
  const deadline = spec.startingDeadlineSeconds;
  const managed = isManaged(settings);
  const seconds = deadline === undefined ? undefined : Math.max(deadline, settings.graceSeconds);
  return {
    object,
    suspended: spec.suspend === true,
    concurrency: spec.concurrencyPolicy ?? 'Allow',
    timing: timingOf(object, spec, anchor.at, { settings, managed }),
    anchor: anchor.at,
    anchorFrom: anchor.from,
    resumed: false,
    history: [
      {
        phases: ['succeeded'],
        limit: spec.successfulJobsHistoryLimit ?? DEFAULTS.successfulJobsHistoryLimit,
      },
      { phases: ['failed'], limit: spec.failedJobsHistoryLimit ?? DEFAULTS.failedJobsHistoryLimit },
    ],
    findings: context.findings,
    readRun: (job) => readRun(job, object),
    lanes: () => [],
    absent: () => [],
    recordedFailures: undefined,
    recordedSuccess: timeOf(readTime(object.status, 'lastSuccessfulTime')),
    judged: () => () => true,
    isRunName: (name, slot) => name === runName(object.metadata.name, slot),
    planRuns: (slot, timing) =>
      oneRun(runName(object.metadata.name, slot), () => buildRun(object, slot, timing)),
    manualRuns: (at) => {
      const room = hostNameRoom(jobSpecOf(specOf(object)));
      const name = manualName(object.metadata.name, at, MAX_RUN_NAME - room);
      return oneRun(name, () => buildManualRun(object, name));
    },
    settle: (input) => settleCronJob(object, input, { anchor: anchor.at, now: input.now, seconds }),
    foretell: (decision, now) => foretellCronJob(decision, { anchor: anchor.at, now, seconds: deadline }),
    moveAnchor,
    ...controlledRuns(object),
    ...(deadline === undefined ? {} : { deadlineSeconds: deadline }),
  };
}

export const cronJob: ScheduleKind = {
  id: ID,
  resource: CRON_JOB,
  run: JOB,
  knownFields: {
    spec: [...Object.keys(CronJobSpec.shape), 'jobTemplate'],
    'spec.jobTemplate': ['metadata', 'spec'],
    'spec.jobTemplate.spec': JOB_SPEC_FIELDS,
    'spec.jobTemplate.spec.template': ['metadata', 'spec'],
  },
  defaults: {
    '/spec/suspend': false,
    '/spec/concurrencyPolicy': 'Allow',
    '/spec/successfulJobsHistoryLimit': DEFAULTS.successfulJobsHistoryLimit,
    '/spec/failedJobsHistoryLimit': DEFAULTS.failedJobsHistoryLimit,
  },
  rules: {
    suspendedSlots: 'owed',
    heldSlots: 'kept',
    exactlyOnDeadline: 'expired',
    expiredBacklog: 'superseded',
    prunes: 'always',
    // A bad schedule stays silent while suspended, a bad zone does not (cron-job.md 1.5, steps 6 to 9).
    suspendHides: ['InvalidSchedule', 'UnsupportedSchedule'],
    writer: 'observe',
    otherWriter: 'the built-in CronJob controller',
    maxRunName: MAX_RUN_NAME,
    statusFields: STATUS_FIELDS,
    ownedBy: 'controller',
    terminatingRuns: 'hold',
    replaces: 'any',
    deleteMarks: {},
  },
  suspension: { field: ['suspend'] },
  referents: [],
  isSameTarget: () => true,
  mayPrune: (job) => ['succeeded', 'failed'].includes(jobPhase(job)),
  runKeys: controllerKeys,
  phaseOf: jobPhase,
  lifecycle,
  open: openCronJob,
};
