import type { Requests } from '#core/requests.ts';
import { type Answer, readReply } from './answer.ts';
import type { Connection } from './connection.ts';
import { type HttpReply, type HttpRequest, httpClient } from './http.ts';
import { isRepeatable, MOST_TRIES, pauseMs, type RetryBudget, spend } from './retry.ts';
import { newTally } from './tally.ts';

export interface ClientOptions {
  readonly connection: Connection;
  /** Milliseconds from the start of a request to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Milliseconds that all requests together may lose by repeating. */
  readonly retryBudgetMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** From then on nothing is asked nor repeated; a write that is under way is finished. */
  readonly stop: AbortSignal;
  /** Texts of `Warning` headers. */
  readonly onWarning: (text: string) => void;
  /** Told once, when a request is tried again that nobody answered; `reason` is the system's. */
  readonly onUnanswered?: ((server: string, reason: string) => void) | undefined;
}

/** An answer, and whether an earlier try of the same request may have gone through without one. */
export type Attempted = Answer & { readonly mayHaveArrived: boolean };

export interface Client {
  /** @param onText is told the text of a success before that is read, which takes a while where there is much of it */
  readonly send: (request: HttpRequest, onText?: (text: string) => Promise<void>) => Promise<Attempted>;
  /** What was sent so far. */
  readonly requests: () => Requests;
  readonly close: () => void;
}

/** `299 - "text"`, several in one header. */
function warningsOf(reply: HttpReply): readonly string[] {
  const header = reply.state === 'reply' ? reply.headers['warning'] : undefined;
  const raw = Array.isArray(header) ? header.join(', ') : (header ?? '');
  // Node reads headers byte by byte; API servers send UTF-8.
  const text = Buffer.from(raw, 'latin1').toString('utf8');
  return [...text.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/g, '$1'),
  );
}

/** Speaks to one API server: repeats what may go through later, inside one budget. Nothing is thrown but by `credentials`. */
export function apiClient(options: ClientOptions): Client {
  const { connection, clock, sleep, stop, onWarning } = options;
  const http = httpClient(connection, options.timeoutMs, stop);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const budget: RetryBudget = { leftMs: options.retryBudgetMs, spentUntil: 0 };
  const tally = newTally();

  async function sendOnce(
    request: HttpRequest,
    credentials: Readonly<Record<string, string>>,
  ): Promise<HttpReply> {
    const reply = await http.send(request, credentials);
    tally.answered(request.method, reply);
    return reply;
  }

  let renewal: Promise<Readonly<Record<string, string>> | undefined> | undefined;

  /** A token that ran out meanwhile is read anew, once; what cannot give a second one lets the refusal stand. */
  async function once(request: HttpRequest): Promise<HttpReply> {
    const reply = await sendOnce(request, await connection.credentials(false));
    if (reply.state !== 'reply' || reply.status !== 401) return reply;
    renewal ??= connection.credentials(true).catch(() => undefined);
    const renewed = await renewal;
    return renewed === undefined ? reply : sendOnce(request, renewed);
  }

  /** Whether the time for another try is left, which is then spent. */
  async function waitFor(reply: HttpReply, attempt: number, started: number): Promise<boolean> {
    const now = clock();
    const pause = pauseMs(reply, attempt, now);
    if (!spend(budget, started, now + pause) || attempt + 1 >= MOST_TRIES || stop.aborted) return false;
    tellUnanswered(reply);
    await Promise.race([sleep(pause), stopped]);
    return !stop.aborted;
  }

  let isTold = false;

  /** What follows is a wait, perhaps as long as the budget. */
  function tellUnanswered(reply: HttpReply): void {
    if (reply.state !== 'failed' || isTold) return;
    isTold = true;
    options.onUnanswered?.(connection.server, reply.reason);
  }

  function warn(reply: HttpReply): void {
    for (const text of warningsOf(reply)) onWarning(text);
  }

  async function send(request: HttpRequest, onText?: (text: string) => Promise<void>): Promise<Attempted> {
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt += 1) {
      const started = clock();
      const reply = await once(request);
      warn(reply);
      if (reply.state === 'reply' && reply.status === 200) await onText?.(reply.text);
      const answer = readReply(reply);
      if (!isRepeatable(reply, answer)) return { ...answer, mayHaveArrived };
      if (!(await waitFor(reply, attempt, started))) return { ...answer, mayHaveArrived };
      tally.repeated();
      mayHaveArrived ||= reply.state === 'reply' ? reply.status !== 429 : reply.mayHaveArrived;
    }
  }

  return { send, requests: tally.requests, close: http.close };
}
