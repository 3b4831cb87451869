import {
  type ChangeDocument,
  type ObjectDocument,
  toChangeDocument,
  toObjectDocument,
} from '#core/change/change-document.ts';
import type { ChangeSet, Counts, ScheduleChanges } from '#core/change/change-set.ts';
import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { newMask } from '#core/change/mask.ts';
import { toVerdictDocument, type VerdictDocument } from '#core/change/verdict-document.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant } from '#core/time/instant.ts';

/** One schedule in a published change set; `uid` and `resourceVersion` are left out where no store knows them yet. */
export interface ScheduleDocument extends ObjectDocument {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly verdict: VerdictDocument;
  readonly changes: readonly ChangeDocument[];
}

/** The published form of a change set (design.md 4): plain JSON, of which every other output is a view. */
export interface ChangeSetDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly graceSeconds: number;
  readonly schedules: readonly ScheduleDocument[];
  /** `unchanged`: schedules without changes. */
  readonly counts: Counts & { readonly unchanged: number };
  readonly diagnostics: readonly DiagnosticDocument[];
}

function toScheduleDocument(schedule: ScheduleChanges): ScheduleDocument {
  const { type, key, uid, resourceVersion, verdict, changes } = schedule;
  // One numbering per schedule: what happens to one never changes the bytes of another.
  const mask = newMask();
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    verdict: toVerdictDocument(verdict),
    changes: changes.map((change) => toChangeDocument(change, mask)),
  };
}

export function toDocument(set: ChangeSet): ChangeSetDocument {
  const { formatVersion, now, graceSeconds, schedules, counts, diagnostics } = set;
  return {
    formatVersion,
    now: formatInstant(now),
    graceSeconds,
    schedules: schedules.map(toScheduleDocument),
    counts: { ...counts, unchanged: schedules.filter(({ changes }) => changes.length === 0).length },
    diagnostics: diagnostics.map(toDiagnosticDocument),
  };
}
