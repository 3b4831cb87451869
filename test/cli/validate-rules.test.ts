import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

async function validate(
  files: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
): Promise<CliResult> {
  const cwd = await temporaryFolder(files);
  return runMinutehand(['validate', '-f', 'in', '--now', '2026-06-10T03:00:10Z', ...argv], { cwd });
}

const DEFRAG = `apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefrag
metadata:
  name: by-hand
  namespace: vault-a
spec:
  clusterRef:
    name: kv
  rule:
    minReclaim: 32Mi
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: teams
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: ["*"]
        apiVersions: ["*"]
        operations: [CREATE]
        resources: ["*"]
  validations:
    - expression: has(object.metadata.labels) && 'team' in object.metadata.labels
      messageExpression: "'%s belongs to no team'.format([object.metadata.name])"
    - expression: object.spec.clusterRef.name != 'kv'
      message: the cluster kv is closed; use another
    - expression: request.userInfo.username == 'ci'
    - expression: authorizer.group('').resource('pods').check('create').allowed()
`;

const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: teams
spec:
  policyName: teams
  validationActions: [Deny]
`;

const ACCOUNTS = '  policy minutehand-plan-account, validation 1: who applies it is not known here\n';

describe('the rules of a server', () => {
  test('are evaluated where no kind has the rule itself, and told at the field with the way out', async () => {
    const { code, stdout, stderr } = await validate({ 'in/a.yaml': DEFRAG });
    expect(stdout).toBe(`in/a.yaml:10:17: error RuleBroken: minReclaim needs quotaUsageAbove
  10 |     minReclaim: 32Mi
     |                 ^
  why:    definition etcddefrags.etcd-operator.cozystack.io, spec.rule 2
  fix:    set quotaUsageAbove or remove minReclaim
  object: EtcdDefrag vault-a/by-hand
1 error.
Checked 0 schedules of 1 object.
`);
    expect({ code, first: stderr.split('\n')[0] }).toEqual({
      code: 3,
      first: '11 rules evaluated, 2 not evaluated here:',
    });
    expect(stderr).toContain(ACCOUNTS);
  });

  test('are not told a second time where the kind tells them', async () => {
    const schedule = `apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: nightly, namespace: a}
spec:
  policyRef: {name: pg}
  policySelector: {}
  schedule: {cron: "H 2 * * *", jitter: 25h, timezone: europe/berlin}
`;
    const { stdout, stderr } = await validate({ 'in/a.yaml': schedule });
    expect(stdout).not.toContain('RuleBroken');
    expect(stdout).toContain('3 errors');
    expect(stderr).toMatch(/^\d+ rules evaluated\.\n$/);
  });

  test('leave objects in peace that none of them is about', async () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n';
    expect(await validate({ 'in/a.yaml': map })).toMatchObject({ code: 0, stderr: '' });
  });

  test('are not asked of an object that does not fit its schema, whose kind says so', async () => {
    const policy = DEFRAG.replace('kind: EtcdDefrag', 'kind: EtcdDefragPolicy').replace(
      'spec:',
      'spec:\n  schedule: 5',
    );
    const { stdout, stderr } = await validate({ 'in/a.yaml': policy });
    expect(stdout).toContain('spec.schedule');
    expect(stderr).not.toContain('does not fit');
    const run = await validate({ 'in/a.yaml': DEFRAG.replace('    name: kv', '    name: 5') });
    expect(run.stderr).toContain(
      'definition etcddefrags.etcd-operator.cozystack.io: spec.clusterRef.name does not fit the schema',
    );
  });
});

describe('--policies', () => {
  test('is read from files alone, which is what a way out says', async () => {
    const files = { 'in/a.yaml': DEFRAG, 'rules/kustomization.yaml': 'resources: [p.yaml]\n' };
    const { stdout } = await validate(files, ['--policies', 'rules', '-o', 'json']);
    expect(stdout).toContain('`kustomize build FOLDER > policies.yaml`, and name that file by --policies');
    expect(stdout).not.toContain('-f -');
  });

  test('adds the policies of a folder, with what they cannot tell here by name', async () => {
    const files = {
      'in/a.yaml': DEFRAG.replace('  rule:\n    minReclaim: 32Mi\n', ''),
      'rules/below/p.yaml': POLICY,
      'rules/b.yaml': BINDING,
    };
    const { code, stdout, stderr } = await validate(files, ['--policies', 'rules']);
    expect(stdout).toBe(`in/a.yaml:1:1: error RuleBroken: by-hand belongs to no team
  1 | apiVersion: etcd-operator.cozystack.io/v1alpha2
    | ^
  why:    policy teams, validation 1
  object: EtcdDefrag vault-a/by-hand
