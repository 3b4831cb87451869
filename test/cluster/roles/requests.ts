import type { AuditEntry } from '#test/cluster/support/audit-log.ts';
import { isWrite, type SentRequests } from '#test/cluster/world/sent.ts';
import type { Account } from './accounts.ts';
import { rightTaken } from './rights.ts';

/** The rights that requests of an account took, each once. */
export interface Requests {
  readonly all: readonly string[];
  readonly writes: readonly string[];
  /** Writes, and reads of single objects. */
  readonly beyondLists: readonly string[];
  readonly forbidden: readonly string[];
  /** Writes that were not refused. */
  readonly written: readonly string[];
}

function rights(entries: readonly AuditEntry[]): readonly string[] {
  return [...new Set(entries.map(rightTaken))].sort();
}

/** Since somebody looked last. */
export async function requestsOf(sent: SentRequests, { user }: Account): Promise<Requests> {
  const own = (await sent.next()).filter((entry) => entry.user.username === user);
  const codeOf = ({ responseStatus }: AuditEntry): number => responseStatus?.code ?? 0;
  const writes = own.filter(isWrite);
  return {
    all: rights(own),
    writes: rights(writes),
    beyondLists: rights(own.filter(({ verb }) => verb !== 'list')),
    forbidden: rights(own.filter((entry) => codeOf(entry) === 403)),
    written: rights(writes.filter((entry) => codeOf(entry) < 300)),
  };
}
