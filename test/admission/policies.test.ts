import { describe, expect, test } from 'vitest';
import { type Admission, createAdmission } from '#admission/admission.ts';
import { mergedRules, readRuleSet } from '#admission/rule-set.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const EVERYTHING = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
const CREATED = { ...EVERYTHING, operations: ['CREATE'] };

function policy(spec: JsonObject, name = 'p'): JsonObject {
  const matchConstraints = { resourceRules: [CREATED] };
  return {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints, ...spec },
  };
}

function binding(spec: JsonObject = {}, policyName = 'p', name = policyName): JsonObject {
  const kind = 'ValidatingAdmissionPolicyBinding';
  return {
    apiVersion: GROUP,
    kind,
    metadata: { name },
    spec: { policyName, validationActions: ['Deny'], ...spec },
  };
}

const VALIDATES = (expression: string, more: JsonObject = {}): JsonObject => ({
  validations: [{ expression, ...more }],
});

function pod(metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'it', namespace: 'a', ...metadata }, spec };
}

function admission(rules: readonly JsonObject[], objects: readonly JsonObject[] = []): Admission {
  return createAdmission(readRuleSet(rules), { types: [], objects });
}

interface Verdict {
  readonly says: readonly string[];
  readonly open: readonly string[];
  readonly evaluated: number;
}

function verdict(rules: readonly JsonObject[], object = pod(), objects: readonly JsonObject[] = []): Verdict {
  const all = admission(rules, objects);
  const broken = all.judge({ operation: 'CREATE', object });
  return {
    says: broken.map(({ severity, what, path }) =>
      [severity, path.join('.'), what].filter((one) => one !== '').join(' '),
    ),
    open: all.tally.openRules().map(({ owner, part, reason }) => `${owner} ${part}: ${reason}`),
    evaluated: all.tally.count(),
  };
}

const NOTHING: Verdict = { says: [], open: [], evaluated: 0 };

