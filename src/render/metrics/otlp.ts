import type { MetricFamily } from '#render/metrics/tick-metrics.ts';

/** Words that say what sends, such as `service.name`. */
export type Attributes = Readonly<Record<string, string>>;

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

interface DataPoint {
  readonly attributes: readonly KeyValue[];
  /** A 64-bit number is a text in the JSON of protocol buffers. */
  readonly timeUnixNano: string;
  readonly asDouble: number;
}

interface OtlpMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly gauge: { readonly dataPoints: readonly DataPoint[] };
}

/** `ExportMetricsServiceRequest` of opentelemetry-proto 1, as far as gauges need it. */
export interface OtlpRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly metrics: readonly OtlpMetric[];
    }[];
  }[];
}

function keyValues(words: readonly (readonly [string, string])[]): readonly KeyValue[] {
  return words.map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** @param atMs milliseconds since 1970 */
export function otlpRequest(
  families: readonly MetricFamily[],
  {
    resource,
    version,
    atMs,
  }: { readonly resource: Attributes; readonly version: string; readonly atMs: number },
): OtlpRequest {
  const timeUnixNano = `${Math.trunc(atMs)}000000`;
  const metrics = families.map(({ definition, samples }) => {
    const { dotted, help, unit, labels } = definition;
    const dataPoints = samples.map((sample) => ({
      attributes: keyValues(labels.map((label, index) => [label, sample.labels[index] ?? ''])),
      timeUnixNano,
      asDouble: sample.value,
    }));
    return { name: dotted, description: help, unit, gauge: { dataPoints } };
  });
  return {
    resourceMetrics: [
      {
        resource: { attributes: keyValues(Object.entries(resource)) },
        scopeMetrics: [{ scope: { name: 'minutehand', version }, metrics }],
      },
    ],
  };
}
