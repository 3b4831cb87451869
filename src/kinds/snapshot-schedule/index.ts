import { jobPhase } from '#api/job-phase.ts';
import { readLabelSelector } from '#api/label-selector.ts';
import { nameWarnings } from '#api/name-findings.ts';
import { JOB } from '#api/resources.ts';
import type { Finding, OpenContext, Opened, Schedule, ScheduleKind } from '#core/kind.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { KubeObject } from '#core/object/object.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import { type Instant, instant, later } from '#core/time/instant.ts';
import { wasSuspended } from './conditions.ts';
import { effectiveValues } from './defaults.ts';
import { planSnapshots } from './fan-out.ts';
import { isJudged } from './judge.ts';
import { lanesOf } from './lanes.ts';
import { lifecycle } from './lifecycle.ts';
import { slotStamp } from './names.ts';
import {
  isSurplus,
  ownKeys,
  phaseOf,
  policyKey,
  policyOf,
  readByHand,
  readOther,
  readRun,
  runKeys,
} from './observe.ts';
import { instantOf, isArmed, type SlotField, slotField, whatChanged } from './pin.ts';
import { REFERENTS } from './referents.ts';
import { PRUNED_BY, SCHEDULE, SNAPSHOT } from './resources.ts';
import { isCandidate, retainedBy, retention } from './retention.ts';
import { admissionFindings, parseSpec, sharedFindings } from './rules.ts';
import { DEFAULTS, Deletion, PolicyRef, ScheduleSpec, Timetable } from './schema.ts';
import { settleSchedule } from './settle.ts';
import { judgeRuns, moveAnchor, type Reading, recordedFailures, STATUS_FIELDS } from './status.ts';
import {
  absentPolicies,
  isSuspended,
  missingTargets,
  type Targets,
  targetsOf,
  unmatchedSelector,
} from './targets.ts';
import { readableTiming, timingOf } from './timing.ts';

/** A pin or a creation that cannot be read is told; neither starts anything. */
function timeFindings(object: KubeObject, pin: SlotField | undefined): Finding[] {
  const created = readTimeValue(object.metadata.creationTimestamp);
  const garbage = (path: readonly string[], shown: string, why: string): Finding => ({
    code: 'InvalidTimestamp',
    severity: 'error',
    path,
    what: `${path.join('.')} is ${shown}, which is not an RFC 3339 time`,
    why,
    fix: 'write a time such as 2026-11-29T03:00:00Z, or remove the field',
  });
  const at = ['status', 'nextSchedule', 'at'];
  return [
    ...(pin?.at.state === 'garbage'
      ? [
          garbage(
            at,
            pin.at.shown,
            'the next slot is computed anew, and slots of the past are not made up for',
          ),
        ]
      : []),
    ...(created.state === 'garbage'
      ? [
          garbage(
            ['metadata', 'creationTimestamp'],
            created.shown,
            'nobody can tell when the object was created',
          ),
        ]
      : []),
  ];
}

/** A status that no API server would hold: taking it for absent would forget what was settled. */
function oddStatus({ status }: KubeObject): Finding[] {
  if (status === undefined || status === null || isObject(status)) return [];
  return [
    {
      code: 'InvalidField',
      severity: 'error',
      path: ['status'],
      what: `status is ${JSON.stringify(status).slice(0, 60)}, which is not an object`,
      why: 'what was last settled cannot be told, and is never taken for nothing',
      fix: 'restore the status, or remove it if the schedule never ran',
    },
  ];
}

function openSchedule(object: KubeObject, context: OpenContext): Opened {
  const value = withoutNulls(object.spec ?? {});
  const parsed = parseSpec(value);
  const pin = slotField(object.status, 'nextSchedule');
  const times = [...oddStatus(object), ...timeFindings(object, pin)];
  if (!parsed.ok) {
    const { readable } = parsed;
    const rest =
      readable === undefined
        ? []
        : [
            ...sharedFindings(readable, object.metadata.namespace),
            ...admissionFindings(readable, context.settings),
          ];
    return { state: 'invalid', findings: [...parsed.findings, ...rest, ...times], ...readableTiming(value) };
  }
  const { spec } = parsed;
  const shared = sharedFindings(spec, object.metadata.namespace);
  const admission = admissionFindings(spec, context.settings);
  const blocking = [...shared, ...oddStatus(object)];
  if (blocking.length > 0) {
    return { state: 'invalid', findings: [...shared, ...admission, ...times], ...readableTiming(value) };
  }
  const findings = [...admission, ...times, ...nameWarnings(object.metadata.name)];
  return { state: 'open', schedule: scheduleOf(object, spec, pin, { context, findings }) };
}

