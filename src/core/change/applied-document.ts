import type {
  AppliedChange,
  AppliedRetention,
  AppliedSchedule,
  AppliedWork,
  ApplyReport,
} from '#core/change/applied.ts';
import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { maskText, newMask } from '#core/change/mask.ts';
import { toVerdictDocument, type VerdictDocument } from '#core/change/verdict-document.ts';
import { apiVersionOf, EVENT } from '#core/object/resource.ts';

export interface AppliedChangeDocument {
  readonly verb: AppliedChange['change']['verb'];
  readonly object: ObjectDocument;
  readonly state: AppliedChange['state'];
  readonly message?: string;
}

export interface AppliedScheduleDocument extends ObjectDocument {
  readonly verdict: VerdictDocument;
  readonly applied: readonly AppliedChangeDocument[];
}

export interface AppliedWorkDocument extends Omit<AppliedScheduleDocument, 'verdict'> {
  readonly driver: string;
  readonly state: AppliedWork['state'];
}

/** The published form of what came of a change set; every change is counted once. */
export interface AppliedDocument {
  readonly formatVersion: 1;
  readonly partial: boolean;
  readonly counts: Readonly<Record<AppliedChange['state'], number>>;
  readonly schedules: readonly AppliedScheduleDocument[];
  /** Left out where nothing was to be deleted by it. */
  readonly retention?: readonly Omit<AppliedScheduleDocument, 'verdict'>[];
  /** Left out where no order of a driver had anything to write. */
  readonly works?: readonly AppliedWorkDocument[];
  readonly diagnostics: readonly DiagnosticDocument[];
}

function toAppliedChange({ change, state, message }: AppliedChange): AppliedChangeDocument {
  const type = change.verb === 'event' ? EVENT : change.type;
  return {
    verb: change.verb,
    object: toObjectDocument(apiVersionOf(type), change.key),
    state,
    ...(message === undefined ? {} : { message: maskText(message, newMask()) }),
  };
}

function toAppliedSchedule({ schedule, verdict, applied }: AppliedSchedule): AppliedScheduleDocument {
  return {
    ...toObjectDocument(apiVersionOf(schedule.type), schedule.key),
    verdict: toVerdictDocument(verdict),
    applied: applied.map(toAppliedChange),
  };
}

function toAppliedRetention({ owner, applied }: AppliedRetention): Omit<AppliedScheduleDocument, 'verdict'> {
  return { ...toObjectDocument(apiVersionOf(owner.type), owner.key), applied: applied.map(toAppliedChange) };
}

function toAppliedWork({ work, state, applied }: AppliedWork): AppliedWorkDocument {
  const { type, key, driver } = work;
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    driver,
    state,
    applied: applied.map(toAppliedChange),
  };
}

export function countApplied(report: ApplyReport): AppliedDocument['counts'] {
  const counts = { done: 0, unnecessary: 0, failed: 0, skipped: 0 };
  for (const { applied } of [...report.schedules, ...report.retention, ...report.works]) {
    for (const { state } of applied) counts[state] += 1;
  }
  return counts;
}

export function toAppliedDocument(report: ApplyReport): AppliedDocument {
  return {
    formatVersion: 1,
    partial: report.partial,
    counts: countApplied(report),
    schedules: report.schedules.map(toAppliedSchedule),
    ...(report.retention.length === 0 ? {} : { retention: report.retention.map(toAppliedRetention) }),
    ...(report.works.length === 0 ? {} : { works: report.works.map(toAppliedWork) }),
    diagnostics: report.diagnostics.map(toDiagnosticDocument),
  };
}
