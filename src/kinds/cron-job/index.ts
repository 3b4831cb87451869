import { issueFinding } from '#api/issue-finding.ts';
import { JOB_SPEC_FIELDS } from '#api/job-fields.ts';
import { jobPhase } from '#api/job-phase.ts';
import { checkJobTemplate } from '#api/job-template.ts';
import { managerWarnings } from '#api/managed-by.ts';
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
import { lifecycle } from './lifecycle.ts';
import { readRun } from './observe.ts';
import { CRON_JOB } from './resources.ts';
import { CronJobBody, CronJobSpec, DEFAULTS } from './schema.ts';
import { moveAnchor, STATUS_FIELDS, settleCronJob } from './status.ts';
import { timingOf } from './timing.ts';

const ID = 'cron-job';
/** The API refuses longer names on create; stored ones are acted on while the Job's name fits (decision 8). */
const MAX_NAME = 52;
const MAX_RUN_NAME = 63;
const RUN_SUFFIX = 9;

function nameFindings(name: string): Finding[] {
  if (name.length <= MAX_NAME) return [];
  const tooLong = name.length + RUN_SUFFIX > MAX_RUN_NAME;
  return [
    {
      code: 'NameTooLong',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `metadata.name has ${name.length} characters: must be no more than ${MAX_NAME} characters`,
      why: tooLong
        ? `the names of its Jobs would exceed ${MAX_RUN_NAME} characters`
        : 'the API server refuses such a name on create; a stored one still works',
      fix: `shorten the name by ${name.length - MAX_NAME}`,
    },
  ];
}

function templateFindings(spec: JsonObject): {
  readonly findings: readonly Finding[];
  readonly blocking: boolean;
} {
  const path = ['spec', 'jobTemplate'];
  if (spec.jobTemplate === undefined || spec.jobTemplate === null) {
    // A cluster cannot hold such an object; a preview can still say when it would fire.
    return {
      findings: [
        {
          code: 'InvalidField',
          severity: 'error',
          path,
          what: 'spec.jobTemplate is required',
          fix: 'add the Job that each slot starts',
        },
      ],
      blocking: false,
    };
  }
  const issues = checkJobTemplate(spec.jobTemplate, path);
  const findings = issues.map(issueFinding);
  return { findings, blocking: findings.length > 0 };
}

function warnings(spec: JsonObject, parsed: CronJobSpec, settings: Settings): Finding[] {
  const template = isObject(spec.jobTemplate) && isObject(spec.jobTemplate.spec) ? spec.jobTemplate.spec : {};
  const path = ['spec', 'jobTemplate', 'spec', 'ttlSecondsAfterFinished'];
  return [
    // Of an observed CronJob the raw rule is foretold, without any grace (decision 3).
    ...deadlineWarnings(parsed.startingDeadlineSeconds, isManaged(settings) ? settings.graceSeconds : 0),
    ...lifetimeWarnings(template.ttlSecondsAfterFinished, path),
    ...managerWarnings(template, path.slice(0, -1)),
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
  const template = templateFindings(spec);
  const errors = [...names, ...template.findings, ...anchor.findings];
  const readable = (timing: TimingFields): TimingSource =>
    timingOf(object, timing, anchor.at, { settings, managed: isManaged(settings) });
  if (!parsed.success) {
    const findings = [...zodFindings(parsed.error.issues, spec, ['spec']), ...errors];
    const timing = timingFields(spec);
    return { state: 'invalid', findings, ...(timing === undefined ? {} : { timing: readable(timing) }) };
  }
  const tooLong = object.metadata.name.length + RUN_SUFFIX > MAX_RUN_NAME;
  if (tooLong || template.blocking || anchor.unreadable) {
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
      const name = manualName(object.metadata.name, at, MAX_RUN_NAME);
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