function aimOf(spec: ScheduleSpec): Parameters<typeof targetsOf>[2] {
  if (spec.policyRef !== undefined) return { policy: spec.policyRef.name };
  return { matches: readLabelSelector(spec.policySelector, ['spec', 'policySelector']).matches };
}

/** Where the debt of the schedule begins: at its creation, its pin, or now. */
type Debt = Pick<Schedule, 'anchor' | 'anchorFrom' | 'pin'> & { readonly repins: boolean };

function debtOf(
  object: KubeObject,
  spec: ScheduleSpec,
  pin: SlotField | undefined,
  stale: boolean,
  now: Instant,
): Debt {
  const { runOnCreate = false, suspend = false } = spec.schedule;
  const created = timeOf(readTimeValue(object.metadata.creationTimestamp));
  if (runOnCreate && !suspend && created !== undefined && isArmed(object)) {
    // Neither deadline nor own runs stop it, and whatever falls due meanwhile collapses into it (D15, D33).
    const first = { at: created, alone: true, besideOwn: true } as const;
    return { anchor: instant(created - 1), anchorFrom: 'creation', pin: first, repins: false };
  }
  const at = instantOf(pin);
  const last = instantOf(slotField(object.status, 'lastSchedule'));
  if (at === undefined || stale) return { anchor: later(now, last), anchorFrom: 'now', repins: true };
  // A pin without a recorded expression is the only candidate (D28).
  const alone = pin?.cron === undefined;
  return { anchor: later(instant(at - 1), last), anchorFrom: 'pin', pin: { at, alone }, repins: false };
}

/** The policies that a slot is for; other runs of theirs hold it. */
function policyNames(targets: Targets): readonly string[] {
  if (targets.form === 'unknown') return [];
  return targets.targets.filter((target) => !isSuspended(target)).map(({ name }) => name);
}

interface Opening {
  readonly context: OpenContext;
  readonly findings: readonly Finding[];
}

