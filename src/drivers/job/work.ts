import type { EventDraft, Finding } from '#core/kind.ts';
import type { Work, WorkEnd, WorkFact, WorkState, WorkStep } from '#core/run/driver.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import type { Order } from './order.ts';
import { readyReason, type StatusDraft, startedAt, statusOf, statusSteps } from './status.ts';

/** Seconds that a started order waits for what it needs (backups.md, decision 8). */
const PATIENCE = 1800;

const NO_STEPS: readonly WorkStep[] = [];
const NO_EVENTS: readonly EventDraft[] = [];
const NO_FINDINGS: readonly Finding[] = [];

interface Telling {
  readonly outcome?: Work['outcome'];
  readonly reason?: string;
  readonly detail?: string;
  readonly facts?: readonly WorkFact[];
  readonly findings?: readonly Finding[];
  readonly steps?: readonly WorkStep[];
  readonly events?: readonly EventDraft[];
}

/** An order as it stands; nothing is done for it but what is told. */
export function workOf({ sort, source }: Order, state: WorkState, telling: Telling = {}): Work {
  const {
    outcome,
    reason,
    detail,
    facts = [],
    findings = NO_FINDINGS,
    steps = NO_STEPS,
    events = NO_EVENTS,
  } = telling;
  return {
    type: sort.type,
    source,
    state,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    steps,
    events,
    findings,
    facts,
  };
}

export function unreadableWork(order: Order, detail: string, facts: readonly WorkFact[] = []): Work {
  return workOf(order, 'unreadable', { detail, facts });
}

export function eventOf({ sort }: Order, type: EventDraft['type'], reason: string, note: string): EventDraft {
  return { type, reason, action: sort.action, note, identity: sort.mode };
}

/** Something that an order lacks, in the words of its condition. */
export interface Lack {
  readonly reason: string;
  readonly message: string;
  readonly facts?: readonly WorkFact[];
  readonly findings?: readonly Finding[];
}

function lackingWork(order: Order, state: 'pending' | 'waiting', draft: StatusDraft, lack: Lack): Work {
  const { reason, message, facts, findings } = lack;
  const isNew = readyReason(order) !== reason;
  return workOf(order, state, {
    reason,
    detail: message,
    ...(facts === undefined ? {} : { facts }),
    ...(findings === undefined ? {} : { findings }),
    steps: statusSteps(order, statusOf(order, draft)),
    events: isNew ? [eventOf(order, 'Warning', reason, message)] : NO_EVENTS,
  });
}

/**
 * Nobody can start it yet. One that was started already stays so, and gives up in time; one that was not waits as long
 * as it takes, in sight, unless it has a time from which on its patience counts.
 */
export function pendingWork(order: Order, lack: Lack, since?: Instant): Work {
  const { reason, message } = lack;
  if (startedAt(order) !== undefined) return waitingWork(order, lack);
  const until = since === undefined ? undefined : instant(since + PATIENCE);
  if (until !== undefined && order.now > until) return failedWork(order, givenUp(lack), lack);
  const condition = { status: 'False', reason, message } as const;
  const draft = { phase: 'Pending', condition } as const;
  const findings = futureFindings(order, ['metadata', 'creationTimestamp'], since);
  return lackingWork(order, 'pending', draft, { ...lack, facts: untilFacts(lack, until), findings });
}

/** Started, and something that it needs is missing. */
export function waitingWork(order: Order, lack: Lack): Work {
  const { reason, message } = lack;
  const start = startedAt(order) ?? order.now;
  const until = instant(start + PATIENCE);
  if (order.now > until) return failedWork(order, givenUp(lack), lack);
  const condition = { status: 'False', reason, message } as const;
  const draft = { phase: 'Running', startedAt: start, condition } as const;
  const findings = futureFindings(order, ['status', 'startedAt'], start);
  return lackingWork(order, 'waiting', draft, { ...lack, facts: untilFacts(lack, until), findings });
}

/** A time in the future makes the wait longer than anybody meant, if it ends at all. */
function futureFindings(
  { now }: Order,
  path: readonly [string, string],
  at: Instant | undefined,
): readonly Finding[] {
  if (at === undefined || at <= now) return NO_FINDINGS;
  return [
    {
      code: 'AnchorInFuture',
      severity: 'warning',
      path,
      what: `${path.join('.')} is ${formatInstant(at)}, later than now (${formatInstant(now)})`,
      why: `the ${PATIENCE / 60} minutes for what is missing count from that time`,
      fix: 'check the clock; create the order again if the time is wrong',
    },
  ];
}

function givenUp({ reason, message }: Lack): string {
  return `${reason}: ${message}, for more than ${PATIENCE / 60} minutes`;
}

function untilFacts({ reason, facts = [] }: Lack, until: Instant | undefined): readonly WorkFact[] {
  const text = until === undefined ? `${reason}, without limit` : `${reason}, until ${formatInstant(until)}`;
  return [...facts, { label: 'awaits', text }];
}

function failedStatus(order: Order, message: string, at: Instant): StatusDraft {
  return {
    phase: 'Failed',
    completedAt: at,
    message,
    condition: { status: 'False', reason: order.sort.failed, message },
  };
}

/** @param more when it ended, if not now; facts and findings for people */
export function failedWork(
  order: Order,
  message: string,
  more: {
    readonly at?: Instant;
    readonly facts?: readonly WorkFact[];
    readonly findings?: readonly Finding[];
  } = {},
): Work {
  const { at = order.now, facts, findings } = more;
  return workOf(order, 'failed', {
    reason: order.sort.failed,
    detail: message,
    ...(facts === undefined ? {} : { facts }),
    ...(findings === undefined ? {} : { findings }),
    steps: statusSteps(order, statusOf(order, failedStatus(order, message, at))),
    events: [eventOf(order, 'Warning', order.sort.failed, message)],
  });
}

/** The order fails although the tick meant otherwise: a write was refused for good, or the name is somebody else's. */
export function failedEnd(order: Order, message: string): WorkEnd {
  return {
    status: statusOf(order, failedStatus(order, message, order.now)),
    event: eventOf(order, 'Warning', order.sort.failed, message),
    state: 'failed',
    reason: order.sort.failed,
    detail: message,
  };
}
