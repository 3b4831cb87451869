import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { TRUE_EXPRESSIONS } from '#test/admission/true-expressions.ts';
import { rule, TRUE_RULES } from '#test/admission/true-rules.ts';
import { request } from './support/request.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const LABEL = 'minutehand.dev/expression';
const SELF = '{"a": dyn({"c": 1}), "list": dyn([{"x": 1}])}';

function policy(name: string, expression: string): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        objectSelector: { matchLabels: { [LABEL]: name } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
        ],
      },
      variables: [{ name: 'self', expression: SELF }],
      validations: [{ expression: expression.replaceAll(/\bself\b/g, 'variables.self') }],
    },
  };
}

function binding(name: string): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
}

/** What the server says to a ConfigMap that one of the policies is about; empty if it takes it. */
async function refusal(name: string): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { [LABEL]: name } } };
  const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
  const { status, text } = await request(await sharedServer(), 'POST', path, { body });
  return status === 201 ? '' : text;
}

const CASES = [...TRUE_EXPRESSIONS, 'false'].map((expression, index) => ({
  name: `case-${index}`,
  expression,
}));

describeOnServer('an expression on a real API server', () => {
  const problems = new Map<string, string>();

  beforeAll(async () => {
    const server = await sharedServer();
    for (const { name, expression } of CASES) {
      const { status, text } = await request(server, 'POST', `${GROUP}/validatingadmissionpolicies`, {
        body: policy(name, expression),
      });
      if (status !== 201) problems.set(name, text);
      await request(server, 'POST', `${GROUP}/validatingadmissionpolicybindings`, { body: binding(name) });
    }
    const last = CASES.at(-1)?.name ?? '';
    await until('the policies are in force', async () => ((await refusal(last)) === '' ? undefined : true));
  }, 120_000);

  test.each(CASES.slice(0, -1))('$expression', async ({ name }) => {
    expect(problems.get(name)).toBeUndefined();
    expect(await refusal(name)).toBe('');
  });
});

function definition(index: number, spec: JsonObject): JsonObject {
  const [plural, kind] = [`things${index}`, `Thing${index}`];
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.net` },
    spec: {
      group: 'example.net',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const ROWS = TRUE_RULES.map(([text, schema, spec], index) => ({ text, schema, spec, index }));

describeOnServer('a rule of a definition on a real API server', () => {
  const refusals = new Map<number, string>();

  beforeAll(async () => {
    const server = await sharedServer();
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const { text, schema, index } of ROWS) {
      const made = await request(server, 'POST', path, {
        body: definition(index, { ...schema, ...rule(text) }),
      });
      if (made.status !== 201) refusals.set(index, made.text);
    }
  }, 120_000);

  test.each(ROWS)('$text', async ({ spec, index }) => {
    const server = await sharedServer();
    expect(refusals.get(index)).toBeUndefined();
    const path = `/apis/example.net/v1/namespaces/default/things${index}?dryRun=All`;
    const body = { apiVersion: 'example.net/v1', kind: `Thing${index}`, metadata: { name: 'it' }, spec };
    const { status, text } = await until('the kind is served', async () => {
      const answer = await request(server, 'POST', path, { body });
      return answer.status === 404 ? undefined : answer;
    });
    expect({ status, text: status === 201 ? '' : text }).toEqual({ status: 201, text: '' });
  });
});
