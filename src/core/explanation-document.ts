import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { toVerdictDocument, type VerdictDocument } from '#core/change/verdict-document.ts';
import type {
  Absence,
  Explanation,
  Fate,
  HandMadeRun,
  LastRun,
  OwedExplanation,
  PastSlot,
  RetentionExplanation,
  RulesExplanation,
  ToldEvent,
  ToldRun,
} from '#core/explanation.ts';
import { type ForecastSlotDocument, toForecastSlotDocument } from '#core/forecast-document.ts';
import type { Finding } from '#core/kind.ts';
import type { FieldPath } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

export interface FateDocument {
  readonly slot: string;
  readonly code: Fate['code'];
  readonly lateSeconds: number;
  readonly by?: string;
  readonly runs?: readonly string[];
  readonly wantedUntil?: string;
}

/** The published form of an explanation; null where there is nothing. */
export interface ExplanationDocument extends ObjectDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly suspended: boolean;
  readonly timing: {
    readonly expression: string;
    readonly timeZone: string;
    /** Why there is no such zone; left out where there is one. */
    readonly timeZoneProblem?: string;
    /** With numbers for `H`; left out where that changes nothing. */
    readonly resolved?: string;
    readonly timeZoneFrom: Explanation['timing']['zoneOrigin']['from'];
    readonly timeZoneSource?: string;
    readonly timeZonePath?: FieldPath;
    readonly dst: 'clean' | 'safe';
    readonly jitterSeconds: number;
    readonly jitterSource?: string;
  };
  readonly rules: Omit<RulesExplanation, 'deadlineSeconds'> & { readonly deadlineSeconds: number | null };
  readonly retention: readonly RetentionDocument[];
  readonly anchor: { readonly at: string; readonly from: Explanation['anchor']['from'] };
  readonly proved: string | null;
  readonly lastRun: (Omit<LastRun, 'slot' | 'finishedAt'> & LastRunTimes) | null;
  readonly byHand: readonly (Omit<HandMadeRun, 'madeAt' | 'finishedAt'> & HandMadeTimes)[];
  readonly lastSuccess: string | null;
  readonly failures?: number;
  readonly active: readonly string[];
  readonly owed: (Omit<OwedExplanation, 'oldest' | 'latest' | 'fates'> & OwedTimes) | null;
  readonly verdict: VerdictDocument;
  readonly removed: readonly string[];
  readonly events: readonly ToldEvent[];
  readonly previous: readonly PastSlotDocument[];
  readonly next: readonly ForecastSlotDocument[];
  readonly mayDiffer: readonly Finding[];
}

export interface PastSlotDocument extends ForecastSlotDocument {
  /** Left out where no run of the slot is there. */
  readonly runs?: readonly ToldRun[];
  /** Why no run is there. */
  readonly absence?: {
    readonly code: Absence['code'];
    readonly fate?: Fate['code'];
    readonly by?: string;
    readonly reason?: string;
    readonly note?: string;
  };
}

/** `keeps` is null where all are kept. */
type RetentionDocument = Pick<RetentionExplanation, 'kind' | 'name' | 'keeper' | 'surplus'> & {
  readonly keeps: Readonly<Record<string, number>> | null;
};

interface LastRunTimes {
  readonly slot: string;
  readonly finishedAt: string | null;
}

interface HandMadeTimes {
  readonly madeAt: string | null;
  readonly finishedAt: string | null;
}

interface OwedTimes {
  readonly oldest: string;
  readonly latest: string;
  readonly fates: readonly FateDocument[];
}

function orNull(at: Instant | undefined): string | null {
  return at === undefined ? null : formatInstant(at);
}

function toFate({ slot, code, lateSeconds, by, runs, wantedUntil }: Fate): FateDocument {
  return {
    slot: formatInstant(slot),
    code,
    lateSeconds,
    ...(by === undefined ? {} : { by: formatInstant(by) }),
    ...(runs === undefined ? {} : { runs }),
    ...(wantedUntil === undefined ? {} : { wantedUntil: formatInstant(wantedUntil) }),
  };
}

function toTiming({
  expression,
  resolved,
  jitterFrom,
  zoneName,
  zoneProblem,
  zoneOrigin,
  dst,
  jitterSeconds,
}: Explanation['timing']): ExplanationDocument['timing'] {
  return {
    expression,
    ...(resolved === undefined ? {} : { resolved }),
    timeZone: zoneName,
    ...(zoneProblem === undefined ? {} : { timeZoneProblem: zoneProblem }),
    timeZoneFrom: zoneOrigin.from,
    ...(zoneOrigin.from === 'field' ? { timeZonePath: zoneOrigin.path } : {}),
    ...(zoneOrigin.from === 'referent' ? { timeZoneSource: zoneOrigin.words } : {}),
    dst,
    jitterSeconds,
    ...(jitterFrom === undefined ? {} : { jitterSource: jitterFrom }),
  };
}

function toOwed(owed: OwedExplanation | undefined): ExplanationDocument['owed'] {
  if (owed === undefined) return null;
  const { count, oldest, latest, fates } = owed;
  return { count, oldest: formatInstant(oldest), latest: formatInstant(latest), fates: fates.map(toFate) };
}

function toAbsence(absence: Absence): PastSlotDocument['absence'] {
  if (absence.code !== 'owed' || absence.by === undefined) return absence as PastSlotDocument['absence'];
  return { ...absence, by: formatInstant(absence.by) };
}

function toPastSlot({ runs, absence, ...slot }: PastSlot): PastSlotDocument {
  const told = absence === undefined ? undefined : toAbsence(absence);
  return {
    ...toForecastSlotDocument(slot),
    ...(runs.length === 0 ? {} : { runs }),
    ...(told === undefined ? {} : { absence: told }),
  };
}

export function toExplanationDocument(explanation: Explanation): ExplanationDocument {
  const { apiVersion, key, now, suspended, rules, anchor, lastRun, active, removed, mayDiffer } = explanation;
  return {
    formatVersion: 1,
    ...toObjectDocument(apiVersion, key),
    now: formatInstant(now),
    suspended,
    timing: toTiming(explanation.timing),
    rules: { ...rules, deadlineSeconds: rules.deadlineSeconds ?? null },
    retention: explanation.retention.map(({ kind, name, keeps, keeper, surplus }) => ({
      kind,
      name,
      keeps: keeps ?? null,
      keeper,
      surplus,
    })),
    anchor: { at: formatInstant(anchor.at), from: anchor.from },
    proved: orNull(explanation.proved),
    lastRun:
      lastRun === undefined
        ? null
        : { ...lastRun, slot: formatInstant(lastRun.slot), finishedAt: orNull(lastRun.finishedAt) },
    byHand: explanation.byHand.map((run) => ({
      ...run,
      madeAt: orNull(run.madeAt),
      finishedAt: orNull(run.finishedAt),
    })),
    lastSuccess: orNull(explanation.lastSuccess),
    ...(explanation.failures === undefined ? {} : { failures: explanation.failures }),
    active,
    owed: toOwed(explanation.owed),
    verdict: toVerdictDocument(explanation.verdict),
    removed,
    events: explanation.events,
    previous: explanation.previous.map(toPastSlot),
    next: explanation.next.map(toForecastSlotDocument),
    mayDiffer,
  };
}