describe('a policy', () => {
  test('is in force by its bindings alone', () => {
    const rule = policy(VALIDATES('false'));
    expect(verdict([rule])).toEqual(NOTHING);
    expect(readRuleSet([rule]).unbound).toEqual(['p']);
    expect(verdict([rule, binding()]).says).toEqual(['error failed expression: false']);
    expect(verdict([rule, binding({}, 'other')])).toEqual(NOTHING);
  });

  test.each([
    [['Deny'], ['error failed expression: false']],
    [['Warn', 'Audit'], ['warning failed expression: false']],
    [['Deny', 'Audit'], ['error failed expression: false']],
    [['Audit'], []],
  ])('acts as its binding says: %j', (validationActions, says) => {
    expect(verdict([policy(VALIDATES('false')), binding({ validationActions })]).says).toEqual(says);
  });

  test.each<[string, JsonObject, string]>([
    ['its message', { message: ' not so ' }, 'not so'],
    ['what its expression makes', { message: 'm', messageExpression: "'no ' + object.kind" }, 'no Pod'],
    ['its message where the expression fails', { message: 'm', messageExpression: 'object.nope' }, 'm'],
    ['its message where the expression makes no line', { message: 'm', messageExpression: "'a\\nb'" }, 'm'],
    ['its message where the expression makes no text', { message: 'm', messageExpression: '1' }, 'm'],
  ])('tells %s', (_, more, text) => {
    expect(verdict([policy(VALIDATES('false', more)), binding()]).says).toEqual([`error ${text}`]);
  });

  test('is told where the one field stands that it is about', () => {
    const spec = {
      variables: [{ name: 'node', expression: 'object.spec.nodeName' }],
      ...VALIDATES("variables.node != 'bad' && object.metadata.namespace != ''"),
    };
    const says = verdict([policy(spec), binding()], pod({}, { nodeName: 'bad' })).says;
    expect(says).toEqual([expect.stringMatching(/^error spec\.nodeName failed expression/)]);
  });

  test.each([
    ['Fail', ['error m (No such key: nope)'], 1],
    ['Ignore', [], 1],
  ])('with the failure policy %s and an expression that fails', (failurePolicy, says, evaluated) => {
    const rule = policy({ failurePolicy, ...VALIDATES('object.nope == 1', { message: 'm' }) });
    expect(verdict([rule, binding()])).toEqual({ says, open: [], evaluated });
  });

  test.each<[string, string, Partial<Verdict>]>([
    ['holds', "object.kind == 'Pod'", { says: ['error failed expression: false'] }],
    ['does not hold', "object.kind == 'Job'", { says: [], evaluated: 0 }],
    [
      'fails',
      'object.nope',
      { says: ['error whether the policy applies cannot be told (No such key: nope)'] },
    ],
    [
      'is not known',
      "request.userInfo.username == 'x'",
      { says: [], open: ['policy p validation 1: who applies it is not known here'] },
    ],
    [
      'is not known, beside one that does not hold',
      "request.userInfo.username == 'x' && object.kind == 'Job'",
      { says: [], open: [] },
    ],
  ])('whose condition %s', (_, expression, wanted) => {
    const rule = policy({ matchConditions: [{ name: 'c', expression }], ...VALIDATES('false') });
    expect(verdict([rule, binding()])).toMatchObject(wanted);
  });

  test('passes whoever it is about, where it passes anyway', () => {
    const matchConditions = [{ name: 'c', expression: "request.userInfo.username == 'x'" }];
    const rule = policy({ matchConditions, ...VALIDATES('true') });
    expect(verdict([rule, binding()])).toEqual({ says: [], open: [], evaluated: 1 });
  });

  test.each([
    ["request.userInfo.username == 'x'", 'who applies it is not known here'],
    ['request.uid != ""', 'the request is not known here'],
    ['object.metadata.uid != ""', 'the server makes it'],
    ["namespaceObject.metadata.name == 'a'", 'the namespace is not known here'],
    [
      "authorizer.group('').resource('pods').check('get').allowed()",
      'what an account may do is not known here',
    ],
    ["string(request.userInfo.username).nope() == ''", 'the function nope is not known here'],
    ['[1].transformList(i, v, v) == [1]', 'the function transformList is not known here'],
    ['{1: 2}.exists(k, k == 1)', 'a map whose keys are no texts is not known here'],
    ['equal(1, 1)', 'the function equal is not known here'],
    ['object.kind ==', 'Unexpected token'],
  ])('leaves open what only a server can tell, by name: %s', (expression, reason) => {
    const { says, open, evaluated } = verdict([policy(VALIDATES(expression)), binding()]);
    expect({ says, evaluated }).toEqual({ says: [], evaluated: 0 });
    expect(open).toEqual([expect.stringContaining(`policy p validation 1: ${reason}`)]);
  });

  test.each([
    ["request.userInfo.username == 'x' || object.kind == 'Pod'", []],
    ["request.userInfo.username == 'x' && object.kind == 'Job'", [expect.stringContaining('failed')]],
    ["['a'].all(x, x == request.userInfo.username && false)", [expect.stringContaining('failed')]],
    ["object.kind == 'Pod' ? true : request.userInfo.username == 'x'", []],
  ])('is decided where the answer is the same for everybody: %s', (expression, says) => {
    expect(verdict([policy(VALIDATES(expression)), binding()])).toEqual({ says, open: [], evaluated: 1 });
  });

  test('reads variables when they are needed, and each other', () => {
    const variables = [
      { name: 'broken', expression: 'object.nope' },
      { name: 'name', expression: 'object.metadata.name' },
      { name: 'long', expression: "variables.name + '-x'" },
    ];
    const rule = policy({ variables, ...VALIDATES("variables.long == 'it-x' || variables.broken == 1") });
    expect(verdict([rule, binding()])).toEqual({ says: [], open: [], evaluated: 1 });
    const broken = policy({ variables, ...VALIDATES('variables.broken == 1', { message: 'm' }) });
    expect(verdict([broken, binding()]).says).toEqual(['error m (No such key: nope)']);
    const who = [{ name: 'who', expression: 'request.userInfo.username' }];
    expect(
      verdict([policy({ variables: who, ...VALIDATES("variables.who == 'x'") }), binding()]).open,
    ).toEqual(['policy p validation 1: who applies it is not known here']);
  });

  test('knows the request as far as a manifest tells it', () => {
    const expression = [
      "request.operation == 'CREATE' && request.resource.resource == 'pods' && request.kind.kind == 'Pod'",
      "request.resource.group == '' && request.name == 'it' && request.namespace == 'a' && !request.dryRun",
      'oldObject == null && request.subResource == ""',
    ].join(' && ');
    expect(verdict([policy(VALIDATES(expression)), binding()])).toEqual({ says: [], open: [], evaluated: 1 });
  });

  test('sees what an update changes', () => {
    const all = admission([
      policy({
        matchConstraints: { resourceRules: [EVERYTHING] },
        ...VALIDATES('object.spec == oldObject.spec'),
      }),
      binding(),
    ]);
    const [before, after] = [pod({}, { a: 1 }), pod({}, { a: 2 })];
    expect(all.judge({ operation: 'UPDATE', object: before, old: before })).toEqual([]);
    expect(all.judge({ operation: 'UPDATE', object: after, old: before })).toHaveLength(1);
  });

  test('is not asked about policies', () => {
    const rule = policy(VALIDATES('false'));
    expect(verdict([rule, binding()], rule)).toEqual(NOTHING);
  });

  test('of the same name and its binding come from the folder rather than from us', () => {
    const own = readRuleSet([policy(VALIDATES('false')), binding()]);
    const given = readRuleSet([policy(VALIDATES('true')), binding()]);
    const all = createAdmission(mergedRules(own, given), { types: [], objects: [] });
    expect(all.judge({ operation: 'CREATE', object: pod() })).toEqual([]);
    expect(all.tally.count()).toBe(1);
  });
});

