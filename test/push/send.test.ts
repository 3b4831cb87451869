import { createServer, type ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { PushRequest } from '#core/push.ts';
import { sendPush } from '#push/send.ts';
import { freshTick } from '#test/cli/telemetry/ticking.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { onLoopback } from '#test/support/on-loopback.ts';
import { deadAddress, type Received, startReceiver } from '#test/support/receiver.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SERVER = selfSigned('collector');
const CLIENT = selfSigned('tick');

/** An HTTPS server that answers with the name on the certificate that it is shown. */
async function secureReceiver(options: ServerOptions = {}): Promise<string> {
  const server = createServer({ cert: SERVER.cert, key: SERVER.key, ...options }, (asked, reply) => {
    asked.resume();
    const { subject } = (asked.socket as TLSSocket).getPeerCertificate();
    reply.writeHead(418, { 'Content-Type': 'text/plain' }).end(String(subject?.CN));
  });
  return `https://${await onLoopback(server)}`;
}

function get(url: string, more: Partial<PushRequest> = {}): PushRequest {
  return { method: 'GET', url, headers: {}, timeoutMs: 20_000, ...more };
}

function send(request: PushRequest): ReturnType<typeof sendPush> {
  return sendPush(request, new AbortController().signal);
}

describe('a push', () => {
  test('goes to nobody who is not trusted', async () => {
    const reply = await send(get(await secureReceiver()));
    expect(reply).toEqual({ state: 'refused', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  test('trusts whom it is told to, and shows who it is', async () => {
    const url = await secureReceiver({ requestCert: true, rejectUnauthorized: false });
    const trusting = await send(get(url, { tls: { ca: SERVER.cert } }));
    expect(trusting).toEqual({ state: 'refused', reason: 'the answer was 418: undefined' });
    const shown = await send(get(url, { tls: { ca: SERVER.cert, cert: CLIENT.cert, key: CLIENT.key } }));
    expect(shown).toEqual({ state: 'refused', reason: 'the answer was 418: tick' });
  });

  test('reads the files that the environment of OpenTelemetry names', async () => {
    const url = await secureReceiver({ requestCert: true, rejectUnauthorized: false });
    const cwd = await temporaryFolder({ 'ca.pem': SERVER.cert, 'c.pem': CLIENT.cert, 'k.pem': CLIENT.key });
    const { stderr } = await freshTick([], {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_CERTIFICATE: `${cwd}/ca.pem`,
        OTEL_EXPORTER_OTLP_METRICS_CLIENT_CERTIFICATE: `${cwd}/c.pem`,
        OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY: `${cwd}/k.pem`,
      },
    });
    expect(stderr).toContain('by OTLP did not go through: the answer was 418: tick\n');
  });

  const FAULTS: readonly (readonly [string, (url: string) => PushRequest, string])[] = [
    [
      'a header that cannot be sent',
      (url) => get(url, { headers: { 'x-5ecret': 'a\nb' } }),
      'ERR_INVALID_CHAR',
    ],
    ['a path that cannot be sent', (url) => get(`${url}/%zz 5ecret`), 'taken'],
    ['a name that is no percent-encoding', (url) => get(url.replace('//', '//%zz:5ecret@')), 'URIError'],
    ['no URL', () => get('5ecret'), 'ERR_INVALID_URL'],
  ];
  test.each(FAULTS)('with %s throws nothing and says no secret', async (_name, request, want) => {
    const { url } = await startReceiver();
    const reply = await send(request(url));
    expect(reply.state === 'taken' ? 'taken' : reply.reason).toBe(want);
  });

  /** What is asked with, what the receiver makes of it, and what is told of that. */
  const REPEATED: readonly (readonly [
    what: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    text: (asked: Received) => string,
    told: string,
  ])[] = [
    [
      'a header',
      '/',
      { Authorization: 'Bearer hunter-two', 'X-Key': 'swordfish' },
      ({ headers }) => `no: ${headers.authorization}, hunter-two or HUNTER-TWO with ${headers['x-key']}!`,
      'no: ***, *** or *** with ***!',
    ],
    [
      'a short header',
      '/',
      { 'X-Org': '5' },
      () => 'org 5 has 500 series, not 5',
      'org *** has 500 series, not ***',
    ],
    [
      'the path',
      '/hunter-two/x9/fail',
      {},
      ({ path }) => `${path}: no hunter-two/x9 to fail`,
      '***: no ***/*** to fail',
    ],
    ['a path in percent-encoding', '/sword%20fish', {}, ({ path }) => `${path} or sword fish`, '*** or ***'],
    [
      'the query',
      '/?key=sword%22fish&n=1',
      {},
      ({ path }) => `${path}, "sword\\"fish", sword"fish, 10`,
      '/?***, "***", ***, 10',
    ],
    ['what it broke off', '/', { 'X-Key': 'swordfish' }, () => 'no swordfish, no swordf', 'no ***, no ***'],
    [
      'what stands where reading ends',
      '/',
      { 'X-Key': 'swordfish-7' },
      () => 'swordfish-7'.repeat(10_000),
      '***'.repeat(373),
    ],
    ['nothing', '/', { 'Content-Type': 'text/plain' }, () => 'no text/plain at /', 'no text/plain at /'],
  ];
  test.each(REPEATED)(
    'strikes %s out of an answer that repeats it',
    async (_what, path, headers, text, told) => {
      const { url } = await startReceiver({ status: 500, text });
      expect(await send(get(url + path, { headers }))).toEqual({
        state: 'refused',
        reason: `the answer was 500: ${told}`,
      });
    },
  );

  test('strikes the user and the password of its URL out, however they are written', async () => {
    const text = ({ headers }: Received): string =>
      `${headers.authorization} is sword/fish:hunter two, sword/fish, sword%2Ffish and hunter two`;
    const { url } = await startReceiver({ status: 401, text });
    expect(await send(get(url.replace('//', '//sword%2Ffish:hunter%20two@')))).toEqual({
      state: 'refused',
      reason: 'the answer was 401: Basic *** is ***, ***, *** and ***',
    });
  });

  test('ends where this process is told to', async () => {
    const { url } = await startReceiver('hang');
    const stop = new AbortController();
    const reply = sendPush(get(url), stop.signal);
    stop.abort();
    expect(await reply).toEqual({ state: 'late', reason: 'stopped before there was an answer' });
    expect(await sendPush(get(await deadAddress()), stop.signal)).toMatchObject({ state: 'late' });
  });
});
