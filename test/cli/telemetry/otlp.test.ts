import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { VERSION } from '#cli/version-number.ts';
import { METRICS } from '#render/metrics/definitions.ts';
import { type Received, startReceiver } from '#test/support/receiver.ts';
import { freshTick } from './ticking.ts';

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}
interface Point {
  readonly attributes: readonly KeyValue[];
  readonly timeUnixNano: string;
  readonly asDouble: number;
}
interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly gauge: { readonly dataPoints: readonly Point[] };
}
interface Sent {
  readonly resourceMetrics: readonly [
    {
      readonly resource: { readonly attributes: readonly KeyValue[] };
      readonly scopeMetrics: readonly [
        {
          readonly scope: { readonly name: string; readonly version: string };
          readonly metrics: readonly Metric[];
        },
      ];
    },
  ];
}

/** What protobuf's compiler made of the definitions of OpenTelemetry. */
const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
);
const Definition = opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;

function decoded({ headers, body }: Received): Sent {
  if (headers['content-type'] === 'application/json') {
    const value = JSON.parse(String(body));
    expect(Definition.verify(Definition.fromObject(value))).toBe(null);
    return value;
  }
  expect(headers['content-type']).toBe('application/x-protobuf');
  return Definition.toObject(Definition.decode(body), { longs: String, arrays: true, defaults: false });
}

function words(pairs: readonly KeyValue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue]));
}

async function sentWith(env: Readonly<Record<string, string>>): Promise<{
  readonly received: readonly Received[];
  readonly stderr: string;
}> {
  const { url, received } = await startReceiver();
  const filled = Object.entries(env).map(([name, value]) => [name, value.replace('RECEIVER', url)]);
  const { code, stderr } = await freshTick([], { env: Object.fromEntries(filled) });
  expect(code).toBe(0);
  return { received, stderr };
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'RECEIVER' };

describe('metrics by OTLP', () => {
  test.each([
    ['http/protobuf', {}],
    ['http/json', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }],
  ])('%s is what the definitions of OpenTelemetry read', async (_name, env) => {
    const before = Date.now();
    const { received } = await sentWith({ ...ENDPOINT, ...env });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/metrics']);
    const [request] = received;
    if (request === undefined) throw new Error('nothing was sent');
    const [{ resource, scopeMetrics }] = decoded(request).resourceMetrics;
    expect(words(resource.attributes)).toEqual({ 'service.name': 'minutehand', 'service.version': VERSION });
    const [{ scope, metrics }] = scopeMetrics;
    expect(scope).toMatchObject({ name: 'minutehand', version: VERSION });
    const known = new Map(Object.values(METRICS).map(({ dotted, unit }) => [dotted, unit]));
    for (const { name, unit } of metrics) expect([name, unit]).toEqual([name, known.get(name)]);
    const points = metrics.flatMap(({ name, gauge }) =>
      gauge.dataPoints.map((point) => ({ ...point, name, labels: words(point.attributes) })),
    );
    const times = new Set(points.map(({ timeUnixNano }) => timeUnixNano));
    expect(times.size).toBe(1);
    const at = Number(BigInt([...times][0] ?? '0') / 1_000_000n);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    const fired = points.find(
      ({ name, labels }) =>
        name === 'minutehand.schedules' &&
        labels['kind'] === 'EtcdDefragPolicy' &&
        labels['verdict'] === 'fired',
    );
    expect(fired?.asDouble).toBe(1);
    const completed = points.find(({ name }) => name === 'minutehand.tick.last_completed_timestamp');
    expect(completed?.asDouble).toBe(at / 1000);
  });

  test('the environment says where, with which headers, and as whom', async () => {
    const { received, stderr } = await sentWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'RECEIVER/own/path',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=night, authorization=Basic%20abc%3D%3D',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-tenant=day',
      OTEL_SERVICE_NAME: 'ticks',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=pro%64,k8s.cluster.name=a',
    });
    expect(stderr).not.toContain('OTLP');
    const [request] = received;
    if (request === undefined) throw new Error('nothing was sent');
    expect(request.path).toBe('/own/path');
    expect([request.headers['x-tenant'], request.headers.authorization]).toEqual(['day', 'Basic abc==']);
    expect(words(decoded(request).resourceMetrics[0].resource.attributes)).toEqual({
      'service.name': 'ticks',
      'service.version': VERSION,
      'deployment.environment.name': 'prod',
      'k8s.cluster.name': 'a',
    });
  });

  const SILENT: readonly Readonly<Record<string, string>>[] = [
    { OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_METRICS_EXPORTER: 'none' },
  ];
  test.each(SILENT)('%j sends nothing', async (env) => {
    const { received, stderr } = await sentWith({ ...ENDPOINT, ...env });
    expect(received).toEqual([]);
    expect(stderr).not.toContain('OTLP');
  });

  const UNKNOWN: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL is neither http/protobuf nor http/json; gRPC is not known here',
    ],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is neither http/protobuf nor http/json; gRPC is not known here',
    ],
    [
      { ...ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' },
      'OTEL_METRICS_EXPORTER is neither otlp nor none, which is all that is known here',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
      'OTEL_EXPORTER_OTLP_ENDPOINT is no http or https URL',
    ],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_CERTIFICATE: 'no-such-file.pem' },
      'a file that OTEL_EXPORTER_OTLP_… names cannot be read',
    ],
  ];
  test.each(UNKNOWN)('%j is told, and nothing is sent', async (env, reason) => {
    const { received, stderr } = await sentWith(env);
    expect(received).toEqual([]);
    expect(stderr).toContain(`note: no metrics were pushed by OTLP: ${reason}\n`);
  });

  test('a header or a limit that cannot be read is left out, and its value is not shown', async () => {
    const { received, stderr } = await sentWith({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: '5ecret,x-a=1,x-b=%5ecret%',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
    });
    expect(received[0]?.headers).toMatchObject({ 'x-a': '1' });
    expect(stderr).not.toContain('5ecret');
    const notes = stderr.split('\n').filter((line) => line.includes('OTEL_'));
    const pair =
      'OTEL_EXPORTER_OTLP_HEADERS has a part that is no key=value, with both percent-encoded: it was left out';
    expect(notes).toEqual([
      `note: ${pair}`,
      `note: ${pair}`,
      'note: OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds: it was left out',
    ]);
  });

  test.each([
    ['300', '0.3 s'],
    ['600000', '2 s'],
    ['0', '2 s'],
  ])(
    'a receiver that hangs is waited for %s ms, and never longer than two seconds',
    async (timeout, shown) => {
      const { url } = await startReceiver('hang');
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: timeout };
      const { code, stderr } = await freshTick([], { env });
      expect(code).toBe(0);
      expect(stderr).toContain(
        `note: metrics to ${new URL(url).host} by OTLP did not go through: no answer within ${shown}\n`,
      );
    },
  );
});
