import { absentApplication, absentClass } from '#api/backups/absent.ts';
import { MAX_BACKUP_JOB_NAME, MAX_PLAN_NAME } from '#api/backups/name-limits.ts';
import { APPLICATION_GROUP, TypedReference } from '#api/backups/reference.ts';
import { BACKUP_CLASS, BACKUP_JOB } from '#api/backups/resources.ts';
import { nameWarnings } from '#api/name-findings.ts';
import { zodFindings } from '#api/zod-findings.ts';
import { type Anchor, anchorOf } from '#core/anchor.ts';
import type { Finding, OpenContext, Opened, Schedule, ScheduleKind } from '#core/kind.ts';
import { LAST_SCHEDULE_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { controlledRuns, controllerKeys } from '#core/object/owner.ts';
import { manualName } from '#core/run/manual-name.ts';
import { oneRun } from '#core/run/plan.ts';
import { instant, parseInstant } from '#core/time/instant.ts';
import { buildRun, runName } from './build.ts';
import { lifecycle } from './lifecycle.ts';
import { phaseOf, readRun } from './observe.ts';
import { PLAN } from './resources.ts';
import { PlanSchedule, PlanSpec } from './schema.ts';
import { moveAnchor, STATUS_FIELDS, settlePlan } from './status.ts';
import { timingOf } from './timing.ts';

const ID = 'backup-plan';
/** How far back a Plan looks that nobody knows the age of (backups.md decision 4). */
const UNKNOWN_AGE_SECONDS = 300;

function nameFindings(name: string): Finding[] {
  if (name.length <= MAX_PLAN_NAME) return [];
  return [
    {
      code: 'NameTooLong',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `metadata.name has ${name.length} characters, at most ${MAX_PLAN_NAME} are allowed`,
      why: 'a BackupJob adds nine characters, the batch Job of its backup seven more, and that must fit a label value of 63',
      fix: `shorten the name by ${name.length - MAX_PLAN_NAME}`,
    },
  ];
}

/** Beside other faults the schedule is still worth a look. */
function readableTiming(spec: Json): Pick<Extract<Opened, { readonly state: 'invalid' }>, 'timing'> {
  const schedule = isObject(spec) ? spec.schedule : undefined;
  const parsed = PlanSchedule.safeParse(schedule);
  return parsed.success && textMember(schedule, 'cron') !== undefined
    ? { timing: timingOf(parsed.data) }
    : {};
}

/** The later one of creation and what was last settled; an assumed creation says little of the age of a Plan. */
function planAnchor(object: KubeObject, { now, assumedCreation }: OpenContext): Anchor {
  const anchor = anchorOf(object, now, LAST_SCHEDULE_ANNOTATION);
  const { creationTimestamp } = object.metadata;
  if (assumedCreation === true || creationTimestamp === undefined) {
    return anchor.from === 'creation'
      ? { ...anchor, at: instant(anchor.at - UNKNOWN_AGE_SECONDS), from: 'assumed' }
      : anchor;
  }
  const created = parseInstant(creationTimestamp);
  return created !== undefined && created > anchor.at ? { ...anchor, at: created, from: 'creation' } : anchor;
}

function openPlan(object: KubeObject, context: OpenContext): Opened {
  const spec = withoutNulls(object.spec ?? {});
  const parsed = PlanSpec.safeParse(spec);
  const anchor = planAnchor(object, context);
  const names = nameFindings(object.metadata.name);
  if (!parsed.success) {
    const findings = [...names, ...zodFindings(parsed.error.issues, spec, ['spec']), ...anchor.findings];
    return { state: 'invalid', findings, ...readableTiming(spec) };
  }
  if (names.length > 0 || anchor.unreadable)
    return {
      state: 'invalid',
      findings: [...names, ...anchor.findings],
      timing: timingOf(parsed.data.schedule),
    };
  const findings = [...anchor.findings, ...nameWarnings(object.metadata.name)];
  return { state: 'open', schedule: scheduleOf(object, parsed.data, { ...anchor, findings }, context) };
}

function scheduleOf(
  object: KubeObject,
  spec: PlanSpec,
  anchor: Anchor,
  { settings, referents }: OpenContext,
): Schedule {
  const deadline = settings.deadlines?.[ID];
  const { name } = object.metadata;
  return {
    object,
    suspended: false,
    // Decision 6: a BackupJob is created whatever runs.
    concurrency: 'Allow',
    timing: timingOf(spec.schedule),
    anchor: anchor.at,
    anchorFrom: anchor.from,
    resumed: false,
    history: [],
    recordedSuccess: undefined,
    recordedFailures: undefined,
    findings: anchor.findings,
    lanes: () => [
      { group: BACKUP_CLASS.group, kind: BACKUP_CLASS.kind, namespace: '', name: spec.backupClassName },
    ],
    absent: () => [
      ...absentClass(spec, referents),
      ...absentApplication(spec.applicationRef, {
        namespace: object.metadata.namespace ?? '',
        path: ['spec', 'applicationRef'],
        referents,
      }),
    ],
    readRun: (run) => readRun(run, object),
    judged: () => () => true,
    isRunName: (run, slot) => run === runName(name, slot),
    planRuns: (slot) => {
      const run = runName(name, slot);
      return oneRun(run, () => buildRun(object, spec, { name: run, slot }));
    },
    manualRuns: (at) => {
      const run = manualName(name, at, MAX_BACKUP_JOB_NAME);
      return oneRun(run, () => buildRun(object, spec, { name: run, slot: undefined }));
    },
    settle: (input) => settlePlan(object, input),
    foretell: () => [],
    moveAnchor,
    ...controlledRuns(object),
    ...(deadline === undefined ? {} : { deadlineSeconds: deadline }),
  };
}

export const backupPlan: ScheduleKind = {
  id: ID,
  resource: PLAN,
  run: BACKUP_JOB,
  deadlineSection: 'plan',
  knownFields: {
    spec: Object.keys(PlanSpec.shape),
    'spec.applicationRef': Object.keys(TypedReference.shape),
    'spec.schedule': Object.keys(PlanSchedule.shape),
  },
  defaults: { '/spec/applicationRef/apiGroup': APPLICATION_GROUP, '/spec/schedule/type': 'cron' },
  rules: {
    suspendedSlots: 'none',
    heldSlots: 'kept',
    exactlyOnDeadline: 'wanted',
    expiredBacklog: 'superseded',
    prunes: 'always',
    suspendHides: [],
    writer: 'manage',
    otherWriter: 'the backup controller of Cozystack',
    maxRunName: MAX_BACKUP_JOB_NAME,
    statusFields: STATUS_FIELDS,
    anchorAnnotation: { field: 'lastScheduleTime', annotation: LAST_SCHEDULE_ANNOTATION },
    ownedBy: 'controller',
    terminatingRuns: 'ignored',
    replaces: 'any',
    deleteMarks: {},
  },
  suspension: {
    field: undefined,
    instead:
      'give it a label and let the configuration select others, or delete it, which takes its BackupJobs along',
  },
  referents: [],
  isSameTarget: () => true,
  mayPrune: () => false,
  runKeys: controllerKeys,
  phaseOf,
  lifecycle,
  open: openPlan,
};
