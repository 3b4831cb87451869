import { compileTiming, type Timing, type TimingInput, type TimingProblem } from '#core/slot/timing.ts';
import { formatInstant, type Instant, parseInstant } from '#core/time/instant.ts';

/** A timing that must compile; dialect kubernetes in UTC unless told otherwise. */
export function compiled(expression: string, input: Partial<TimingInput> = {}): Timing {
  const result = compileTiming({ expression, dialect: 'kubernetes', zone: 'UTC', ...input });
  if (!result.ok) throw new Error(`${expression}: ${JSON.stringify(result.problem)}`);
  return result.timing;
}

/** Why an expression does not compile. */
export function problemOf(expression: string, input: Partial<TimingInput> = {}): TimingProblem {
  const result = compileTiming({ expression, dialect: 'kubernetes', zone: 'UTC', ...input });
  if (result.ok) throw new Error(`${expression} compiled`);
  return result.problem;
}

/** An instant that a test spells out. */
export function at(text: string): Instant {
  const parsed = parseInstant(text.length === 17 ? text.replace('Z', ':00Z') : text);
  if (parsed === undefined) throw new Error(`no instant: ${text}`);
  return parsed;
}

export function shown(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}
