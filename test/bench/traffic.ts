import type { ResourceType } from '#core/object/resource.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';

/** What ticks asked of a server, and how fast. */
export interface Traffic {
  readonly lists: number;
  readonly creates: number;
  readonly statuses: number;
  readonly events: number;
  readonly others: number;
  readonly throttled: number;
  /** From the first run that was created to the last one, in runs per second. */
  readonly runsPerSecond: number;
}

/** @param run what is created for a slot */
export function trafficOf(entries: readonly AuditEntry[], run: ResourceType): Traffic {
  const counts = { lists: 0, creates: 0, statuses: 0, events: 0, others: 0, throttled: 0 };
  const times: number[] = [];
  for (const { verb, objectRef = {}, responseStatus = {}, requestReceivedTimestamp } of entries) {
    const { resource, subresource } = objectRef;
    if (responseStatus.code === 429) counts.throttled += 1;
    else if (verb === 'list') counts.lists += 1;
    else if (resource === 'events') counts.events += 1;
    else if (subresource === 'status') counts.statuses += 1;
    else if (verb === 'create' && resource === run.plural) {
      counts.creates += 1;
      times.push(Date.parse(requestReceivedTimestamp));
    } else counts.others += 1;
  }
  const span = times.length < 2 ? Number.NaN : Math.max(...times) - Math.min(...times);
  return { ...counts, runsPerSecond: ((times.length - 1) * 1000) / span };
}
