import { METRIC_NAMES } from '#render/metrics/definitions.ts';
import { readYaml, ruleGroups } from './files.ts';

/** What kube-state-metrics has of every CronJob by itself. */
export const OF_CRON_JOBS: readonly string[] = [
  'kube_cronjob_created',
  'kube_cronjob_info',
  'kube_cronjob_spec_suspend',
  'kube_cronjob_status_last_schedule_time',
  'kube_cronjob_status_last_successful_time',
];

const OF_PROMETHEUS = ['ALERTS'];

export interface MetricEntry {
  readonly name: string;
  readonly labelsFromPath?: Readonly<Record<string, readonly string[]>>;
  readonly each: Readonly<
    Record<
      'gauge' | 'info' | 'stateSet',
      | {
          readonly path: readonly string[];
          readonly valueFrom?: readonly string[];
          readonly labelsFromPath?: Readonly<Record<string, readonly string[]>>;
        }
      | undefined
    >
  > & { readonly type: string };
}

export interface ResourceEntry {
  readonly groupVersionKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly metricNamePrefix: string;
  readonly commonLabels: Readonly<Record<string, string>>;
  readonly labelsFromPath: Readonly<Record<string, readonly string[]>>;
  readonly metrics: readonly MetricEntry[];
}

/** What kube-state-metrics is told to read. */
export function resourceEntries(): readonly ResourceEntry[] {
  const file = readYaml('kube-state-metrics.yaml') as { spec: { resources: readonly ResourceEntry[] } };
  return file.spec.resources;
}

/** The series of objects, by name. */
export function namesOfObjects(): readonly string[] {
  const all = resourceEntries().flatMap(({ metricNamePrefix, metrics }) =>
    metrics.map(({ name }) => `${metricNamePrefix}_${name}`),
  );
  return [...new Set(all)];
}

/** Every name that some program of the example really exports or records. */
export function knownNames(): ReadonlySet<string> {
  const recorded = ruleGroups().flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? []));
  return new Set([...namesOfObjects(), ...METRIC_NAMES, ...OF_CRON_JOBS, ...OF_PROMETHEUS, ...recorded]);
}

const GROUPING = /\b(?:by|without)\s*\([^)]*\)/g;
const NO_NAMES =
  /"(?:[^"\\]|\\.)*"|\{[^}]*\}|\[[^\]]*\]|\b(?:on|ignoring|group_left|group_right)\s*(?:\([^)]*\))?|\boffset\s+\w+|\b(?:and|or|unless|bool)\b/g;

/** The metrics that a query asks for. */
export function namesIn(expr: string): readonly string[] {
  // An operator before a bracket must not look like a function.
  const left = expr.replaceAll(NO_NAMES, ' , ').replaceAll(GROUPING, ' ');
  return [...left.matchAll(/\b([A-Za-z_][\w:]*)\b(?!\s*\()/g)].map(([, name = '']) => name);
}
