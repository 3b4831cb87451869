import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendHttp,
} from 'node:http';
import { Agent as SecureAgent, request as sendHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { CannedAnswer, Fault } from './fault-proxy/fault.ts';

export { type Fault, faults } from './fault-proxy/fault.ts';

/** One request as it came in; positions count from 1. */
export interface ProxiedRequest {
  readonly nth: number;
  /** Its place among the writes; 0 for a read. */
  readonly write: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface FaultRule {
  readonly when: (request: ProxiedRequest) => boolean;
  readonly fault: Fault;
  /**
   * Once when absent; `same`: of the request that it met first every repetition too; `each`: whenever it fits;
   * `all`: everything from the first on.
   */
  readonly repeat?: 'same' | 'each' | 'all';
}

export interface ProxyOptions {
  /** `http://…` or `https://…` of the real server. */
  readonly upstream: string;
  /** How an `https` server is trusted, and what is shown to it. */
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>;
}

export interface FaultProxy {
  /** Plain HTTP, whatever the server speaks. */
  readonly url: string;
  readonly requests: () => readonly ProxiedRequest[];
  /** How often a rule has met a request since they were set. */
  readonly met: () => number;
  /** Other rules, and counting starts anew. */
  readonly set: (rules: readonly FaultRule[]) => void;
  /** Nothing is under way any more, also of those who did not wait for the answer. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export function nthWrite(nth: number): FaultRule['when'] {
  return ({ write }) => write === nth;
}

export function nthRequest(nth: number): FaultRule['when'] {
  return (request) => request.nth === nth;
}

/** A page of a list behind the first one. */
export function isNextPage({ query }: ProxiedRequest): boolean {
  return query.has('continue');
}

interface Reply {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Of one connection only, or of the body as it was sent before. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

type Forward = (incoming: IncomingMessage, body: Buffer) => Promise<Reply>;

function forwarder({ upstream, tls = {} }: ProxyOptions): {
  readonly forward: Forward;
  readonly end: () => void;
} {
  const secure = upstream.startsWith('https:');
  const agent = secure ? new SecureAgent({ keepAlive: true, ...tls }) : new Agent({ keepAlive: true });
  const forward: Forward = (incoming, body) =>
    new Promise((resolve, reject) => {
      const headers = { ...endToEnd(incoming.headers), 'content-length': String(body.length) };
      const target = new URL(incoming.url ?? '/', upstream);
      const options = { method: incoming.method, headers, agent };
      const sent = (secure ? sendHttps : sendHttp)(target, options, (reply) => {
        bytesOf(reply).then(
          (bytes) => resolve({ code: reply.statusCode ?? 0, headers: endToEnd(reply.headers), body: bytes }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { forward, end: () => agent.destroy() };
}

function sendWhole(response: ServerResponse, { code, headers, body }: Reply): void {
  response.writeHead(code, { ...headers, 'content-length': body.length });
  response.end(body);
}

function canned({ code, contentType, body, headers = {} }: CannedAnswer): Reply {
  return { code, headers: { ...headers, 'content-type': contentType }, body: Buffer.from(body) };
}

/** Half of the body, then a reset instead of the rest. */
async function sendHalf(response: ServerResponse, { code, headers, body }: Reply): Promise<void> {
  response.writeHead(code, { ...headers, 'content-length': body.length });
  await new Promise<void>((resolve) => {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => resolve());
  });
  response.socket?.resetAndDestroy();
}

async function sendSlowly(
  response: ServerResponse,
  { code, headers, body }: Reply,
  { pieces, pauseMs }: Extract<Fault, { fault: 'dribble' }>,
): Promise<void> {
  response.writeHead(code, { ...headers, 'content-length': body.length });
  const size = Math.max(1, Math.ceil(body.length / pieces));
  for (let from = 0; from < body.length && !response.destroyed; from += size) {
    await sleep(pauseMs);
    response.write(body.subarray(from, from + size));
  }
  response.end();
}

type Exchange = (
  fault: Fault | undefined,
  response: ServerResponse,
  forward: () => Promise<Reply>,
) => Promise<void>;

const exchange: Exchange = async (fault, response, forward) => {
  switch (fault?.fault) {
    case undefined:
      return sendWhole(response, await forward());
    case 'cut':
      if (fault.forwarded) await forward();
      response.socket?.destroy();
      return undefined;
    case 'hang':
      if (fault.forwarded) await forward();
      return undefined;
    case 'answer':
      if (fault.forwarded) await forward();
      return sendWhole(response, canned(fault.answer));
    case 'reset':
      return sendHalf(response, await forward());
    case 'truncate': {
      const reply = await forward();
      return sendWhole(response, {
        ...reply,
        body: reply.body.subarray(0, Math.floor(reply.body.length / 2)),
      });
    }
    case 'dribble':
      return sendSlowly(response, await forward(), fault);
  }
};

/** A rule at work: what it has met already. */
interface Live {
  readonly rule: FaultRule;
  /** Method, path and body of the request that it met first. */
  first: string | undefined;
}

interface Watch {
  live: readonly Live[];
  seen: ProxiedRequest[];
  writes: number;
  met: number;
}

function noteRequest(watch: Watch, incoming: IncomingMessage): ProxiedRequest {
  const { method = 'GET' } = incoming;
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://proxy');
  const isWrite = method !== 'GET';
  if (isWrite) watch.writes += 1;
  const request: ProxiedRequest = {
    nth: watch.seen.length + 1,
    write: isWrite ? watch.writes : 0,
    method,
    path: pathname,
    query: searchParams,
  };
  watch.seen.push(request);
  return request;
}

function faultFor(watch: Watch, request: ProxiedRequest, id: string): Fault | undefined {
  const found = watch.live.find(({ rule, first }) => {
    if (first === undefined || rule.repeat === 'each') return rule.when(request);
    return rule.repeat === 'all' || (rule.repeat === 'same' && first === id);
  });
  if (found === undefined) return undefined;
  found.first ??= id;
  watch.met += 1;
  return found.rule.fault;
}

function newWatch(rules: readonly FaultRule[]): Watch {
  return { live: rules.map((rule) => ({ rule, first: undefined })), seen: [], writes: 0, met: 0 };
}

/** Stands on the loopback interface between a client and a server, and spoils what its rules say. */
export async function faultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const { forward, end } = forwarder(options);
  const state = { watch: newWatch([]) };
  const underWay = new Set<Promise<void>>();
  const server = createServer((incoming, response) => {
    const request = noteRequest(state.watch, incoming);
    const { watch } = state;
    const answering = (async () => {
      const body = await bytesOf(incoming);
      const fault = faultFor(watch, request, `${request.method} ${incoming.url ?? ''} ${body.toString()}`);
      await exchange(fault, response, () => forward(incoming, body));
    })().catch(() => {
      response.socket?.destroy();
    });
    underWay.add(answering);
    void answering.then(() => underWay.delete(answering));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => [...state.watch.seen],
    met: () => state.watch.met,
    set: (rules) => {
      state.watch = newWatch(rules);
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: () =>
      new Promise((resolve) => {
        end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
