import type { Answer } from './answer.ts';
import type { HttpReply } from './http.ts';

/** One for all requests of a tick: what is lost by repeating is lost to the whole tick. */
export interface RetryBudget {
  /** Milliseconds that may still be lost. */
  leftMs: number;
  /** Up to when time was taken from it: requests that wait side by side lose it once. */
  spentUntil: number;
}

/** Takes a stretch of time, in milliseconds since the epoch, out of the budget. @returns whether it was left */
export function spend(budget: RetryBudget, from: number, until: number): boolean {
  budget.leftMs -= Math.max(0, until - Math.max(from, budget.spentUntil));
  budget.spentUntil = Math.max(budget.spentUntil, until);
  return budget.leftMs >= 0;
}

/** Of one request: some faults of a server never heal, and other objects need the budget, too. */
export const MOST_TRIES = 6;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;

/** `Retry-After`: seconds, or a date. */
function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** An older definition refuses a field by an internal error (kubernetes-api.md): saying it again changes nothing. */
function isLasting(answer: Answer): boolean {
  return answer.state === 'refused' && answer.message.includes('field not declared in schema');
}

/** Throttled, a fault of the server, or no answer for a cause that may pass; any other no is final. */
export function isRepeatable(reply: HttpReply, answer: Answer): boolean {
  if (reply.state === 'failed') return reply.cause === 'network';
  if (answer.state === 'ok' || isLasting(answer)) return false;
  return answer.state === 'failed' || reply.status === 429 || reply.status >= 500;
}

/** How long to wait before the next try, in milliseconds; `attempt` counts from 0. */
export function pauseMs(reply: HttpReply, attempt: number, now: number): number {
  const own = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  const header = reply.state === 'reply' ? reply.headers['retry-after'] : undefined;
  return retryAfterMs(header, now) ?? own;
}
