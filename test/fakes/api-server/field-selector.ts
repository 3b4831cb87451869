import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

import { badRequest, Refused } from '#test/fakes/api-server/answer.ts';
import type { ServedKind } from '#test/fakes/api-server/options.ts';

/** What types that a server is built with select by, beside name and namespace. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  'events.k8s.io/Event': ['reason', 'type', 'reportingController', 'regarding.name', 'regarding.namespace'],
  'batch/Job': ['status.successful'],
};

function valueAt(object: KubeObject, path: string): string {
  // Zero where a Job says nothing.
  if (path === 'status.successful') return valueAt(object, 'status.succeeded') || '0';
  const value = path
    .split('.')
    .reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), object);
  return value === undefined ? '' : String(value);
}

type Term = readonly [path: string, value: string, isEqual: boolean];

function termOf(text: string): Term {
  const [, path = '', operator = '', value = ''] = /^([^=!]+)(!=|==?)(.*)$/.exec(text) ?? [];
  if (path === '') throw new Refused(badRequest(`invalid field selector: ${text}`));
  return [path, value, operator !== '!='];
}

/** Comma-separated comparisons; a field that the type does not offer is refused. */
export function selectorOf(kind: ServedKind, text: string): (object: KubeObject) => boolean {
  const { type, selectableFields = [] } = kind;
  const own = SELECTABLE[`${type.group}/${type.kind}`] ?? [];
  const offered = new Set(['metadata.name', 'metadata.namespace', ...own]);
  for (const path of selectableFields) offered.add(path.replace(/^\./, ''));
  const terms = text === '' ? [] : text.split(',').map(termOf);
  const unknown = terms.find(([path]) => !offered.has(path));
  if (unknown !== undefined) {
    throw new Refused(badRequest(`field label not supported: ${unknown[0]}`));
  }
  return (object) => terms.every(([path, value, isEqual]) => (valueAt(object, path) === value) === isEqual);
}
