import type { FieldPath } from '#core/object/object.ts';
import type { DialectName, DstRule } from '#core/slot/dialect.ts';
import type { TimingProblem } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';

/** How a schedule says when. */
export interface TimingSource {
  readonly expression: string;
  readonly expressionPath: FieldPath;
  readonly dialect: DialectName;
  readonly zone: string;
  readonly zonePath: FieldPath;
  readonly dst?: DstRule;
  readonly seed?: string;
  readonly jitterSeconds?: number;
  readonly every?: Instant;
  readonly allowStoredPrefix?: boolean;
  /** Base slots up to here are settled, wherever jitter puts their slots. */
  readonly basesAfter?: Instant;
  /** Why there is no timing at all, whatever the expression says. */
  readonly refused?: TimingProblem;
  /** Why more than one firing an hour is worth a warning; absent where it is not. */
  readonly oftenBecause?: string;
  /** In words, where zone and window come from if not from the field or the default. */
  readonly zoneFrom?: string;
  readonly jitterFrom?: string;
}