in/a.yaml:8:11: error RuleBroken: the cluster kv is closed; use another
  8 |     name: kv
    |           ^
  why:    policy teams, validation 2
  object: EtcdDefrag vault-a/by-hand
2 errors.
Checked 0 schedules of 1 object.
`);
    expect(code).toBe(3);
    expect(stderr).toContain('  policy teams, validation 3: who applies it is not known here\n');
    expect(stderr).toContain('  policy teams, validation 4: what an account may do is not known here\n');
  });

  test('may be repeated, and warns where the binding warns', async () => {
    const files = {
      'in/a.yaml': DEFRAG.replace('  rule:\n    minReclaim: 32Mi\n', ''),
      'p.yaml': POLICY,
      'b.yaml': BINDING.replace('Deny', 'Warn'),
    };
    const { code, stdout } = await validate(files, ['--policies', 'p.yaml', '--policies', 'b.yaml']);
    expect(code).toBe(0);
    expect(stdout).toContain('warning RuleBroken: by-hand belongs to no team');
  });

  test('tells a policy that nothing puts in force', async () => {
    const { code, stdout } = await validate({ 'in/a.yaml': DEFRAG, 'rules/p.yaml': POLICY }, [
      '--policies',
      'rules',
    ]);
    expect(stdout).toContain('rules/p.yaml:4:9: note PolicyNotBound: the policy teams is not in force');
    expect(stdout).not.toContain('belongs to no team');
    expect(code).toBe(3);
  });

  test('takes the place of a policy of ours, whose binding puts it in force, and speaks in its own words', async () => {
    const files = {
      'in/a.yaml': DEFRAG,
      'rules/p.yaml': POLICY.replace('name: teams', 'name: minutehand-etcd-defrag-policies'),
    };
    const { code, stdout } = await validate(files, ['--policies', 'rules']);
    expect(stdout).toContain(': error RuleBroken: the cluster kv is closed; use another\n');
    expect(stdout).not.toContain('PolicyNotBound');
    expect(code).toBe(3);
  });

  test('adds definitions, whose rules are asked of their objects', async () => {
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.net}
spec:
  group: example.net
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {size: {type: integer}}
              x-kubernetes-validations:
                - rule: self.size > 3
                  message: too small; buy more
                  fieldPath: .size
`;
    const thing =
      'apiVersion: example.net/v1\nkind: Thing\nmetadata: {name: a, namespace: b}\nspec:\n  size: 3\n';
    const { stdout, stderr } = await validate({ 'in/a.yaml': thing, 'rules/d.yaml': definition }, [
      '--policies',
      'rules',
    ]);
    expect(stdout).toContain('in/a.yaml:5:9: error RuleBroken: too small; buy more\n');
    expect(stderr).toBe('1 rule evaluated.\n');
  });

  test('tells files that cannot be read', async () => {
    const { code, stdout } = await validate(
      { 'in/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', 'rules/p.yaml': 'a: [' },
      ['--policies', 'rules'],
    );
    expect({ code, told: stdout.includes('rules/p.yaml') }).toEqual({ code: 3, told: true });
  });

  test('shows nothing of hostile names and messages as it is', async () => {
    const hostile = POLICY.replace('name: teams', String.raw`name: "te\u001b[31mams\u202e"`).replace(
      'the cluster kv is closed; use another',
      String.raw`"\u001b]0;owned\u0007\u202e"`,
    );
    const bound = BINDING.replace('policyName: teams', String.raw`policyName: "te\u001b[31mams\u202e"`);
    const { stdout, stderr } = await validate(
      { 'in/a.yaml': DEFRAG, 'rules/p.yaml': `${hostile}---\n${bound}` },
      ['--policies', 'rules'],
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test('are the same in every form of output', async () => {
    const files = { 'in/a.yaml': DEFRAG, 'p.yaml': POLICY, 'b.yaml': BINDING };
    const { stdout } = await validate(files, ['--policies', 'p.yaml', '--policies', 'b.yaml', '-o', 'json']);
    const { diagnostics, rules } = JSON.parse(stdout) as {
      diagnostics: readonly Readonly<Record<string, unknown>>[];
      rules: unknown;
    };
    expect(rules).toEqual({
      evaluated: 13,
      notEvaluated: expect.arrayContaining([
        { owner: 'policy teams', part: 'validation 3', reason: 'who applies it is not known here' },
      ]),
    });
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['RuleBroken', []],
      ['RuleBroken', ['spec', 'clusterRef', 'name']],
      ['RuleBroken', ['spec', 'rule', 'minReclaim']],
    ]);
  });
});
