import { maskText, newMask } from '#core/change/mask.ts';
import type { OlderSlots, Verdict, VerdictCode } from '#core/change/verdict.ts';
import { formatInstant } from '#core/time/instant.ts';

/** A verdict as it is published: times are RFC 3339 in UTC, members without a value are left out. */
export interface VerdictDocument {
  readonly code: VerdictCode;
  readonly reason?: string;
  readonly slot?: string;
  readonly lateSeconds?: number;
  readonly superseded?: { readonly count: number; readonly oldest: string };
  readonly expired?: { readonly count: number; readonly oldest: string };
  /** Null where there is no next slot; never left out. */
  readonly next: string | null;
  /** The next slot lies between `next` and this. */
  readonly nextUntil?: string;
  readonly runs?: readonly string[];
  readonly actor?: string;
  readonly foreseen?: VerdictDocument;
  readonly detail?: string;
}

function toOlder({ count, oldest }: OlderSlots): { readonly count: number; readonly oldest: string } {
  return { count, oldest: formatInstant(oldest) };
}

export function toVerdictDocument(verdict: Verdict): VerdictDocument {
  const { code, reason, slot, lateSeconds, superseded, expired, next, nextUntil } = verdict;
  const { runs, actor, foreseen, detail } = verdict;
  return {
    code,
    ...(reason === undefined ? {} : { reason }),
    ...(slot === undefined ? {} : { slot: formatInstant(slot) }),
    ...(lateSeconds === undefined ? {} : { lateSeconds }),
    ...(superseded === undefined ? {} : { superseded: toOlder(superseded) }),
    ...(expired === undefined ? {} : { expired: toOlder(expired) }),
    next: next === undefined ? null : formatInstant(next),
    ...(nextUntil === undefined ? {} : { nextUntil: formatInstant(nextUntil) }),
    ...(runs === undefined ? {} : { runs }),
    ...(actor === undefined ? {} : { actor }),
    ...(foreseen === undefined ? {} : { foreseen: toVerdictDocument(foreseen) }),
    ...(detail === undefined ? {} : { detail: maskText(detail, newMask()) }),
  };
}
