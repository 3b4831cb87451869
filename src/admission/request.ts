import type { Evaluator } from './cel/evaluator.ts';
import { withUnknown } from './cel/unknown.ts';
import type { Operation } from './judged.ts';
import { plainValue } from './typed-value.ts';

/** What a server would know of the request that brings an object. */
export interface RequestFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent where the plural of the kind is not known. */
  readonly resource: string | undefined;
  readonly subresource: string;
  readonly name: string;
  /** Absent where the manifest leaves it to whoever applies it; empty for what belongs to the whole cluster. */
  readonly namespace: string | undefined;
  readonly operation: Operation;
  readonly dryRun: boolean;
  readonly user: { readonly username: string; readonly groups: readonly string[] } | undefined;
}

const WHO = 'who applies it is not known here';
const WHERE = 'the namespace is not known here';

/** The variable `request`: what only a server knows leaves the verdict open. */
export function requestValue(facts: RequestFacts, { tell }: Evaluator): ReadonlyMap<string, unknown> {
  const { group, version, kind, resource, subresource, name, namespace, operation, dryRun, user } = facts;
  const type = plainValue({ group, version, kind });
  const entries: [string, unknown][] = [
    ['kind', type],
    ['requestKind', type],
    ['subResource', subresource],
    ['requestSubResource', subresource],
    ['name', name],
    ['operation', operation],
    ['dryRun', dryRun],
  ];
  const unknown = new Map([
    ['uid', 'the request is not known here'],
    ['options', 'the request is not known here'],
  ]);
  if (resource === undefined)
    for (const key of ['resource', 'requestResource'])
      unknown.set(key, 'the plural of the kind is not known here');
  else
    for (const key of ['resource', 'requestResource'])
      entries.push([key, plainValue({ group, version, resource })]);
  if (namespace === undefined) unknown.set('namespace', WHERE);
  else entries.push(['namespace', namespace]);
  if (user === undefined) unknown.set('userInfo', WHO);
  else entries.push(['userInfo', plainValue({ username: user.username, groups: user.groups })]);
  return withUnknown(entries, unknown, tell);
}

/** What a server fills in before it asks its policies. */
const FILLED: ReadonlyMap<string, string> = new Map([
  ['uid', 'the server makes it'],
  ['creationTimestamp', 'the server makes it'],
  ['generation', 'the server makes it'],
  ['resourceVersion', 'the server makes it'],
  ['managedFields', 'the server makes it'],
  ['namespace', WHERE],
]);

/** An object as a policy sees it. */
export function objectValue(object: unknown, facts: RequestFacts, { tell }: Evaluator): unknown {
  if (!(object instanceof Map)) return object;
  const metadata: unknown = object.get('metadata');
  if (!(metadata instanceof Map)) return object;
  const unknown = new Map(
    [...FILLED].filter(
      ([key]) => !metadata.has(key) && (key !== 'namespace' || facts.namespace === undefined),
    ),
  );
  if (facts.namespace !== undefined && facts.namespace !== '') metadata.set('namespace', facts.namespace);
  const entries = [...metadata].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string');
  return new Map([...object, ['metadata', withUnknown(entries, unknown, tell)]]);
}
