import { resolve } from 'node:path';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { CUSTOM_RESOURCES } from '#test/gen/crd/files.ts';
import { type Account, NAMESPACE, type RuleCase } from '#test/policies/rule-case.ts';
import { RULE_CASES } from '#test/policies/rule-cases.ts';
import type { ApiServer } from './api-server.ts';
import { type Answer, request } from './request.ts';
import { tryAttempt } from './try-attempt.ts';
import { until } from './until.ts';

export const POLICIES = resolve(import.meta.dirname, '..', '..', '..', 'policies');
const ACCOUNTS: readonly Account[] = ['minutehand-plan', 'minutehand-reconcile'];

/** @returns what it printed */
export async function mustKubectl(
  server: ApiServer,
  args: readonly string[],
  input?: JsonObject,
): Promise<string> {
  const { code, stdout, stderr } = await server.kubectl(
    args,
    input === undefined ? undefined : JSON.stringify(input),
  );
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function isRefused({ status, body }: Answer, { says }: RuleCase): boolean {
  return status === 422 && (body.message ?? '').includes(says);
}

export function isWarned({ status, headers }: Answer, { says }: RuleCase): boolean {
  return status < 300 && String(headers['warning'] ?? '').includes(says);
}

/** A rule takes effect some time after it was stored: until then its known-bad object is let through. */
export async function takesEffect(server: ApiServer, file: string): Promise<void> {
  const known = RULE_CASES.find((one) => one.file === file);
  if (known === undefined) throw new Error(`no case for ${file}`);
  await until(`${file} takes effect`, async () => {
    const answer = await tryAttempt(server, known.refused);
    return isRefused(answer, known) || isWarned(answer, known) ? true : undefined;
  });
}

function binding(account: Account, role: string): JsonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${account}-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: NAMESPACE }],
  };
}

/** A server that knows a definition still puts off its first lists for a while (429). */
export async function areServed(server: ApiServer): Promise<void> {
  for (const { resource } of CUSTOM_RESOURCES) {
    await until(`${resource.plural} are served`, async () => {
      const { status } = await request(server, 'GET', `/apis/${apiVersionOf(resource)}/${resource.plural}`);
      return status === 200 ? true : undefined;
    });
  }
}

/** All of `policies/` by real kubectl, and everything in effect; a namespace with the accounts of the cases as well. */
export async function installPolicies(server: ApiServer): Promise<void> {
  await mustKubectl(server, ['create', 'namespace', NAMESPACE]);
  await mustKubectl(server, ['apply', '--server-side', '-k', POLICIES]);
  const names = CUSTOM_RESOURCES.map(({ resource }) => `crd/${resource.plural}.${resource.group}`);
  await mustKubectl(server, ['wait', '--for=condition=Established', '--timeout=30s', ...names]);
  await areServed(server);
  for (const account of ACCOUNTS) {
    for (const role of [account, 'minutehand-cron-jobs', 'minutehand-managed-jobs']) {
      await mustKubectl(server, ['create', '-f', '-'], binding(account, role));
    }
  }
  // Its own role ends before the rules that look after it: drivers of others may have any rights.
  await mustKubectl(server, ['create', '-f', '-'], binding('minutehand-job-driver', 'cluster-admin'));
  const files = new Set(RULE_CASES.map(({ file }) => file).filter((file) => file.startsWith('admission/')));
  for (const file of files) await takesEffect(server, file);
}
