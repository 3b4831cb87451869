import type { Json, JsonObject } from '#core/object/object.ts';
import { objectsOf, schemaAt, textOf, textsOf } from './schema.ts';

/** Which requests a policy or a binding is about. */
export interface MatchResources {
  readonly rules: readonly JsonObject[];
  readonly except: readonly JsonObject[];
  readonly namespaceSelector: Json | undefined;
  readonly objectSelector: Json | undefined;
  /** Another version of the same resource counts as well. */
  readonly equivalent: boolean;
}

export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly ignoresErrors: boolean;
  readonly conditions: readonly JsonObject[];
  readonly variables: readonly JsonObject[];
  readonly validations: readonly JsonObject[];
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
}

export interface Binding {
  readonly name: string;
  readonly policy: string;
  readonly match: MatchResources | undefined;
  readonly paramRef: JsonObject | undefined;
  /** What a broken rule does; neither = it is only recorded. */
  readonly action: 'error' | 'warning' | undefined;
}

const GROUP = 'admissionregistration.k8s.io/';

function isKind(object: JsonObject, kind: string): boolean {
  const { apiVersion } = object;
  return object['kind'] === kind && typeof apiVersion === 'string' && apiVersion.startsWith(GROUP);
}

function nameOf(object: JsonObject): string {
  return textOf(schemaAt(object, 'metadata')?.['name']) ?? '';
}

function readMatch(match: JsonObject): MatchResources {
  return {
    rules: objectsOf(match['resourceRules']),
    except: objectsOf(match['excludeResourceRules']),
    namespaceSelector: match['namespaceSelector'],
    objectSelector: match['objectSelector'],
    equivalent: match['matchPolicy'] !== 'Exact',
  };
}

export function readPolicy(object: JsonObject): Policy | undefined {
  if (!isKind(object, 'ValidatingAdmissionPolicy')) return undefined;
  const spec = schemaAt(object, 'spec') ?? {};
  const paramKind = schemaAt(spec, 'paramKind');
  return {
    name: nameOf(object),
    match: readMatch(schemaAt(spec, 'matchConstraints') ?? {}),
    ignoresErrors: spec['failurePolicy'] === 'Ignore',
    conditions: objectsOf(spec['matchConditions']),
    variables: objectsOf(spec['variables']),
    validations: objectsOf(spec['validations']),
    paramKind:
      paramKind === undefined
        ? undefined
        : { apiVersion: textOf(paramKind['apiVersion']) ?? '', kind: textOf(paramKind['kind']) ?? '' },
  };
}

export function readBinding(object: JsonObject): Binding | undefined {
  if (!isKind(object, 'ValidatingAdmissionPolicyBinding')) return undefined;
  const spec = schemaAt(object, 'spec') ?? {};
  const match = schemaAt(spec, 'matchResources');
  const actions = textsOf(spec['validationActions']);
  const action = actions.includes('Deny') ? 'error' : actions.includes('Warn') ? 'warning' : undefined;
  return {
    name: nameOf(object),
    policy: textOf(spec['policyName']) ?? '',
    match: match === undefined ? undefined : readMatch(match),
    paramRef: schemaAt(spec, 'paramRef'),
    action,
  };
}
