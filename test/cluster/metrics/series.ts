const LINE = /^([a-z_:]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** A series as it is compared: its labels by name, without those that say a second time what kind it is of. */
export function seriesName(metric: string, labels: Readonly<Record<string, string>>): string {
  const texts = Object.entries(labels)
    .filter(([name]) => !name.startsWith('customresource_'))
    .map(([name, value]) => `${name}="${value}"`);
  return `${metric}{${texts.sort().join(',')}}`;
}

/** The text format of Prometheus, read. */
export function seriesOf(text: string): ReadonlyMap<string, number> {
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, metric = '', labels = '', value] = LINE.exec(line) ?? [];
    if (metric === '') throw new Error(`not a line of a metric: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(([, name = '', content = '']) => [name, content]);
    series.set(seriesName(metric, Object.fromEntries(pairs)), Number(value));
  }
  return series;
}
