import { describe, expect, test } from 'vitest';
import { OUR_DEFINITIONS, readDefinitions } from '#test/cluster/world/definitions.ts';
import { readDocuments } from '#test/examples/cluster-files.ts';
import { allRules, readYaml, ruleGroups } from './files.ts';
import { type MetricEntry, type ResourceEntry, resourceEntries } from './metric-names.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const definitions = await readDefinitions(OUR_DEFINITIONS);

function schemaOf({ groupVersionKind: { group, version, kind } }: ResourceEntry): Schema {
  const definition = definitions.find(
    ({ spec }) => spec.group === group && (spec.names as { readonly kind?: string }).kind === kind,
  );
  const served = definition?.spec.versions.find(({ name }) => name === version);
  if (served === undefined) throw new Error(`no definition of ${group}/${version} ${kind}`);
  return served.schema.openAPIV3Schema;
}

/** What lies at a path; of a list, what lies there in each entry. */
function at(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  if (schema === undefined) return undefined;
  if (schema.items !== undefined) return at(schema.items, path);
  const [head, ...rest] = path;
  return head === undefined ? schema : at(schema.properties?.[head], rest);
}

/** Of the metadata a definition says nothing. */
function kindOf(schema: Schema | undefined, path: readonly string[]): string {
  if (path[0] === 'metadata') return path[1] === 'creationTimestamp' ? 'date-time' : 'string';
  const { type, format } = at(schema, path) ?? {};
  return type === 'string' && format === 'date-time' ? format : (type ?? 'absent');
}

/** What each suffix of a name promises. */
function wanted(name: string): readonly string[] {
  if (name.endsWith('_timestamp_seconds')) return ['date-time'];
  if (name.endsWith('_suspended')) return ['boolean'];
  if (/_(bytes|failures)$/.test(name)) return ['integer'];
  return ['string'];
}

function pathsOf({ name, labelsFromPath, each }: MetricEntry) {
  const {
    path = [],
    valueFrom = [],
    labelsFromPath: inner = {},
  } = each.gauge ?? each.info ?? each.stateSet ?? {};
  const labels = Object.values(inner).map((label) => ({ path: [...path, ...label], kinds: ['string'] }));
  const outer = Object.values(labelsFromPath ?? {}).map((label) => ({ path: label, kinds: ['string'] }));
  const value = each.info === undefined ? [{ path: [...path, ...valueFrom], kinds: wanted(name) }] : [];
  return [...value, ...labels, ...outer];
}

const rows = resourceEntries().flatMap((entry) =>
  entry.metrics.map((metric) => ({ kind: entry.groupVersionKind.kind, name: metric.name, entry, metric })),
);

describe('what kube-state-metrics is told to read', () => {
  test.each(rows)(
    '$kind: $name lies where the definition has it, and is of its type',
    ({ entry, metric }) => {
      const schema = schemaOf(entry);
      for (const { path, kinds } of pathsOf(metric)) {
        expect({ path, kind: kindOf(schema, path) }).toEqual({ path, kind: kinds[0] });
      }
    },
  );

  test.each(resourceEntries())('$groupVersionKind.kind has the labels of all', (entry) => {
    const { commonLabels, labelsFromPath, metricNamePrefix, groupVersionKind } = entry;
    expect([metricNamePrefix, commonLabels]).toEqual(['minutehand', { kind: groupVersionKind.kind }]);
    expect(labelsFromPath).toMatchObject({
      namespace: ['metadata', 'namespace'],
      name: ['metadata', 'name'],
    });
    for (const path of Object.values(labelsFromPath)) expect(kindOf(schemaOf(entry), path)).toBe('string');
  });

  test('may be read with the role beside it, and nothing else may', () => {
    const [role] = readDocuments('examples/monitoring/rbac.yaml');
    const rules = role?.['rules'] as readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }[];
    const granted = rules.flatMap(({ apiGroups, resources, verbs }) => {
      expect(verbs).toEqual(['list', 'watch']);
      return resources.map((resource) => `${resource}.${apiGroups[0]}`);
    });
    const read = resourceEntries().map(({ groupVersionKind: { group, kind } }) => {
      const definition = definitions.find(
        ({ spec }) => spec.group === group && (spec.names as { readonly kind?: string }).kind === kind,
      );
      return `${definition?.spec.names.plural}.${group}`;
    });
    const own = ['cronjobs.batch', 'customresourcedefinitions.apiextensions.k8s.io'];
    expect([...granted].sort()).toEqual([...read, ...own].sort());
  });
});

describe('the PrometheusRule', () => {
  test('has the rules of the plain file', () => {
    expect(readYaml('prometheus-rule.yaml')).toMatchObject({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      spec: { groups: ruleGroups() },
    });
    expect(allRules().length).toBeGreaterThan(20);
  });
});
