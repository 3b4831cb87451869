import type { OtlpRequest } from '#render/metrics/otlp.ts';

/*
 * The wire format of protocol buffers, as far as `OtlpRequest` needs it. The numbers of the fields are those of
 * opentelemetry-proto 1.
 */

type Bytes = readonly number[];

const FIXED64 = 1;
const LENGTH = 2;

const utf8 = new TextEncoder();

function varint(value: number): Bytes {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

function message(field: number, ...parts: readonly Bytes[]): Bytes {
  const content = parts.flat();
  return [...varint(field * 8 + LENGTH), ...varint(content.length), ...content];
}

function text(field: number, value: string): Bytes {
  return message(field, [...utf8.encode(value)]);
}

function eight(field: number, write: (view: DataView) => void): Bytes {
  const view = new DataView(new ArrayBuffer(8));
  write(view);
  return [...varint(field * 8 + FIXED64), ...new Uint8Array(view.buffer)];
}

type ResourceMetrics = OtlpRequest['resourceMetrics'][number];
type ScopeMetrics = ResourceMetrics['scopeMetrics'][number];
type Metric = ScopeMetrics['metrics'][number];
type DataPoint = Metric['gauge']['dataPoints'][number];
type KeyValue = DataPoint['attributes'][number];

function keyValue(field: number, { key, value }: KeyValue): Bytes {
  return message(field, text(1, key), message(2, text(1, value.stringValue)));
}

function dataPoint(field: number, { attributes, timeUnixNano, asDouble }: DataPoint): Bytes {
  return message(
    field,
    eight(3, (view) => view.setBigUint64(0, BigInt(timeUnixNano), true)),
    eight(4, (view) => view.setFloat64(0, asDouble, true)),
    ...attributes.map((attribute) => keyValue(7, attribute)),
  );
}

function metric(field: number, { name, description, unit, gauge }: Metric): Bytes {
  const points = gauge.dataPoints.map((point) => dataPoint(1, point));
  return message(field, text(1, name), text(2, description), text(3, unit), message(5, ...points));
}

function scopeMetrics(field: number, { scope, metrics }: ScopeMetrics): Bytes {
  return message(
    field,
    message(1, text(1, scope.name), text(2, scope.version)),
    ...metrics.map((one) => metric(2, one)),
  );
}

function resourceMetrics(field: number, { resource, scopeMetrics: scopes }: ResourceMetrics): Bytes {
  return message(
    field,
    message(1, ...resource.attributes.map((attribute) => keyValue(1, attribute))),
    ...scopes.map((scope) => scopeMetrics(2, scope)),
  );
}

/** The same request in the binary encoding, which every receiver knows. */
export function otlpProtobuf(request: OtlpRequest): Uint8Array {
  return Uint8Array.from(request.resourceMetrics.flatMap((one) => resourceMetrics(1, one)));
}
