import { type IncomingHttpHeaders, request } from 'node:http';

export interface PlainRequest {
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  readonly contentType?: string;
  /** A text goes as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until it is given up. */
  readonly timeoutMs?: number;
}

export type PlainReply =
  | {
      readonly state: 'reply';
      readonly code: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    }
  | { readonly state: 'failed'; readonly why: string };

function whyOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

function sentText(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** One request over a connection of its own, and what became of it. */
export function plainRequest(url: string, asked: PlainRequest): Promise<PlainReply> {
  const { method = 'GET', path, contentType = 'application/json', headers = {}, timeoutMs = 5_000 } = asked;
  const text = sentText(asked.body);
  const own =
    text === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ state: 'failed', why: whyOf(error) });
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(new URL(path, url), {
      method,
      agent: false,
      signal,
      headers: { ...own, ...headers },
    });
    sent.on('error', fail);
    sent.on('response', (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('error', fail);
      reply.on('end', () => {
        const { statusCode: code = 0 } = reply;
        resolve({ state: 'reply', code, headers: reply.headers, text: Buffer.concat(parts).toString() });
      });
    });
    sent.end(text);
  });
}

/** The reply, where there has to be one. */
export async function reply(
  url: string,
  asked: PlainRequest,
): Promise<Extract<PlainReply, { state: 'reply' }>> {
  const got = await plainRequest(url, asked);
  if (got.state === 'failed') throw new Error(`${asked.method ?? 'GET'} ${asked.path}: ${got.why}`);
  return got;
}
