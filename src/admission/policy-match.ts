import { readLabelSelector } from '#api/label-selector.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import type { MatchResources } from './policy.ts';
import type { RequestFacts } from './request.ts';
import { objectsOf, schemaAt, textOf, textsOf } from './schema.ts';

/** Whether a request is meant; `open` where that depends on what is not known here. */
export type Matched = 'yes' | 'no' | { readonly open: string };

type Labels = Readonly<Record<string, string>>;

/** What is known of the objects that a match looks at. */
export interface MatchFacts {
  readonly request: RequestFacts;
  readonly namespaced: boolean | undefined;
  /** Those of the object and of what it was. */
  readonly labels: readonly Labels[];
  /** The Namespace of the request, if it was given. */
  readonly namespaceLabels: Labels | undefined;
}

/** Every namespace has this label, and nobody can change it. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

function hasOne(value: Json | undefined, wanted: string): boolean {
  const list = textsOf(value);
  return list.includes('*') || list.includes(wanted);
}

function namesResource(rule: JsonObject, { resource = '', subresource }: RequestFacts): boolean {
  return textsOf(rule['resources']).some((name) => {
    const [main = '', sub = ''] = name.split('/');
    return (main === '*' || main === resource) && (sub === '*' || sub === subresource);
  });
}

function matchesRule(rule: JsonObject, facts: MatchFacts, equivalent: boolean): Matched {
  const { request, namespaced } = facts;
  if (!hasOne(rule['apiGroups'], request.group) || !hasOne(rule['operations'], request.operation))
    return 'no';
  const scope = textOf(rule['scope']) ?? '*';
  if (namespaced !== undefined && scope !== '*' && (scope === 'Namespaced') !== namespaced) return 'no';
  const names = textsOf(rule['resourceNames']);
  if (names.length > 0 && !names.includes(request.name)) return 'no';
  const anyResource = textsOf(rule['resources']).some((name) => name === '*' || name === '*/*');
  if (request.resource === undefined && !anyResource)
    return { open: 'the plural of the kind is not known here' };
  if (!namesResource(rule, request)) return 'no';
  if (hasOne(rule['apiVersions'], request.version)) return 'yes';
  return equivalent ? { open: 'it asks for another version of the object' } : 'no';
}

function anyOf(all: readonly Matched[]): Matched {
  if (all.includes('yes')) return 'yes';
  return all.find((one) => one !== 'no') ?? 'no';
}

function allOf(all: readonly Matched[]): Matched {
  if (all.includes('no')) return 'no';
  return all.find((one) => one !== 'yes') ?? 'yes';
}

function not(one: Matched): Matched {
  if (one === 'yes') return 'no';
  return one === 'no' ? 'yes' : one;
}

function selects(selector: Json | undefined, labels: Labels): boolean {
  return selector === undefined || selector === null || readLabelSelector(selector, []).matches(labels);
}

function keysOf(selector: JsonObject): readonly string[] {
  const expressions = objectsOf(selector['matchExpressions']).map(({ key }) => textOf(key) ?? '');
  return [...Object.keys(schemaAt(selector, 'matchLabels') ?? {}), ...expressions];
}

/** The requirements of a selector that are only about the name of the namespace. */
function aboutName(selector: JsonObject): JsonObject {
  const labels = Object.entries(schemaAt(selector, 'matchLabels') ?? {});
  return {
    matchLabels: Object.fromEntries(labels.filter(([key]) => key === NAMESPACE_NAME)),
    matchExpressions: objectsOf(selector['matchExpressions']).filter(({ key }) => key === NAMESPACE_NAME),
  };
}

function inNamespace(
  selector: Json | undefined,
  { request, namespaced, namespaceLabels }: MatchFacts,
): Matched {
  if (!isObject(selector) || keysOf(selector).length === 0) return 'yes';
  // What belongs to the whole cluster is in no namespace that could be left out.
  if (namespaced === false) return 'yes';
  if (request.namespace === undefined) return { open: 'the namespace is not known here' };
  const named = { [NAMESPACE_NAME]: request.namespace };
  if (namespaceLabels !== undefined)
    return selects(selector, { ...namespaceLabels, ...named }) ? 'yes' : 'no';
  if (!selects(aboutName(selector), named)) return 'no';
  if (keysOf(selector).every((key) => key === NAMESPACE_NAME)) return 'yes';
  return { open: `the labels of namespace ${request.namespace} are not known here` };
}

/** Whether a policy, or its binding, is about a request. */
export function matches(match: MatchResources, facts: MatchFacts, whenEmpty: 'yes' | 'no'): Matched {
  const { rules, except, equivalent } = match;
  const of = (list: readonly JsonObject[]): Matched =>
    anyOf(list.map((rule) => matchesRule(rule, facts, equivalent)));
  return allOf([
    rules.length === 0 ? whenEmpty : of(rules),
    not(of(except)),
    inNamespace(match.namespaceSelector, facts),
    facts.labels.some((labels) => selects(match.objectSelector, labels)) ? 'yes' : 'no',
  ]);
}
