import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Endpoint {
  readonly url: string;
  readonly ca: string;
  readonly adminToken: string;
}

export interface RequestOptions {
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** The administrator's, where none is given. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait, where it is not for ever. */
  readonly timeout?: number;
}

export interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: unknown;
}

/** The fields of objects, lists and failures that the tests look at. */
export interface ApiBody {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly ManagedFields[];
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
  readonly items?: readonly ApiBody[];
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
  };
  readonly [field: string]: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Empty where the answer is no JSON. */
  readonly body: ApiBody;
}

async function readAnswer(reply: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = reply;
  const body = await text(reply);
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return { status: statusCode, headers, text: body, body: isJson ? (JSON.parse(body) as ApiBody) : {} };
}

/** One plain request, without retries and without any meaning put into the answer. */
export function request(
  server: Endpoint,
  method: string,
  path: string,
  {
    body,
    contentType = 'application/json',
    token = server.adminToken,
    headers = {},
    timeout,
  }: RequestOptions = {},
): Promise<Answer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const all: Record<string, string> = {
    accept: 'application/json',
    ...headers,
    authorization: `Bearer ${token}`,
  };
  if (sent !== undefined) {
    all['content-type'] = contentType;
    // Otherwise a body of DELETE would be taken for the start of the next request.
    all['content-length'] = String(Buffer.byteLength(sent));
  }
  return new Promise((resolve, reject) => {
    const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    const options = { method, ca: server.ca, headers: all, signal };
    const outgoing = httpsRequest(new URL(path, server.url), options, (reply) => {
      readAnswer(reply).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}
