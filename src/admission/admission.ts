import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { groupOf, type ResourceType } from '#core/object/resource.ts';
import { builtInResource } from './built-in-resources.ts';
import { createEvaluator } from './cel/evaluator.ts';
import type { Definition } from './definition.ts';
import { definitionJudge } from './definition-rules.ts';
import type { Judged } from './judged.ts';
import type { Broken } from './outcome.ts';
import { parametersFor } from './parameters.ts';
import type { Binding, Policy } from './policy.ts';
import { type Matched, type MatchFacts, matches } from './policy-match.ts';
import { policyJudge } from './policy-rules.ts';
import { objectValue, type RequestFacts, requestValue } from './request.ts';
import { definitionId, type RuleSet } from './rule-set.ts';
import { labelsOf, schemaAt, textOf } from './schema.ts';
import { admitted } from './structural.ts';
import { createTally, type Tally } from './tally.ts';
import { plainValue } from './typed-value.ts';

/** What is known beside the rules. */
export interface Surroundings {
  readonly types: readonly ResourceType[];
  /** Namespaces and parameters are looked for among these. */
  readonly objects: readonly JsonObject[];
}

export interface Admission {
  /** The rules of its definition and of all policies that an object breaks. */
  readonly judge: (judged: Judged) => readonly Broken[];
  readonly tally: Tally;
}

/** A server never asks policies about what its policies are made of. */
const EXEMPT = 'admissionregistration.k8s.io';

interface Form {
  readonly plural: string | undefined;
  readonly namespaced: boolean | undefined;
}

interface Seen {
  readonly facts: RequestFacts;
  readonly match: MatchFacts;
  readonly namespace: JsonObject | undefined;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

function metadataOf(object: JsonObject): JsonObject {
  return schemaAt(object, 'metadata') ?? {};
}

function versionOf(object: JsonObject): string {
  const text = textOf(object['apiVersion']) ?? '';
  return text.slice(text.indexOf('/') + 1);
}

/** What is written beside a status that is written by itself does not change it. */
function withOwnStatus(judged: Judged, definition: Definition | undefined): Judged {
  const { object, old, subresource } = judged;
  if (object === undefined || subresource === 'status') return judged;
  if (definition?.statusApart.has(versionOf(object)) !== true) return judged;
  const { status: _, ...rest } = object;
  const kept = old?.['status'];
  return { ...judged, object: kept === undefined ? rest : { ...rest, status: kept } };
}

/** Evaluates rules on objects, as a server would when they are applied, as far as manifests tell. */
export function createAdmission(rules: RuleSet, { types, objects }: Surroundings): Admission {
  const evaluator = createEvaluator();
  const tally = createTally();
  const definitions = definitionJudge(evaluator, tally);
  const policies = policyJudge(evaluator, tally);
  const namespaces = new Map(
    objects
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
      .map((object) => [textOf(metadataOf(object)['name']), object]),
  );

  function formOf(group: string, kind: string, definition: Definition | undefined): Form {
    const type = types.find((one) => one.group === group && one.kind === kind);
    const known = definition ?? type ?? builtInResource(group, kind);
    return { plural: known?.plural, namespaced: known?.namespaced };
  }

  function factsOf(judged: Judged, form: Form): RequestFacts {
    const object = judged.object ?? judged.old ?? {};
    const metadata = metadataOf(object);
    return {
      group: groupOf(textOf(object['apiVersion']) ?? ''),
      version: versionOf(object),
      kind: textOf(object['kind']) ?? '',
      resource: form.plural,
      subresource: judged.subresource ?? '',
      name: textOf(metadata['name']) ?? '',
      namespace: form.namespaced === false ? '' : textOf(metadata['namespace']),
      operation: judged.operation,
      dryRun: judged.dryRun ?? false,
      user: judged.user,
    };
  }

  function seen(judged: Judged, definition: Definition | undefined): Seen {
    const main = judged.object ?? judged.old ?? {};
    const form = formOf(groupOf(textOf(main['apiVersion']) ?? ''), textOf(main['kind']) ?? '', definition);
    const facts = factsOf(judged, form);
    const namespace = namespaces.get(facts.namespace);
    const schema = definition?.schemas.get(facts.version);
    const asAdmitted = (object: JsonObject | undefined): JsonObject | undefined =>
      object === undefined || schema === undefined ? object : admitted(object, schema);
    const both = [judged.object, judged.old].filter((one) => one !== undefined);
    return {
      facts,
      namespace,
      object: asAdmitted(judged.object),
      old: asAdmitted(judged.old),
      match: {
        request: facts,
        namespaced: form.namespaced,
        labels: both.map(labelsOf),
        namespaceLabels: namespace === undefined ? undefined : labelsOf(namespace),
      },
    };
  }

  function valuesOf({ facts, namespace, object, old }: Seen): [Map<string, unknown>, Map<string, string>] {
    const of = (one: JsonObject | undefined): unknown => objectValue(plainValue(one), facts, evaluator);
    const values = new Map<string, unknown>([
      ['object', of(object)],
      ['oldObject', of(old)],
      ['request', requestValue(facts, evaluator)],
    ]);
    const unknown = new Map([['authorizer', 'what an account may do is not known here']]);
    if (facts.namespace === '') values.set('namespaceObject', null);
    else if (namespace !== undefined) values.set('namespaceObject', plainValue(namespace));
    else unknown.set('namespaceObject', 'the namespace is not known here');
    return [values, unknown];
  }

  function judgeBinding(binding: Binding, policy: Policy, one: Seen): readonly Broken[] {
    if (binding.action === undefined) return [];
    const matched: Matched[] = [
      matches(policy.match, one.match, 'no'),
      binding.match === undefined ? 'yes' : matches(binding.match, one.match, 'yes'),
    ];
    if (matched.includes('no')) return [];
    const doubt = matched.flatMap((each) => (typeof each === 'string' ? [] : [each.open]))[0];
    const parameters = parametersFor(policy, binding, one.facts.namespace, objects);
    const [values, unknown] = valuesOf(one);
    const severity = binding.action;
    const object = one.object ?? {};
    if (parameters.state === 'missing') unknown.set('params', parameters.reason);
    const list: readonly Json[] = parameters.state === 'missing' ? [null] : parameters.values;
    return list.flatMap((params) => {
      if (parameters.state !== 'missing') values.set('params', plainValue(params));
      return policies.judge({ policy, severity, values, unknown, doubt, object });
    });
  }

  return {
    tally,
    judge: (asked) => {
      const object = asked.object ?? asked.old;
      if (object === undefined || !isObject(object['metadata'])) return [];
      const group = groupOf(textOf(object['apiVersion']) ?? '');
      if (group === EXEMPT) return [];
      evaluator.grant();
      const definition = rules.definitions.get(definitionId(group, textOf(object['kind']) ?? ''));
      const judged = withOwnStatus(asked, definition);
      const view = seen(judged, definition);
      const ofDefinition =
        definition === undefined || view.object === undefined
          ? []
          : definitions.judge(definition, view.facts.version, {
              object: view.object,
              old: view.old,
              isInvalid: judged.isInvalid ?? false,
            });
      const ofPolicies = rules.bindings.flatMap((binding) => {
        const policy = rules.policies.get(binding.policy);
        return policy === undefined ? [] : judgeBinding(binding, policy, view);
      });
      return [...ofDefinition, ...ofPolicies];
    },
  };
}
