import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Endpoint } from './request.ts';
import { request } from './request.ts';
import { until } from './until.ts';

/** One finished request, as `audit.k8s.io/v1` has it at the level Metadata. */
export interface AuditEntry {
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string };
  readonly requestReceivedTimestamp: string;
  /** When it was answered, where that is its stage. */
  readonly stageTimestamp: string;
}

/** What the server asks of itself is no request of anybody. */
export const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    users: [system:apiserver]
  - level: None
    nonResourceURLs: [/readyz, /livez]
  - level: Metadata
`;

/** Its requests are no entries of the log. */
const MARKER = 'audit-log-marker';

function parse(lines: string): AuditEntry[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEntry);
}

/** What stands behind a place in the file, up to its last whole line. */
async function linesFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const rest = Buffer.alloc(size - offset);
    await handle.read(rest, 0, rest.length, offset);
    return rest.subarray(0, rest.lastIndexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** The log piece by piece: of a long one nobody reads what was read before. */
export interface AuditTail {
  /** The requests that were answered before this call, and were not given yet; the first call begins with the server. */
  next(): Promise<readonly AuditEntry[]>;
}

/**
 * An entry is written after its answer was sent, so that a request of our own, known by its id, marks the place up to
 * which the file has to be there.
 */
export function tailAuditLog(server: Endpoint, file: string): AuditTail {
  let offset = 0;
  return {
    next: async () => {
      const mark = randomUUID();
      await request(server, 'GET', '/version', { headers: { 'audit-id': mark, 'user-agent': MARKER } });
      let fresh: readonly AuditEntry[] = [];
      return until('the audit log has caught up', async () => {
        const lines = await linesFrom(file, offset);
        offset += lines.length;
        const entries = parse(lines.toString());
        fresh = fresh.concat(entries.filter(({ userAgent }) => userAgent !== MARKER));
        return entries.some(({ auditID }) => auditID === mark) ? fresh : undefined;
      });
    },
  };
}
