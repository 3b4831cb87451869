import { pathText } from '#api/issue.ts';
import { readLabelSelector } from '#api/label-selector.ts';
import { zodFindings } from '#api/zod-findings.ts';
import type { Finding, Settings } from '#core/kind.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import { deadlineWarnings } from '#core/spec-warnings.ts';
import { formatDuration, parseDuration } from '#core/time/duration.ts';
import { ADVICE } from './advice.ts';
import { ScheduleSpec } from './schema.ts';

/** The parts of a spec that have rules beyond their types; each may be there although another part is wrong. */
export interface Readable {
  readonly policyRef?: { readonly namespace?: string | undefined } | undefined;
  readonly policySelector?: JsonObject | undefined;
  readonly schedule: {
    readonly jitter?: string | undefined;
    readonly startingDeadlineSeconds?: number | undefined;
  };
  readonly deletion?: object | undefined;
}

const MAX_JITTER = 86_400;
const JITTER_PATH = ['spec', 'schedule', 'jitter'];
const DEADLINE_PATH = ['spec', 'schedule', 'startingDeadlineSeconds'];

function invalid(path: FieldPath, what: string, fix: string): Finding {
  return { code: 'InvalidField', severity: 'error', path, what, fix };
}

/** The grammar of D18. */
function durationFindings(text: string, path: FieldPath): Finding[] {
  if (parseDuration(text) !== undefined) return [];
  const what = `${pathText(path)} is ${JSON.stringify(text.slice(0, 40))}, which is not a duration`;
  return [invalid(path, what, ADVICE.duration)];
}

function capFindings(text: string, path: FieldPath): Finding[] {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds <= MAX_JITTER) return [];
  const what = `${pathText(path)}: jitter of ${formatDuration(seconds)} exceeds the 24h maximum`;
  const why = 'jitter spreads a firing inside its period; it is no offset of the schedule';
  return [{ ...invalid(path, what, ADVICE.window), why }];
}

/** Both rules of a jitter window. */
export function jitterFindings(text: string, path: FieldPath): Finding[] {
  return [...durationFindings(text, path), ...capFindings(text, path)];
}

/** D4 and the one rule between the two ways to name policies. */
function aimFindings({ policyRef, policySelector }: Readable, namespace: string | undefined): Finding[] {
  const fix = ADVICE.aim;
  if (policyRef === undefined && policySelector === undefined)
    return [invalid(['spec'], 'spec.policyRef and spec.policySelector are both absent', fix)];
  const findings =
    policyRef !== undefined && policySelector !== undefined
      ? [invalid(['spec', 'policySelector'], 'spec.policySelector stands beside spec.policyRef', fix)]
      : [];
  const other = policyRef?.namespace;
  if (other !== undefined && other !== namespace) {
    const what = `spec.policyRef.namespace is ${JSON.stringify(other.slice(0, 60))}, another namespace than the schedule's`;
    const path = ['spec', 'policyRef', 'namespace'];
    findings.push({
      ...invalid(path, what, ADVICE.namespace),
      why: 'a policy is looked for in the namespace of its schedule',
    });
  }
  return findings;
}

function selectorFindings({ policySelector }: Readable): Finding[] {
  if (policySelector === undefined) return [];
  const { issues } = readLabelSelector(policySelector, ['spec', 'policySelector']);
  return issues.map(({ path, message, fix }) =>
    invalid(path, `${pathText(path)}: ${message}`, fix ?? ADVICE.selector),
  );
}

/** Rules that hold at every reconcile (snapshot-schedule.md 6.1); cron and zone are looked at with the slots. */
export function sharedFindings(spec: Readable, namespace: string | undefined): Finding[] {
  const { jitter } = spec.schedule;
  return [
    ...aimFindings(spec, namespace),
    ...selectorFindings(spec),
    ...(jitter === undefined ? [] : durationFindings(jitter, JITTER_PATH)),
  ];
}

function deadlineFindings(deadline: number | undefined, graceSeconds: number): Finding[] {
  if (deadline === undefined) return [];
  if (deadline >= 0) return deadlineWarnings(deadline, graceSeconds, DEADLINE_PATH);
  const what = `${pathText(DEADLINE_PATH)} is ${deadline}: misconfigured, a negative deadline skips every run`;
  return [
    {
      ...invalid(DEADLINE_PATH, what, ADVICE.deadline),
      why: 'every slot is later than that the instant it is due',
    },
  ];
}

/** D3: accepted so that manifests of the operator apply. */
function deletionFindings({ deletion }: Readable): Finding[] {
  if (deletion === undefined) return [];
  return [
    {
      code: 'InvalidField',
      severity: 'warning',
      path: ['spec', 'deletion'],
      what: 'spec.deletion has no effect',
      why: 'deleting a schedule never touches its Snapshots',
      fix: 'remove it',
    },
  ];
}

/** Rules of admission only: a stored violator keeps reconciling, and is told (snapshot-schedule.md 6.2, D20). */
export function admissionFindings(spec: Readable, { graceSeconds }: Settings): Finding[] {
  const { jitter, startingDeadlineSeconds } = spec.schedule;
  return [
    ...(jitter === undefined ? [] : capFindings(jitter, JITTER_PATH)),
    ...deadlineFindings(startingDeadlineSeconds, graceSeconds),
    ...deletionFindings(spec),
  ];
}

export type ParsedSpec =
  | { readonly ok: true; readonly spec: ScheduleSpec }
  /** `readable`: what is left to be checked by its own rules; undefined for a spec of another shape. */
  | { readonly ok: false; readonly findings: readonly Finding[]; readonly readable: Readable | undefined };

/** Values of the right type; the others were told already. */
function readableOf(value: Json): Readable | undefined {
  if (!isObject(value) || !isObject(value.schedule)) return undefined;
  const { policyRef, policySelector, schedule: timetable, deletion } = value;
  const deadline = timetable.startingDeadlineSeconds;
  const namespace = textMember(policyRef, 'namespace');
  return {
    // One that is of a wrong type is there all the same.
    ...(policyRef === undefined ? {} : { policyRef: namespace === undefined ? {} : { namespace } }),
    ...(policySelector === undefined
      ? {}
      : { policySelector: isObject(policySelector) ? policySelector : {} }),
    schedule: {
      jitter: textMember(timetable, 'jitter'),
      ...(typeof deadline === 'number' ? { startingDeadlineSeconds: deadline } : {}),
    },
    ...(isObject(deletion) ? { deletion } : {}),
  };
}

export function parseSpec(value: Json): ParsedSpec {
  const parsed = ScheduleSpec.safeParse(value);
  if (parsed.success) return { ok: true, spec: parsed.data };
  // One finding for a spec that is none, instead of one for every field that it lacks.
  const issues = isObject(value) ? parsed.error.issues : parsed.error.issues.slice(0, 1);
  return { ok: false, findings: zodFindings(issues, value, ['spec']), readable: readableOf(value) };
}
