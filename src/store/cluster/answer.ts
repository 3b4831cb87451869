import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import type { FailureCause, HttpReply } from './http.ts';

/** What a request came to, after its body was read. */
export type Answer =
  | { readonly state: 'ok'; readonly body: JsonObject }
  /** The server's own no; `reason` and `causes` as in its `Status`. */
  | {
      readonly state: 'refused';
      readonly status: number;
      readonly reason: string;
      readonly message: string;
      readonly causes: readonly Cause[];
    }
  /** No answer, or none that says anything. */
  | {
      readonly state: 'failed';
      readonly message: string;
      /** Where none came at all. */
      readonly cause?: FailureCause;
    };

export interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function causesOf(details: unknown): readonly Cause[] {
  const causes = isObject(details) && Array.isArray(details['causes']) ? details['causes'] : [];
  return causes.filter(isObject).map((cause) => ({
    reason: textOf(cause['reason']),
    field: textOf(cause['field']),
    message: textOf(cause['message']),
  }));
}

/** A page of a proxy or a load balancer instead of the API's own words. */
function strange(status: number, contentType: string | undefined): string {
  const type = contentType?.split(';')[0] ?? 'something without a type';
  return `the server answered ${status} with ${type} instead of JSON; is this the address of an API server?`;
}

const NOT_FOUND = '404 page not found';

/** What stands in a reply; one that is no JSON counts as no answer, unless its code alone is a no. */
export function readReply(reply: HttpReply): Answer {
  if (reply.state === 'failed') return { state: 'failed', message: reply.reason, cause: reply.cause };
  const { status, headers, text } = reply;
  const body = parseJson(text);
  const ok = status >= 200 && status < 300;
  if (ok && isObject(body)) return { state: 'ok', body };
  if (isObject(body) && body['kind'] === 'Status') {
    const message = textOf(body['message']) || `the server answered ${status}`;
    return {
      state: 'refused',
      status,
      reason: textOf(body['reason']),
      message,
      causes: causesOf(body['details']),
    };
  }
  // A path that no API server of the cluster serves is answered by Go's own words, never by a page.
  if (status === 404 && text.trim() === NOT_FOUND) {
    return { state: 'refused', status, reason: '', message: NOT_FOUND, causes: [] };
  }
  // Requests without rights are answered in plain text by some servers.
  if (status === 401 || status === 403) {
    const message = text.length < 200 && !text.includes('<') ? text.trim() : `the server answered ${status}`;
    return { state: 'refused', status, reason: '', message, causes: [] };
  }
  return { state: 'failed', message: strange(status, headers['content-type']) };
}
