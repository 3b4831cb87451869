import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';

/** What the client of a tick calls itself. */
const USER_AGENT = 'minutehand';

export function isOurs({ userAgent, stage }: AuditEntry): boolean {
  return userAgent === USER_AGENT && stage === 'ResponseComplete';
}

export function isWrite({ verb }: AuditEntry): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}

/** The requests of ticks that were answered since the last look; the first look begins with the server. */
export interface SentRequests {
  next(): Promise<readonly AuditEntry[]>;
}

export function sentTo(server: ApiServer): SentRequests {
  const tail = server.auditTail();
  return { next: async () => (await tail.next()).filter(isOurs) };
}

/** `verb resource namespace/name`, with the subresource, and the answer where it was a no. */
export function lineOf({ verb, objectRef = {}, responseStatus = {} }: AuditEntry): string {
  const { resource = '', subresource, namespace, name = '' } = objectRef;
  const kind = subresource === undefined ? resource : `${resource}/${subresource}`;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  const { code = 0 } = responseStatus;
  return `${verb} ${kind} ${place}${code < 300 ? '' : ` ${code}`}`;
}
