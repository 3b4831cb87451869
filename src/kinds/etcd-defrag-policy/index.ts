import { dnsSubdomainProblem } from '#api/metadata.ts';
import { nameWarnings } from '#api/name-findings.ts';
import { zodFindings } from '#api/zod-findings.ts';
import { anchorOf } from '#core/anchor.ts';
import type { Finding, OpenContext, Opened, ScheduleKind, Settings } from '#core/kind.ts';
import { textMember } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, KubeObject, ObjectKey } from '#core/object/object.ts';
import { controlledRuns, controllerKeys } from '#core/object/owner.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import { manualName } from '#core/run/manual-name.ts';
import { oneRun } from '#core/run/plan.ts';
import { deadlineWarnings, lifetimeWarnings } from '#core/spec-warnings.ts';
import { ADVICE } from './advice.ts';
import { buildRun, runName } from './build.ts';
import { lifecycle } from './lifecycle.ts';
import { phaseOf, readRun } from './observe.ts';
import { DEFRAG, POLICY } from './resources.ts';
import { ruleFindings } from './rule.ts';
import { ClusterRef, DefragRule, PolicySpec } from './schema.ts';
import { moveAnchor, STATUS_FIELDS, settlePolicy } from './status.ts';
import { timingOf } from './timing.ts';

/** Decision 9: the run's name is the policy's, a hyphen and ten digits, and has to fit a label value. */
const MAX_NAME = 52;
const MAX_RUN_NAME = 63;

function nameFindings(name: string): Finding[] {
  if (name.length <= MAX_NAME) return [];
  return [
    {
      code: 'NameTooLong',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `metadata.name has ${name.length} characters, at most ${MAX_NAME} are allowed`,
      why: 'the name of a run is the name of its policy with eleven characters more, and must fit a label value of 63',
      fix: `shorten the name by ${name.length - MAX_NAME}`,
    },
  ];
}

function warnings(spec: PolicySpec, { graceSeconds }: Settings): Finding[] {
  return [
    ...deadlineWarnings(spec.startingDeadlineSeconds, graceSeconds),
    ...lifetimeWarnings(spec.ttlSecondsAfterFinished, ['spec', 'ttlSecondsAfterFinished']),
  ];
}

/** The cluster is an object of the same namespace, and its name becomes a label of the run. */
function clusterFindings(name: string): Finding[] {
  const problem = dnsSubdomainProblem(name);
  if (problem === undefined) return [];
  const what = `spec.clusterRef.name is ${JSON.stringify(name.slice(0, 60))}: ${problem}`;
  return [
    {
      code: 'InvalidField',
      severity: 'error',
      path: ['spec', 'clusterRef', 'name'],
      what,
      fix: ADVICE.cluster,
    },
  ];
}

/** Beside other faults the schedule is still worth a look. */
function readableTiming(spec: Json): Pick<Extract<Opened, { readonly state: 'invalid' }>, 'timing'> {
  const schedule = textMember(spec, 'schedule') ?? '';
  return schedule === '' ? {} : { timing: timingOf({ schedule }) };
}

function openPolicy(object: KubeObject, { settings, now }: OpenContext): Opened {
  const spec = withoutNulls(object.spec ?? {});
  const parsed = PolicySpec.safeParse(spec);
  const anchor = anchorOf(object, now);
  const names = nameFindings(object.metadata.name);
  if (!parsed.success) {
    return {
      state: 'invalid',
      findings: [...names, ...zodFindings(parsed.error.issues, spec, ['spec']), ...anchor.findings],
      ...readableTiming(spec),
    };
  }
  const findings = [
    ...names,
    ...clusterFindings(parsed.data.clusterRef.name),
    ...ruleFindings(parsed.data.rule),
  ];
  if (findings.length > 0 || anchor.unreadable)
    return { state: 'invalid', findings: [...findings, ...anchor.findings], timing: timingOf(parsed.data) };
  const told = [
    ...anchor.findings,
    ...nameWarnings(object.metadata.name),
    ...warnings(parsed.data, settings),
  ];
  return { state: 'open', schedule: scheduleOf(object, parsed.data, { ...anchor, findings: told }) };
}

/** Runs of one cluster do not go well together, whatever policy starts them. */
function clusterKey({ metadata: { namespace = '' } }: KubeObject, name: string): ObjectKey {
  return { group: POLICY.group, kind: 'EtcdCluster', namespace, name };
}

type OpenSchedule = Extract<Opened, { readonly state: 'open' }>['schedule'];

function scheduleOf(object: KubeObject, spec: PolicySpec, anchor: ReturnType<typeof anchorOf>): OpenSchedule {
  const suspended = spec.suspend === true;
  return {
    object,
    suspended,
    concurrency: spec.concurrencyPolicy ?? 'Forbid',
    timing: timingOf(spec),
    anchor: anchor.at,
    anchorFrom: anchor.from,
    resumed: !suspended && conditionOf(object.status, 'Active')?.reason === 'Suspended',
    history:
      spec.historyLimit === undefined ? [] : [{ phases: ['succeeded', 'failed'], limit: spec.historyLimit }],
    findings: anchor.findings,
    readRun: (run) => readRun(run, object),
    lanes: () => [clusterKey(object, spec.clusterRef.name)],
    absent: () => [],
    recordedFailures: undefined,
    recordedSuccess: timeOf(readTime(object.status, 'lastSuccessfulTime')),
    judged: () => () => true,
    isRunName: (name, slot) => name === runName(object.metadata.name, slot),
    planRuns: (slot) => {
      const name = runName(object.metadata.name, slot);
      return oneRun(name, () => buildRun(object, spec.clusterRef.name, { name, slot }));
    },
    manualRuns: (at) => {
      const name = manualName(object.metadata.name, at, MAX_RUN_NAME);
      return oneRun(name, () => buildRun(object, spec.clusterRef.name, { name, slot: undefined }));
    },
    settle: (input) => settlePolicy(object, input),
    foretell: () => [],
    moveAnchor,
    ...controlledRuns(object),
    ...(spec.startingDeadlineSeconds === undefined ? {} : { deadlineSeconds: spec.startingDeadlineSeconds }),
  };
}

export const etcdDefragPolicy: ScheduleKind = {
  id: 'etcd-defrag-policy',
  resource: POLICY,
  run: DEFRAG,
  knownFields: {
    spec: Object.keys(PolicySpec.shape),
    'spec.clusterRef': Object.keys(ClusterRef.shape),
    'spec.rule': Object.keys(DefragRule.shape),
  },
  defaults: { '/spec/suspend': false, '/spec/concurrencyPolicy': 'Forbid' },
  rules: {
    suspendedSlots: 'consumed',
    heldSlots: 'consumed',
    exactlyOnDeadline: 'wanted',
    expiredBacklog: 'superseded',
    prunes: 'always',
    // Upstream looks at suspension before it parses anything (etcd-defrag-policy.md A.6, step 5).
    suspendHides: ['InvalidSchedule', 'UnknownTimeZone', 'UnsupportedSchedule'],
    writer: 'manage',
    otherWriter: 'the etcd-operator',
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
  mayPrune: (run) => ['succeeded', 'failed'].includes(phaseOf(run)),
  runKeys: controllerKeys,
  phaseOf,
  lifecycle,
  open: openPolicy,
};
