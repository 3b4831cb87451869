import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as sendHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import { gunzipSync } from 'node:zlib';
import type { Connection } from './connection.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query, below the server's address. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
}

/**
 * Why no answer came: this process was told to end, the server is not trusted, what is asked or shown cannot be sent
 * at all, or anything on the way.
 */
export type FailureCause = 'stopped' | 'certificate' | 'unsendable' | 'network';

export type HttpReply =
  | {
      readonly state: 'reply';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    }
  /** `mayHaveArrived`: the server may have done what was asked for. */
  | {
      readonly state: 'failed';
      readonly reason: string;
      readonly cause: FailureCause;
      readonly mayHaveArrived: boolean;
    };

export interface HttpClient {
  readonly send: (request: HttpRequest, credentials: Readonly<Record<string, string>>) => Promise<HttpReply>;
  readonly close: () => void;
}

/** Connections that are open at once; an API server queues what is beyond its fair share. */
export const CONNECTIONS = 16;

/** Failures before a connection stands: nothing was sent. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What a server has against our certificate comes as an alert, `ERR_SSL_…`. */
function isUntrusted(code: string): boolean {
  return /CERT|LEAF_SIGNATURE|INVALID_CA/.test(code) && !code.startsWith('ERR_SSL_');
}

function faultOf(error: Error, timeoutMs: number): { readonly reason: string; readonly cause: FailureCause } {
  const code = codeOf(error);
  // Both come as an aborted request; the cause tells which signal it was.
  if (error.name !== 'AbortError' && error.name !== 'TimeoutError') {
    return { reason: error.message || code, cause: isUntrusted(code) ? 'certificate' : 'network' };
  }
  const timedOut = [error, error.cause].some((one) => one instanceof Error && one.name === 'TimeoutError');
  return timedOut
    ? { reason: `no answer within ${timeoutMs / 1000} s`, cause: 'network' }
    : { reason: 'stopped while it was read', cause: 'stopped' };
}

function failure(error: Error, timeoutMs: number): HttpReply {
  const fault = faultOf(error, timeoutMs);
  const mayHaveArrived = fault.cause !== 'certificate' && !UNREACHED.has(codeOf(error));
  return { state: 'failed', ...fault, mayHaveArrived };
}

/** Node throws at once for a header or a certificate that it cannot use. */
function unsendable(error: unknown): HttpReply {
  const reason = error instanceof Error ? error.message : String(error);
  return { state: 'failed', reason, cause: 'unsendable', mayHaveArrived: false };
}

/** Larger than what most lists grow to for each page, so that little is put together. */
const INFLATED_AT_ONCE = 1024 * 1024;

/** An API server compresses what is large: that takes either side less time than to encrypt it as it is. */
function textOf(chunks: readonly Buffer[], { 'content-encoding': encoding }: IncomingHttpHeaders): string {
  const body = Buffer.concat(chunks);
  const plain = encoding === 'gzip' ? gunzipSync(body, { chunkSize: INFLATED_AT_ONCE }) : body;
  return plain.toString('utf8');
}

/**
 * One connection pool to one server. Every request has a deadline, body included; nothing is thrown.
 * @param timeoutMs from the start of a request to the last byte of its answer
 * @param stop ends reads
 */
export function httpClient(
  { server, tls, agent: proxy }: Connection,
  timeoutMs: number,
  stop: AbortSignal,
): HttpClient {
  const base = new URL(server);
  const secure = base.protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: CONNECTIONS };
  const agent = proxy ?? (secure ? new HttpsAgent({ ...pool, ...tls }) : new HttpAgent(pool));
  const prefix = base.pathname.replace(/\/$/, '');

  /** A read is given up at once, a write is finished: half of one cannot be known. */
  function signalOf(method: HttpRequest['method']): AbortSignal {
    const deadline = AbortSignal.timeout(timeoutMs);
    return method === 'GET' ? AbortSignal.any([deadline, stop]) : deadline;
  }

  function send(request: HttpRequest, credentials: Readonly<Record<string, string>>): Promise<HttpReply> {
    const { method, path, body, contentType } = request;
    const options: RequestOptions = {
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      path: `${prefix}${path}`,
      method,
      agent,
      signal: signalOf(method),
      headers: {
        Accept: 'application/json',
        'Accept-Encoding': 'gzip',
        'User-Agent': 'minutehand',
        ...credentials,
        ...(body === undefined
          ? {}
          : {
              'Content-Type': contentType ?? 'application/json',
              'Content-Length': Buffer.byteLength(body),
            }),
      },
    };
    return new Promise((resolve) => {
      const give = (error: Error): void => resolve(failure(error, timeoutMs));
      const receive = (reply: IncomingMessage): void => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', give);
        reply.on('end', () => {
          // A connection that breaks in the middle of a body also ends it.
          if (!reply.complete) return give(new Error('the answer broke off'));
          const { statusCode = 0, headers } = reply;
          try {
            resolve({ state: 'reply', status: statusCode, headers, text: textOf(chunks, headers) });
          } catch {
            give(new Error('the answer is compressed in a way that cannot be read'));
          }
        });
      };
      try {
        const out = (secure ? sendHttps : sendHttp)({ ...options, ...(secure ? tls : {}) }, receive);
        out.on('error', give);
        out.end(body);
      } catch (error) {
        resolve(unsendable(error));
      }
    });
  }

  return { send, close: () => agent.destroy() };
}
