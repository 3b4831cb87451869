import {
  type ChangeDocument,
  type ObjectDocument,
  toChangeDocument,
  toObjectDocument,
} from '#core/change/change-document.ts';
import type {
  ChangeSet,
  Counts,
  RetentionChanges,
  ScheduleChanges,
  WorkChanges,
} from '#core/change/change-set.ts';
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

/** What an object that decides how many runs are kept wants deleted. */
export type RetentionDocument = Omit<ScheduleDocument, 'verdict'>;

/** One unfinished order of a driver. */
export interface WorkDocument extends RetentionDocument, Pick<WorkChanges, 'driver' | 'state'> {
  readonly reason?: string;
  readonly detail?: string;
}

/** The published form of a change set (design.md 4): plain JSON, of which every other output is a view. */
export interface ChangeSetDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly graceSeconds: number;
  readonly schedules: readonly ScheduleDocument[];
  /** Left out where nothing is to be deleted by it. */
  readonly retention?: readonly RetentionDocument[];
  /** Left out where there is none. */
  readonly works?: readonly WorkDocument[];
  /** `unchanged`: schedules without changes. */
  readonly counts: Counts & { readonly unchanged: number };
  readonly diagnostics: readonly DiagnosticDocument[];
}

function toOwnerDocument({
  type,
  key,
  uid,
  resourceVersion,
  changes,
}: ScheduleChanges | RetentionChanges | WorkChanges): RetentionDocument {
  // One numbering per schedule: what happens to one never changes the bytes of another.
  const mask = newMask();
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    changes: changes.map((change) => toChangeDocument(change, mask)),
  };
}

function toScheduleDocument(schedule: ScheduleChanges): ScheduleDocument {
  const { changes, ...owner } = toOwnerDocument(schedule);
  return { ...owner, verdict: toVerdictDocument(schedule.verdict), changes };
}

function toWorkDocument(work: WorkChanges): WorkDocument {
  const { changes, ...owner } = toOwnerDocument(work);
  const { driver, state, reason, detail } = work;
  return {
    ...owner,
    driver,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    changes,
  };
}

export function toDocument(set: ChangeSet): ChangeSetDocument {
  const { formatVersion, now, graceSeconds, schedules, retention, works, counts, diagnostics } = set;
  return {
    formatVersion,
    now: formatInstant(now),
    graceSeconds,
    schedules: schedules.map(toScheduleDocument),
    ...(retention.length === 0 ? {} : { retention: retention.map(toOwnerDocument) }),
    ...(works.length === 0 ? {} : { works: works.map(toWorkDocument) }),
    counts: { ...counts, unchanged: schedules.filter(({ changes }) => changes.length === 0).length },
    diagnostics: diagnostics.map(toDiagnosticDocument),
  };
}
