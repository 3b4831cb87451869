import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

function parse(text: string): AuditEntry[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEntry);
}

/**
 * All requests that were answered before this call. An entry is written after its answer was sent, so that a request
 * of our own, known by its id, marks the place up to which the file has to be there.
 */
export async function readAuditLog(server: Endpoint, file: string): Promise<readonly AuditEntry[]> {
  const mark = randomUUID();
  await request(server, 'GET', '/version', { headers: { 'audit-id': mark, 'user-agent': MARKER } });
  return until('the audit log has caught up', async () => {
    const entries = parse(await readFile(file, 'utf8'));
    if (!entries.some(({ auditID }) => auditID === mark)) return undefined;
    return entries.filter(({ userAgent }) => userAgent !== MARKER);
  });
}
