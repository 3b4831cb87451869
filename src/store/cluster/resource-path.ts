import type { ResourceType } from '#core/object/resource.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

function queryText(query: Query): string {
  const parts = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

interface Target {
  /** Empty for cluster-scoped types, and for a list across namespaces. */
  readonly namespace: string;
  readonly name?: string;
  readonly subresource?: 'status';
}

/** The path of a list, an object or its subresource, with the query. */
export function resourcePath(
  { group, version, plural }: ResourceType,
  { namespace, name, subresource }: Target,
  query: Query = {},
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const parts = [
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `${root}/${parts.map(encodeURIComponent).join('/')}${queryText(query)}`;
}
