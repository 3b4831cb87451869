import type { Attempted, Client } from './client.ts';

/** Long enough for what stands before the items of a list, or behind them. */
const EDGE = 4096;
const TOKEN = /"continue":"([^"\\]+)"/;

/**
 * The token of the next page as the text of a page has it: before the items in lists of built-in kinds, behind them in
 * those of others. Only the page itself, once it is read, says for sure.
 */
export function tokenIn(text: string): string | undefined {
  const head = text.slice(0, EDGE).split('[', 1)[0] ?? '';
  const tail = text.slice(-EDGE);
  return (TOKEN.exec(head) ?? TOKEN.exec(tail.slice(tail.lastIndexOf(']') + 1)))?.[1];
}

/** A page that is on its way. */
export interface SentPage {
  /** Undefined of the first one. */
  readonly token: string | undefined;
  readonly answer: Promise<Attempted>;
  /** The one behind it, if it was asked for before this one was read. */
  readonly ahead: () => SentPage | undefined;
}

/** A list that is read. */
export interface ListReading {
  readonly client: Client;
  readonly pathOf: (token: string | undefined) => string;
  /** Set once nobody waits for another page. */
  isOver: boolean;
}

/** Asks for a page; the server makes the next one while this one is read. */
export function sendPage(reading: ListReading, token: string | undefined): SentPage {
  const { client, pathOf } = reading;
  let ahead: SentPage | undefined;
  const answer = client.send({ method: 'GET', path: pathOf(token) }, async (text) => {
    const next = tokenIn(text);
    if (reading.isOver || next === undefined || next === token) return;
    ahead = sendPage(reading, next);
    // The request leaves first.
    await new Promise((resolve) => setImmediate(resolve));
  });
  // Told where it is awaited, if it ever is.
  answer.catch(() => undefined);
  return { token, answer, ahead: () => ahead };
}
