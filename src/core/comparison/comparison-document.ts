import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import type { FieldDiff } from '#core/change/diff.ts';
import { toVerdictDocument, type VerdictDocument } from '#core/change/verdict-document.ts';
import type { ObjectKey, Place } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type {
  Comparison,
  ObjectChange,
  ReferentComparison,
  ScheduleComparison,
  StatusBasis,
  Totals,
  Tripped,
} from './comparison.ts';
import type { DayCount } from './firing-changes.ts';
import type { Firing } from './firings.ts';
import type { FiresNowCause } from './merge-effects.ts';
import type { Peak } from './peaks.ts';

/** Names an object without a version, as an owner or a run is named. */
export interface KeyDocument {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface FiringDocument {
  readonly slot: string;
  /** The slot lies between `slot` and this, and is fixed once the object has a uid. */
  readonly until?: string;
}

interface PeakDocument {
  readonly at: string;
  readonly starts: number;
}

interface FiringsDocument {
  readonly before: number;
  readonly after: number;
  readonly added: readonly FiringDocument[];
  readonly removed: readonly FiringDocument[];
  readonly moved: readonly { readonly from: FiringDocument; readonly to: FiringDocument }[];
  readonly days: readonly DayCount[];
}

interface MergeDocument {
  readonly firesNow?: {
    readonly slot: string;
    readonly lateSeconds: number;
    readonly cause: FiresNowCause;
    readonly runs: readonly KeyDocument[];
  };
  readonly noLongerFires?: string;
  readonly cancels: readonly KeyDocument[];
  readonly prunes: readonly KeyDocument[];
  readonly holds?: string;
  readonly releases?: string;
}

interface Told {
  readonly place?: Place;
  readonly broken: readonly DiagnosticDocument[];
  readonly mended: readonly DiagnosticDocument[];
  readonly fields: readonly FieldDiff[];
}

export type ScheduleComparisonDocument = ObjectDocument &
  Told & {
    readonly change: ObjectChange;
    readonly unknown?: ScheduleComparison['unknown'];
    readonly before?: VerdictDocument;
    readonly after?: VerdictDocument;
    readonly runsBefore: number;
    readonly runsAfter: number;
    readonly firings: FiringsDocument;
    readonly merge: MergeDocument;
    readonly clockChanges: readonly {
      readonly at: string;
      readonly before?: string;
      readonly after?: string;
    }[];
    readonly neverFires: boolean;
    readonly acknowledged: readonly string[];
  };

/** The published form of what `diff` shows. */
export interface ComparisonDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly until: string;
  readonly basis: StatusBasis;
  readonly base: string;
  readonly head: string;
  readonly totals: Totals;
  readonly days: readonly DayCount[];
  readonly peaks: readonly {
    readonly lane?: KeyDocument;
    readonly before: PeakDocument | null;
    readonly after: PeakDocument | null;
  }[];
  readonly schedules: readonly ScheduleComparisonDocument[];
  readonly referents: readonly (ObjectDocument &
    Told & { readonly change: ReferentComparison['change']; readonly prunes: readonly KeyDocument[] })[];
  readonly broken: readonly DiagnosticDocument[];
  /** Guards that the change trips. */
  readonly tripped: readonly {
    readonly guard: string;
    readonly above?: number;
    readonly schedules: readonly KeyDocument[];
  }[];
}

function toKeyDocument({ group, kind, namespace, name }: ObjectKey): KeyDocument {
  return { group, kind, ...(namespace === '' ? {} : { namespace }), name };
}

function toFiring({ slot, until }: Firing): FiringDocument {
  return { slot: formatInstant(slot), ...(until === undefined ? {} : { until: formatInstant(until) }) };
}

function toPeak(peak: Peak | undefined): PeakDocument | null {
  return peak === undefined ? null : { at: formatInstant(peak.at), starts: peak.starts };
}

function optional<K extends string>(name: K, at: Instant | undefined): Partial<Record<K, string>> {
  return at === undefined ? {} : ({ [name]: formatInstant(at) } as Partial<Record<K, string>>);
}

function toMerge({
  firesNow,
  noLongerFires,
  cancels,
  prunes,
  holds,
  releases,
}: ScheduleComparison['merge']): MergeDocument {
  return {
    ...(firesNow === undefined
      ? {}
      : {
          firesNow: {
            ...firesNow,
            slot: formatInstant(firesNow.slot),
            runs: firesNow.runs.map(toKeyDocument),
          },
        }),
    ...optional('noLongerFires', noLongerFires),
    cancels: cancels.map(toKeyDocument),
    prunes: prunes.map(toKeyDocument),
    ...optional('holds', holds),
    ...optional('releases', releases),
  };
}

function told({ place, broken, mended, fields }: ScheduleComparison | ReferentComparison): Told {
  return {
    ...(place === undefined ? {} : { place }),
    broken: broken.map(toDiagnosticDocument),
    mended: mended.map(toDiagnosticDocument),
    fields,
  };
}

function named(type: ReferentComparison['type'], key: ObjectKey): ObjectDocument {
  return toObjectDocument(apiVersionOf(type), key);
}

function toSchedule(one: ScheduleComparison): ScheduleComparisonDocument {
  const {
    type,
    key,
    change,
    unknown,
    before,
    after,
    runsBefore,
    runsAfter,
    firings,
    merge,
    clockChanges,
    neverFires,
    acknowledged,
  } = one;
  return {
    ...named(type, key),
    change,
    ...(unknown === undefined ? {} : { unknown }),
    ...(before === undefined ? {} : { before: toVerdictDocument(before) }),
    ...(after === undefined ? {} : { after: toVerdictDocument(after) }),
    runsBefore,
    runsAfter,
    firings: {
      ...firings,
      added: firings.added.map(toFiring),
      removed: firings.removed.map(toFiring),
      moved: firings.moved.map(({ from, to }) => ({ from: toFiring(from), to: toFiring(to) })),
    },
    merge: toMerge(merge),
    clockChanges: clockChanges.map(({ at, ...rest }) => ({ at: formatInstant(at), ...rest })),
    neverFires,
    acknowledged,
    ...told(one),
  };
}

export function toComparisonDocument(
  comparison: Comparison,
  tripped: readonly Tripped[],
): ComparisonDocument {
  const { now, until, schedules, referents, peaks, broken, ...rest } = comparison;
  return {
    ...rest,
    now: formatInstant(now),
    until: formatInstant(until),
    peaks: peaks.map(({ lane, before, after }) => ({
      ...(lane === undefined ? {} : { lane: toKeyDocument(lane) }),
      before: toPeak(before),
      after: toPeak(after),
    })),
    schedules: schedules.map(toSchedule),
    referents: referents.map((one) => ({
      ...named(one.type, one.key),
      change: one.change,
      prunes: one.prunes.map(toKeyDocument),
      ...told(one),
    })),
    broken: broken.map(toDiagnosticDocument),
    tripped: tripped.map(({ guard, schedules: keys }) => ({
      guard: guard.name,
      ...(guard.name === 'peak' ? { above: guard.above } : {}),
      schedules: keys.map(toKeyDocument),
    })),
  };
}
