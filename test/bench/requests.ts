import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';

/** What a program asked of a server, and how fast. */
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

const TRAILING_MS = 1000;

/** The requests of one kind of client since an instant, in milliseconds since the epoch. */
export async function trafficSince(
  server: ApiServer,
  agent: string,
  since: number,
  run: string,
): Promise<Traffic> {
  // Entries are written behind the answers.
  await new Promise((resolve) => setTimeout(resolve, TRAILING_MS));
  const counts = { lists: 0, creates: 0, statuses: 0, events: 0, others: 0, throttled: 0 };
  const times: number[] = [];
  const lines = createInterface({ input: createReadStream(join(server.folder, 'audit.log')) });
  for await (const line of lines) {
    if (!line.includes(`"userAgent":"${agent}`)) continue;
    const entry = JSON.parse(line) as AuditEntry;
    const at = Date.parse(entry.requestReceivedTimestamp);
    if (at < since || entry.stage !== 'ResponseComplete') continue;
    const { resource, subresource } = entry.objectRef ?? {};
    if (entry.responseStatus?.code === 429) counts.throttled += 1;
    else if (entry.verb === 'list') counts.lists += 1;
    else if (resource === 'events') counts.events += 1;
    else if (subresource === 'status') counts.statuses += 1;
    else if (entry.verb === 'create' && resource === run) {
      counts.creates += 1;
      times.push(at);
    } else counts.others += 1;
  }
  const span = times.length < 2 ? Number.NaN : Math.max(...times) - Math.min(...times);
  return { ...counts, runsPerSecond: ((times.length - 1) * 1000) / span };
}
