import type { ApplyReport } from '#core/change/applied.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { Lag } from '#core/lag.ts';
import type { Requests } from '#core/requests.ts';
import type { Instant } from '#core/time/instant.ts';
import type { DrivenWork } from '#core/works.ts';

export const PHASES = ['read', 'decide', 'apply'] as const;
export type Phase = (typeof PHASES)[number];

/** Milliseconds. */
export type Durations = Readonly<Record<Phase | 'total', number>>;

/** What a tick decided and what came of it. */
export interface TickOutcome {
  readonly changeSet: ChangeSet;
  readonly report: ApplyReport;
  /** By `keyId`; those included that are over. */
  readonly works: ReadonlyMap<string, DrivenWork>;
  /** The kinds of the schedules, and of the orders, that were looked at. */
  readonly kinds: readonly string[];
  readonly orderKinds: readonly string[];
}

/** What there is to say of a tick once it has ended, as data. */
export interface TickRecord {
  readonly exitCode: number;
  /** Absent where the tick failed before it had one. */
  readonly now?: Instant;
  /** Absent where nothing was decided, or nothing of it could be tried. */
  readonly outcome?: TickOutcome;
  readonly durations: Durations;
  /** Only of a store that sends requests. */
  readonly requests?: Requests;
  readonly lag?: Lag;
  /** Which part of all schedules this process looks at, where they are shared out. */
  readonly shard?: { readonly index: number; readonly count: number };
}

/** Whether it came to its end; some reads or writes may have failed on the way. */
export function isCompleted({ exitCode }: Pick<TickRecord, 'exitCode'>): boolean {
  return exitCode === 0 || exitCode === 3;
}
