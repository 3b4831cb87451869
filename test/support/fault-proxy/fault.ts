/** What becomes of one request. Where nothing is said of it, it never reaches the server. */
export type Fault =
  /** The connection ends without an answer; `forwarded`: the server had done what was asked. */
  | { readonly fault: 'cut'; readonly forwarded: boolean }
  /** Nothing ever comes back. */
  | { readonly fault: 'hang'; readonly forwarded: boolean }
  /** Another answer than that of the server. */
  | { readonly fault: 'answer'; readonly answer: CannedAnswer; readonly forwarded: boolean }
  /** The server's answer breaks off in the middle of its body; the connection is reset. */
  | { readonly fault: 'reset' }
  /** The server's answer ends early, as if it were whole. */
  | { readonly fault: 'truncate' }
  /** The server's answer comes whole, in so many pieces with a pause before each. */
  | { readonly fault: 'dribble'; readonly pieces: number; readonly pauseMs: number };

export interface CannedAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StatusParts {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: object;
  readonly metadata?: object;
}

function statusAnswer(
  { code, reason, message, details, metadata = {} }: StatusParts,
  headers: Readonly<Record<string, string>> = {},
): Fault {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    reason,
    details,
    code,
  };
  const answer = { code, contentType: 'application/json', body: JSON.stringify(status), headers };
  return { fault: 'answer', answer, forwarded: false };
}

const PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n';

function page(code: number, forwarded: boolean): Fault {
  return { fault: 'answer', answer: { code, contentType: 'text/html', body: PAGE }, forwarded };
}

/** @param retryAfter seconds, or a date as HTTP has it */
function tooMany(retryAfter: string): Fault {
  const message = 'the server has received too many requests and has asked us to try again later';
  const parts = { code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds: 1 } };
  return statusAnswer(parts, { 'retry-after': retryAfter });
}

function serverError(code: 500 | 503): Fault {
  const [reason, message] =
    code === 500
      ? ['InternalError', 'Internal error occurred: etcdserver: request timed out']
      : ['ServiceUnavailable', 'the server is currently unable to handle the request'];
  return statusAnswer({ code, reason, message });
}

/** The faults by what a test calls them. */
export const faults = {
  cutBefore: { fault: 'cut', forwarded: false },
  cutAfter: { fault: 'cut', forwarded: true },
  hang: { fault: 'hang', forwarded: false },
  hangAfter: { fault: 'hang', forwarded: true },
  conflict: statusAnswer({
    code: 409,
    reason: 'Conflict',
    message: 'Operation cannot be fulfilled: the object has been modified',
  }),
  expired: statusAnswer({
    code: 410,
    reason: 'Expired',
    message: 'The provided continue parameter is too old to display a consistent list result.',
    // Whoever goes on with it gets a list of two moments.
    metadata: { continue: Buffer.from('{"start":0}').toString('base64url') },
  }),
  tooMany,
  serverError,
  /** Somebody in between answers with a page of its own, and the request went no further. */
  page: (code: 200 | 404 | 502) => page(code, false),
  /** The request went through, and a page came back. */
  pageAfter: (code: 200 | 404 | 502) => page(code, true),
  reset: { fault: 'reset' },
  truncate: { fault: 'truncate' },
  dribble: (pieces: number, pauseMs: number): Fault => ({ fault: 'dribble', pieces, pauseMs }),
} as const satisfies Readonly<Record<string, Fault | ((...given: never[]) => Fault)>>;
