import type { MetricDefinition } from '#render/metrics/definitions.ts';
import type { MetricFamily, Sample } from '#render/metrics/tick-metrics.ts';

function labelText(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function sampleLine({ name, labels }: MetricDefinition, sample: Sample): string {
  const pairs = labels.map((label, index) => `${label}="${labelText(sample.labels[index] ?? '')}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${sample.value}\n`;
}

/** The text exposition format of Prometheus, version 0.0.4. */
export function expositionText(families: readonly MetricFamily[]): string {
  return families
    .map(({ definition, samples }) => {
      const { name, help } = definition;
      const head = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
      return head + samples.map((sample) => sampleLine(definition, sample)).join('');
    })
    .join('');
}