describe('what a policy matches', () => {
  const rule = (more: JsonObject): JsonObject[] => [
    policy({ matchConstraints: { resourceRules: [{ ...CREATED, ...more }] }, ...VALIDATES('false') }),
    binding(),
  ];
  const HIT = ['error failed expression: false'];

  test.each<[string, JsonObject, readonly string[]]>([
    ['the group', { apiGroups: [''] }, HIT],
    ['another group', { apiGroups: ['apps'] }, []],
    ['the resource', { resources: ['pods'] }, HIT],
    ['another resource', { resources: ['jobs'] }, []],
    ['a part of the resource', { resources: ['pods/status'] }, []],
    ['everything with its parts', { resources: ['*/*'] }, HIT],
    ['another verb', { operations: ['UPDATE', 'DELETE'] }, []],
    ['a name', { resourceNames: ['it'] }, HIT],
    ['another name', { resourceNames: ['other'] }, []],
    ['the scope', { scope: 'Namespaced' }, HIT],
    ['another scope', { scope: 'Cluster' }, []],
  ])('%s', (_, more, says) => {
    expect(verdict(rule(more)).says).toEqual(says);
  });

  test('another version is left open, unless it has to be the same', () => {
    const rules = (matchPolicy: string): JsonObject[] => [
      policy({
        matchConstraints: { matchPolicy, resourceRules: [{ ...CREATED, apiVersions: ['v2'] }] },
        ...VALIDATES('false'),
      }),
      binding(),
    ];
    expect(verdict(rules('Equivalent')).open).toEqual([
      'policy p validation 1: it asks for another version of the object',
    ]);
    expect(verdict(rules('Exact'))).toEqual(NOTHING);
  });

  test('a kind whose plural nobody told is left open where a resource is named', () => {
    const object = { ...pod(), apiVersion: 'x.example/v1', kind: 'Thing' };
    expect(verdict(rule({ resources: ['things'] }), object).open).toEqual([
      'policy p validation 1: the plural of the kind is not known here',
    ]);
    expect(verdict(rule({}), object).says).toEqual(HIT);
  });

  test('exceptions win', () => {
    const excludeResourceRules = [{ ...CREATED, resources: ['pods'] }];
    const match = { resourceRules: [CREATED], excludeResourceRules };
    expect(verdict([policy({ matchConstraints: match, ...VALIDATES('false') }), binding()])).toEqual(NOTHING);
  });

  const namespace = (labels: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'a', labels },
  });
  const only = (selector: Json): JsonObject[] => [
    policy(VALIDATES('false')),
    binding({ matchResources: { namespaceSelector: selector } }),
  ];

  test.each<[string, JsonObject, readonly JsonObject[], readonly string[], number]>([
    ['by its name', { matchLabels: { 'kubernetes.io/metadata.name': 'a' } }, [], HIT, 0],
    ['by another name', { matchLabels: { 'kubernetes.io/metadata.name': 'b' } }, [], [], 0],
    ['by a label that is given', { matchLabels: { team: 'x' } }, [namespace({ team: 'x' })], HIT, 0],
    ['by a label that it lacks', { matchLabels: { team: 'x' } }, [namespace({})], [], 0],
    ['by a label that nobody told', { matchLabels: { team: 'x' } }, [], [], 1],
    [
      'by a label that nobody told and another name',
      { matchLabels: { team: 'x', 'kubernetes.io/metadata.name': 'b' } },
      [],
      [],
      0,
    ],
    [
      'not by a name',
      { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a'] }] },
      [],
      [],
      0,
    ],
    ['whatever it is', {}, [], HIT, 0],
  ])('a namespace %s', (_, selector, objects, says, open) => {
    const found = verdict(only(selector), pod(), objects);
    expect(found.says).toEqual(says);
    expect(found.open).toHaveLength(open);
  });

  test('an object by its labels', () => {
    const rules = [
      policy(VALIDATES('false')),
      binding({ matchResources: { objectSelector: { matchLabels: { app: 'x' } } } }),
    ];
    expect(verdict(rules, pod({ labels: { app: 'x' } })).says).toEqual(HIT);
    expect(verdict(rules, pod())).toEqual(NOTHING);
  });

  test('an object without a namespace: what hangs on it is left open', () => {
    const { namespace: _, ...metadata } = { name: 'it', namespace: '' };
    const object = { ...pod(), metadata };
    const expression = "object.metadata.namespace == 'a' || request.namespace == 'a'";
    expect(verdict([policy(VALIDATES(expression)), binding()], object).open).toEqual([
      'policy p validation 1: the namespace is not known here',
    ]);
  });
});

