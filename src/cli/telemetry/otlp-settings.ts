import type { Io } from '#cli/io.ts';
import type { Attributes } from '#render/metrics/otlp.ts';

/** What the environment says of pushing metrics by OTLP, with the names that OpenTelemetry gives it. */
export interface OtlpSettings {
  readonly url: string;
  readonly encoding: 'protobuf' | 'json';
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
  readonly resource: Attributes;
  /** Files in PEM. */
  readonly files: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Settings that were passed over; none holds a value, which may be a secret. */
  readonly notes: readonly string[];
}

type ReadOtlp =
  | { readonly state: 'off' }
  /** It was asked for in a way that is not known here. */
  | { readonly state: 'unusable'; readonly reason: string }
  | ({ readonly state: 'on' } & OtlpSettings);

const EXPORTER = 'OTEL_METRICS_EXPORTER';
const LOCAL = 'http://localhost:4318';
const PATH = '/v1/metrics';

/** An empty variable counts as none. */
function variable(env: Io['env'], name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** The variable for metrics alone, else the one for every signal. */
function named(env: Io['env'], name: string): readonly [string, string] | undefined {
  for (const full of [`OTEL_EXPORTER_OTLP_METRICS_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
    const value = variable(env, full);
    if (value !== undefined) return [full, value];
  }
  return undefined;
}

/** Whether anything asks for it; the rest of this file is of no use elsewhere. */
export function isOtlpAsked(env: Io['env']): boolean {
  if (variable(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = variable(env, EXPORTER);
  if (exporter === 'none') return false;
  return exporter !== undefined || named(env, 'ENDPOINT') !== undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}

/** `key=value,key=value`, both percent-encoded. */
function readPairs(env: Io['env'], name: string, notes: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of (variable(env, name) ?? '').split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const key = at < 1 ? undefined : decoded(part.slice(0, at));
    const value = decoded(part.slice(at + 1));
    if (key === undefined || key === '' || value === undefined)
      notes.push(`${name} has a part that is no key=value, with both percent-encoded: it was left out`);
    else pairs[key] = value;
  }
  return pairs;
}

function readTimeout(env: Io['env'], notes: string[]): number | undefined {
  const found = named(env, 'TIMEOUT');
  if (found === undefined) return undefined;
  const [name, value] = found;
  if (/^\d{1,9}$/.test(value)) return Number(value) === 0 ? undefined : Number(value);
  notes.push(`${name} is no number of milliseconds: it was left out`);
  return undefined;
}

/** The endpoint for metrics is taken as it is, the one for every signal is where their paths begin. */
function endpointOf(env: Io['env']): readonly [string, string] {
  const own = 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT';
  const [name, value] = named(env, 'ENDPOINT') ?? ['its default', LOCAL];
  return [name, name === own ? value : `${value.replace(/\/+$/, '')}${PATH}`];
}

/** `OTEL_SERVICE_NAME` wins over the same attribute; parts of one whole tell themselves apart. */
function resourceOf(env: Io['env'], identity: Attributes, notes: string[]): Attributes {
  const attributes = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES', notes);
  const name = variable(env, 'OTEL_SERVICE_NAME');
  return { ...identity, ...attributes, ...(name === undefined ? {} : { 'service.name': name }) };
}

function filesOf(env: Io['env']): OtlpSettings['files'] {
  const [, ca] = named(env, 'CERTIFICATE') ?? [];
  const [, cert] = named(env, 'CLIENT_CERTIFICATE') ?? [];
  const [, key] = named(env, 'CLIENT_KEY') ?? [];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

const ENCODINGS: Readonly<Record<string, OtlpSettings['encoding']>> = {
  'http/protobuf': 'protobuf',
  'http/json': 'json',
};

/**
 * Reads the standard variables of the OTLP exporter.
 * @param identity what is sent as resource unless they say otherwise
 */
export function readOtlpSettings(env: Io['env'], identity: Attributes): ReadOtlp {
  if (!isOtlpAsked(env)) return { state: 'off' };
  const exporter = variable(env, EXPORTER);
  if (exporter !== undefined && exporter !== 'otlp')
    return {
      state: 'unusable',
      reason: `${EXPORTER} is neither otlp nor none, which is all that is known here`,
    };
  const [protocolName, protocol] = named(env, 'PROTOCOL') ?? ['', 'http/protobuf'];
  const encoding = ENCODINGS[protocol];
  if (encoding === undefined) {
    const reason = `${protocolName} is neither http/protobuf nor http/json; gRPC is not known here`;
    return { state: 'unusable', reason };
  }
  const [endpointName, url] = endpointOf(env);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { state: 'unusable', reason: `${endpointName} is no http or https URL` };
  const notes: string[] = [];
  const headers = {
    ...readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS', notes),
    ...readPairs(env, 'OTEL_EXPORTER_OTLP_METRICS_HEADERS', notes),
  };
  const timeoutMs = readTimeout(env, notes);
  const resource = resourceOf(env, identity, notes);
  return { state: 'on', url, encoding, headers, timeoutMs, resource, files: filesOf(env), notes };
}
