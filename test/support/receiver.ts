import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { onLoopback } from './on-loopback.ts';

/** One request as it came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The text may be made of what came in. */
export interface Answer {
  readonly status: number;
  readonly text?: string | ((asked: Received) => string);
}

/** What a receiver does with what it gets; `hang`: nothing, ever · `drip`: an answer that never comes to its end. */
export type Manner = 'take' | 'hang' | 'drip' | 'reset' | Answer;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function drip(reply: ServerResponse): Promise<void> {
  reply.writeHead(200, { 'Content-Type': 'text/plain' });
  while (!reply.destroyed) {
    reply.write('.');
    await sleep(50);
  }
}

function textOf({ text = '' }: Answer, received: Received): string {
  return typeof text === 'string' ? text : text(received);
}

async function answer(
  manner: Manner,
  asked: IncomingMessage,
  received: Received,
  reply: ServerResponse,
): Promise<void> {
  switch (manner) {
    case 'take':
      reply.writeHead(200).end();
      return;
    case 'hang':
      return;
    case 'drip':
      return drip(reply);
    case 'reset':
      asked.socket.resetAndDestroy();
      return;
    default:
      reply
        .writeHead(manner.status, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end(textOf(manner, received));
  }
}

/** Somebody on loopback who is pushed to, until the test ends. */
export async function startReceiver(manner: Manner = 'take'): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (asked, reply) => {
    const body = await bodyOf(asked);
    const { method = '', url: path = '', headers } = asked;
    const one = { method, path, headers, body };
    received.push(one);
    await answer(manner, asked, one, reply);
  });
  return { url: `http://${await onLoopback(server)}`, received };
}

/** An address where nobody listens. */
export async function deadAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