describe('the parameters of a policy', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const limits = (name: string, max: string, labels: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'a', labels },
    data: { max },
  });
  const rule = policy({ paramKind, ...VALIDATES('object.metadata.name.size() <= int(params.data.max)') });

  test('are found by their name', () => {
    const bound = binding({ paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } });
    expect(verdict([rule, bound], pod(), [limits('limits', '2')])).toMatchObject({ says: [], evaluated: 1 });
    expect(verdict([rule, bound], pod(), [limits('limits', '1')]).says).toHaveLength(1);
  });

  test('are found by their labels, and each is asked', () => {
    const bound = binding({
      paramRef: { selector: { matchLabels: { use: 'x' } }, parameterNotFoundAction: 'Deny' },
    });
    const objects = [limits('a', '1', { use: 'x' }), limits('b', '2', { use: 'x' }), limits('c', '1')];
    expect(verdict([rule, bound], pod(), objects).says).toHaveLength(1);
  });

  test('leave the rule open where they are not given', () => {
    const bound = binding({ paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } });
    expect(verdict([rule, bound])).toEqual({
      says: [],
      open: ['policy p validation 1: its parameters (ConfigMap limits) are not here'],
      evaluated: 0,
    });
  });

  test('are null where the binding hands none over', () => {
    expect(verdict([policy({ paramKind, ...VALIDATES('params == null') }), binding()]).says).toEqual([]);
  });
});
