import { effectiveVerdict, type Verdict } from '#core/change/verdict.ts';
import type { Instant } from '#core/time/instant.ts';
import type { ScheduleComparison } from './comparison.ts';

export interface NextBeyond {
  /** Absent where the window shows slots of the base, or there is none. */
  readonly before?: Instant;
  readonly after?: Instant;
}

/** The slot to come, however far away; a suspended schedule has none. */
export function nextOf(verdict: Verdict | undefined): Instant | undefined {
  if (verdict === undefined) return undefined;
  const { code, next } = effectiveVerdict(verdict);
  return code === 'suspended' ? undefined : next;
}

type Told = Pick<ScheduleComparison, 'before' | 'after' | 'firings' | 'unknown'>;

/** The next slot of a schedule of which the window shows none any more, where it differs from that of the base. */
export function nextBeyond({ before, after, firings, unknown }: Told): NextBeyond | undefined {
  if (unknown !== undefined || firings.after > 0) return undefined;
  const old = firings.before > 0 ? undefined : nextOf(before);
  const fresh = nextOf(after);
  if (old === fresh) return undefined;
  return { ...(old === undefined ? {} : { before: old }), ...(fresh === undefined ? {} : { after: fresh }) };
}