function scheduleOf(
  object: KubeObject,
  spec: ScheduleSpec,
  pin: SlotField | undefined,
  { context, findings }: Opening,
): Schedule {
  const { now, referents } = context;
  const { name, namespace, uid } = object.metadata;
  const { cron, timezone, jitter, suspend = false, startingDeadlineSeconds } = spec.schedule;
  const targets = targetsOf(referents, namespace ?? '', aimOf(spec));
  const recorded = { timezone: pin?.timezone, jitter: pin?.jitter };
  const effective = effectiveValues({ timezone, jitter, recorded }, referents, targets);
  const voidedBy = pin === undefined ? undefined : whatChanged(pin, cron, effective);
  const { repins, ...debt } = debtOf(object, spec, pin, voidedBy !== undefined, now);
  const onCreate = debt.anchorFrom === 'creation';
  const deadline = onCreate ? undefined : startingDeadlineSeconds;
  const policies = (): readonly string[] => policyNames(targets);
  let policySet: ReadonlySet<string> | undefined;
  const reading: Reading = {
    schedule: object,
    cron,
    suspended: suspend,
    deadlineSeconds: deadline,
    effective,
    repins,
    voidedBy,
    missing: missingTargets(targets),
    unmatched: unmatchedSelector(targets),
    targetsKnown: targets.form !== 'unknown',
    single: spec.policyRef !== undefined,
  };
  return {
    object,
    suspended: suspend,
    concurrency: spec.schedule.concurrencyPolicy ?? DEFAULTS.concurrencyPolicy,
    // What is pinned now, for the first time or anew, lies behind a base slot to come (snapshot-schedule.md 2.1).
    timing: timingOf(cron, effective, uid ?? name, repins ? debt.anchor : onCreate ? now : undefined),
    resumed: !suspend && !repins && !onCreate && wasSuspended(object),
    history: [{ phases: ['failed'], limit: spec.failedJobsHistoryLimit ?? DEFAULTS.failedJobsHistoryLimit }],
    lanes: (run) => lanesOf(targets, run),
    absent: () => absentPolicies(object, targets, referents),
    recordedFailures: recordedFailures(object),
    recordedSuccess: instantOf(slotField(object.status, 'lastSuccessfulSchedule')),
    findings,
    ownKeys: ownKeys(object),
    otherKeys: () => policies().map((policy) => policyKey(namespace, policy)),
    retainedBy: () => retainedBy(targets),
    readRun: (run) => readRun(run, object),
    readOther: (run) => {
      policySet ??= new Set(policies());
      return readOther(run, object, policySet);
    },
    readByHand: (run) => readByHand(run, object),
    judged: (runs) => {
      const judgement = judgeRuns(object, runs, undefined);
      return (run) => isJudged(run, judgement);
    },
    isRunName: (run, slot) => run.includes(slotStamp(slot)),
    planRuns: (slot) => planSnapshots(object, targets, referents, { at: slot }),
    manualRuns: (at) => planSnapshots(object, targets, referents, { at, byHand: true }),
    settle: (input) => settleSchedule(input, reading),
    foretell: () => [],
    moveAnchor: (fresh, settled) => moveAnchor(fresh, settled, reading, now),
    ...debt,
    ...(deadline === undefined ? {} : { deadlineSeconds: deadline }),
  };
}

export const snapshotSchedule: ScheduleKind = {
  id: 'snapshot-schedule',
  resource: SCHEDULE,
  run: SNAPSHOT,
  referents: REFERENTS,
  workload: { resource: JOB, phaseOf: jobPhase },
  retention,
  knownFields: {
    spec: Object.keys(ScheduleSpec.shape),
    'spec.policyRef': Object.keys(PolicyRef.shape),
    'spec.policySelector': ['matchLabels', 'matchExpressions'],
    'spec.schedule': Object.keys(Timetable.shape),
    'spec.deletion': Object.keys(Deletion.shape),
  },
  defaults: {
    '/spec/schedule/suspend': false,
    '/spec/schedule/runOnCreate': false,
    '/spec/schedule/concurrencyPolicy': DEFAULTS.concurrencyPolicy,
    '/spec/failedJobsHistoryLimit': DEFAULTS.failedJobsHistoryLimit,
  },
  rules: {
    suspendedSlots: 'consumed',
    heldSlots: 'kept',
    exactlyOnDeadline: 'wanted',
    expiredBacklog: 'skipped',
    // A violation stops the schedule, its prunes included (2.2); deleting it affects no run (D2).
    prunes: 'whileValid',
    suspendHides: [],
    writer: 'manage',
    otherWriter: 'the kopiur operator',
    maxRunName: 63,
    statusFields: STATUS_FIELDS,
    // D2: no owner reference, so that deleting a schedule leaves its runs alone.
    ownedBy: 'controllerOrMark',
    terminatingRuns: 'ignored',
    replaces: 'earlierSlots',
    deleteMarks: {
      Replaced: { [PRUNED_BY]: 'replaced-run' },
      HistoryLimit: { [PRUNED_BY]: 'failed-history' },
      Retention: { [PRUNED_BY]: 'retention' },
    },
  },
  suspension: { field: ['schedule', 'suspend'] },
  isSameTarget: (existing, wanted) =>
    policyOf(existing) === policyOf(wanted) &&
    ['source', 'repository'].every((field) =>
      sameValue(
        (isObject(existing.spec) ? existing.spec[field] : undefined) ?? null,
        (isObject(wanted.spec) ? wanted.spec[field] : undefined) ?? null,
      ),
    ),
  mayPrune: (run, reason) => (reason === 'Retention' ? isCandidate(run) : isSurplus(run)),
  runKeys,
  phaseOf,
  lifecycle,
  open: openSchedule,
};
