import { type IncomingMessage, type RequestOptions, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { PushReply, PushRequest } from '#core/push.ts';
import { strike } from './strike.ts';

/** More of an answer than anybody is shown, so that what is struck out of it stands in it whole. */
const MOST_TEXT = 4096;

function reasonOf(error: Error): string {
  // What Node says beside the code has the address in it.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function refusalOf(reply: IncomingMessage, text: string, request: PushRequest): PushReply {
  const isText = reply.headers['content-type']?.startsWith('text/plain') === true;
  const said = isText ? strike(text.slice(0, MOST_TEXT).trim(), request) : '';
  return {
    state: 'refused',
    reason: `the answer was ${reply.statusCode}${said === '' ? '' : `: ${said}`}`,
  };
}

function optionsOf(
  { method, headers, body, tls }: PushRequest,
  url: URL,
  signal: AbortSignal,
): RequestOptions {
  const { auth, ...address } = urlToHttpOptions(url);
  return {
    ...address,
    method,
    // A connection that is kept would keep the process.
    agent: false,
    signal,
    headers: {
      'User-Agent': 'minutehand',
      ...headers,
      // A user in the URL wins over a header; Node has it the other way round.
      ...(auth == null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    },
    ...tls,
  };
}

/** Sends one request and waits for its answer, as long as it may take. No redirect is followed, nothing is thrown. */
export function sendPush(request: PushRequest, stop: AbortSignal): Promise<PushReply> {
  const { url: address, body, timeoutMs } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve) => {
    const fail = (error: Error): void => {
      if (limit.aborted) resolve({ state: 'late', reason: `no answer within ${timeoutMs / 1000} s` });
      else if (stop.aborted) resolve({ state: 'late', reason: 'stopped before there was an answer' });
      else resolve({ state: 'refused', reason: reasonOf(error) });
    };
    const receive = (reply: IncomingMessage): void => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => {
        if (text.length < MOST_TEXT) text += piece;
      });
      reply.on('error', fail);
      reply.on('end', () => {
        const status = reply.statusCode ?? 0;
        resolve(status >= 200 && status < 300 ? { state: 'taken' } : refusalOf(reply, text, request));
      });
    };
    try {
      const url = new URL(address);
      const options = optionsOf(request, url, AbortSignal.any([limit, stop]));
      const out = (url.protocol === 'https:' ? sendHttps : sendHttp)(options, receive);
      out.on('error', fail);
      out.end(body);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
