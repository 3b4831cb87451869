import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import type { Json } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { OrderAccount, PartCounts } from './diary.ts';
import type { PartSpan } from './kept-spans.ts';
import { orderTotals } from './order-totals.ts';

/** How many Jobs are told one by one; the totals have all of them. */
const MOST_ORDERS = 200;

interface PodDocument {
  readonly name: string;
  readonly index?: number;
  readonly from: string;
  readonly until?: string;
  readonly end: PartSpan['end'];
  readonly exitCode?: number;
  /** It failed because it was taken from its node. */
  readonly disrupted?: true;
  readonly restarts?: number;
}

interface JobCountsDocument {
  readonly pods: PartCounts;
  /** Of containers, in their pods. */
  readonly restarts: number;
  /** Times in which a pod was wanted and waited for the back-off. */
  readonly backoffWaits: OrderAccount['waits'];
}

export type JobDocument = ObjectDocument &
  JobCountsDocument & {
    /** The schedule that made it. */
    readonly schedule?: ObjectDocument['name'];
    readonly seenAt: string;
    readonly state: OrderAccount['state'];
    readonly outcome?: 'succeeded' | 'failed';
    readonly reason?: string;
    readonly detail?: string;
    /** The tick that saw how it ends, and the one by which all its pods had ended. */
    readonly decidedAt?: string;
    readonly endedAt?: string;
    /** By its time to live, by the history of its schedule, or before it had ended. */
    readonly deletedAt?: string;
    /** The last one of the Job. */
    readonly status?: Json;
    readonly podList: readonly PodDocument[];
    /** Pods that are counted and not listed. */
    readonly podsLeftOut?: number;
  };

/** Managed Jobs in the published form of a simulation. */
export interface JobsDocument {
  readonly totals: JobCountsDocument & {
    readonly jobs: number;
    readonly succeeded: number;
    readonly failed: number;
    /** Before they had ended. */
    readonly deleted: number;
    readonly notOver: number;
  };
  readonly list: readonly JobDocument[];
  /** Jobs that are counted and not listed. */
  readonly leftOut?: number;
}

function timeMember<Name extends string>(
  name: Name,
  at: Instant | undefined,
): { readonly [N in Name]?: string } {
  return (at === undefined ? {} : { [name]: formatInstant(at) }) as { readonly [N in Name]?: string };
}

function podDocument(span: PartSpan): PodDocument {
  const { name, place, from, until, end, exitCode, disrupted, restarts } = span;
  return {
    name,
    ...(place === undefined ? {} : { index: place }),
    from: formatInstant(from),
    ...timeMember('until', until),
    end,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(disrupted === undefined ? {} : { disrupted }),
    ...(restarts === 0 ? {} : { restarts }),
  };
}

function jobDocument(order: OrderAccount): JobDocument {
  const { type, key, schedule, seen, parts, restarts, waits, spans } = order;
  const { state, status, outcome, reason, detail, decidedAt, endedAt, deletedAt } = order;
  const left = parts.started - spans.length;
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    ...(schedule === undefined ? {} : { schedule: schedule.name }),
    seenAt: formatInstant(seen),
    state,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...timeMember('decidedAt', decidedAt),
    ...timeMember('endedAt', endedAt),
    ...timeMember('deletedAt', deletedAt),
    ...(status === undefined ? {} : { status }),
    pods: parts,
    restarts,
    backoffWaits: waits,
    podList: spans.map(podDocument),
    ...(left === 0 ? {} : { podsLeftOut: left }),
  };
}

export function toJobsDocument(orders: readonly OrderAccount[]): JobsDocument {
  const { orders: jobs, parts, waits, succeeded, failed, deleted, notOver, restarts } = orderTotals(orders);
  const left = orders.length - MOST_ORDERS;
  return {
    totals: { jobs, succeeded, failed, deleted, notOver, pods: parts, restarts, backoffWaits: waits },
    list: orders.slice(0, MOST_ORDERS).map(jobDocument),
    ...(left > 0 ? { leftOut: left } : {}),
  };
}
