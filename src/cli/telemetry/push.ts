import type { Io } from '#cli/io.ts';
import { VERSION } from '#cli/version-number.ts';
import type { PushReply, PushRequest } from '#core/push.ts';
import { isCompleted, type TickRecord } from '#core/tick-record.ts';
import { maskedText } from '#render/masked-text.ts';
import { expositionText } from '#render/metrics/exposition.ts';
import { type Attributes, otlpRequest } from '#render/metrics/otlp.ts';
import { otlpProtobuf } from '#render/metrics/otlp-protobuf.ts';
import { type MetricFamily, tickMetrics } from '#render/metrics/tick-metrics.ts';
import { cut } from '#render/wrap.ts';
import { type OtlpSettings, readOtlpSettings } from './otlp-settings.ts';
import type { TelemetryWish } from './wish.ts';

/** For all of it together, whatever the environment says: the next tick is a minute away. */
const LIMIT_MS = 2000;
/** As much of an answer as a sentence can hold. */
const MOST_REASON = 200;

interface Push {
  /** For people: what was to be told. */
  readonly what: string;
  readonly request: Omit<PushRequest, 'timeoutMs'> & { readonly timeoutMs?: number | undefined };
}

/** A host is told, since one has to know which; a path and a query may be secrets. */
function shownHost(url: string): string {
  return new URL(url).host;
}

/** One group for each part of all schedules, so that no part takes the place of another. */
function groupUrl(base: string, { shard }: TickRecord): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  const job = /\/metrics\/job(@base64)?\//.test(path) ? path : `${path}/metrics/job/minutehand`;
  url.pathname = shard === undefined ? job : `${job}/shard/${shard.index}`;
  return url.href;
}

/** A tick that failed knows less, and takes the place only of what it knows: when the last one was done stays. */
function pushgatewayPush(url: string, record: TickRecord, families: readonly MetricFamily[]): Push {
  return {
    what: `metrics to the Pushgateway ${shownHost(url)}`,
    request: {
      method: isCompleted(record) ? 'PUT' : 'POST',
      url: groupUrl(url, record),
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: expositionText(families),
    },
  };
}

async function readFiles(files: OtlpSettings['files'], io: Io): Promise<NonNullable<PushRequest['tls']>> {
  const names = ['ca', 'cert', 'key'] as const;
  const texts = names.map(async (name) => {
    const path = files[name];
    return path === undefined ? [] : [[name, await io.readText(path)] as const];
  });
  return Object.fromEntries((await Promise.all(texts)).flat());
}

async function otlpPush(
  settings: OtlpSettings,
  families: readonly MetricFamily[],
  atMs: number,
  io: Io,
): Promise<Push> {
  const { url, encoding, headers, timeoutMs, resource, files } = settings;
  const request = otlpRequest(families, { resource, version: VERSION, atMs });
  const isJson = encoding === 'json';
  return {
    what: `metrics to ${shownHost(url)} by OTLP`,
    request: {
      method: 'POST',
      url,
      headers: { ...headers, 'Content-Type': isJson ? 'application/json' : 'application/x-protobuf' },
      body: isJson ? JSON.stringify(request) : otlpProtobuf(request),
      timeoutMs,
      tls: await readFiles(files, io),
    },
  };
}

function pingPush({ ping, pingFail }: TelemetryWish, { exitCode }: TickRecord): readonly Push[] {
  const url = exitCode === 0 ? ping : pingFail;
  if (url === undefined) return [];
  return [{ what: `the ping to ${shownHost(url)}`, request: { method: 'GET', url, headers: {} } }];
}

function failureText({ what }: Push, reply: Exclude<PushReply, { state: 'taken' }>): string {
  return `${what} did not go through: ${cut(maskedText(reply.reason), MOST_REASON)}`;
}

function identityOf({ shard }: TickRecord): Attributes {
  const part = shard === undefined ? {} : { 'service.instance.id': `shard-${shard.index}` };
  return { 'service.name': 'minutehand', 'service.version': VERSION, ...part };
}

/**
 * Tells whoever is to be told how a tick went, all of them at once and inside one limit.
 * @returns what did not go through, as sentences; it is never a failure of the tick
 */
export async function pushTick(record: TickRecord, wish: TelemetryWish, io: Io): Promise<readonly string[]> {
  const atMs = io.clock();
  const families = tickMetrics(record, atMs / 1000);
  const notes: string[] = [];
  const pushes = [...pingPush(wish, record)];
  if (wish.pushgateway !== undefined) pushes.push(pushgatewayPush(wish.pushgateway, record, families));
  const otlp = readOtlpSettings(io.env, identityOf(record));
  if (otlp.state === 'unusable') notes.push(`no metrics were pushed by OTLP: ${otlp.reason}`);
  if (otlp.state === 'on') {
    notes.push(...otlp.notes);
    try {
      pushes.push(await otlpPush(otlp, families, atMs, io));
    } catch {
      notes.push('no metrics were pushed by OTLP: a file that OTEL_EXPORTER_OTLP_… names cannot be read');
    }
  }
  const replies = pushes.map(async (push) => {
    const { timeoutMs = LIMIT_MS, ...request } = push.request;
    const reply = await io.push({ ...request, timeoutMs: Math.min(timeoutMs, LIMIT_MS) });
    return reply.state === 'taken' ? [] : [failureText(push, reply)];
  });
  return [...notes, ...(await Promise.all(replies)).flat()];
}
