import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { mustKubectl } from '#test/cluster/support/install-policies.ts';
import { createNamespace } from '#test/cluster/world/api.ts';
import { type Role, rightsOf, type Subject, untilAllowed } from './rights.ts';

/** Somebody who ticks. */
export interface Account extends Subject {
  readonly kubeconfig: string;
  /** The file of its configuration. */
  readonly config: string;
}

export interface AccountWish {
  readonly namespace: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

/** With retention, so that everything is done that a tick may do with these roles. */
async function writeConfig({ folder }: ApiServer, name: string, roles: readonly Role[]): Promise<string> {
  const path = join(folder, `${name}.yaml`);
  const cronJob = roles.includes('minutehand-cron-jobs') ? 'manage' : 'observe';
  const managedJobs = roles.includes('minutehand-managed-jobs') ? 'managedJobs: manage\n' : '';
  await writeFile(path, `snapshotPolicy:\n  retention: manage\ncronJob: ${cronJob}\n${managedJobs}`);
  return path;
}

/** A ServiceAccount that is already there. */
export async function serviceAccount(
  server: ApiServer,
  { namespace, name, config }: { readonly namespace: string; readonly name: string; readonly config: string },
): Promise<Account> {
  const kubeconfig = await server.kubeconfigFor(await server.tokenFor(namespace, name));
  return { user: `system:serviceaccount:${namespace}:${name}`, kubeconfig, config };
}

/** Made with the commands of `policies/README.md`. */
export async function makeAccount(
  server: ApiServer,
  { namespace, name, roles }: AccountWish,
): Promise<Account> {
  await createNamespace(server, namespace);
  await mustKubectl(server, ['create', 'serviceaccount', name, '-n', namespace]);
  const config = await writeConfig(server, namespace, roles);
  const account = await serviceAccount(server, { namespace, name, config });
  for (const role of roles) {
    const flags = [`--clusterrole=${role}`, `--serviceaccount=${namespace}:${name}`];
    await mustKubectl(server, ['create', 'clusterrolebinding', `${namespace}.${role}`, ...flags]);
    for (const right of rightsOf(role)) await untilAllowed(server, account, right);
  }
  return account;
}

/** The same name and role, without and with the role for CronJobs. */
export interface Pair {
  readonly plain: Account;
  readonly withCronJobs: Account;
}

export interface Accounts {
  readonly administrator: Account;
  readonly read: Account;
  readonly plan: Pair;
  readonly reconcile: Pair;
}

export async function makeAccounts(server: ApiServer): Promise<Accounts> {
  const make = (name: Role, ...more: readonly Role[]): Promise<Account> =>
    makeAccount(server, { namespace: [name, ...more].join('-'), name, roles: [name, ...more] });
  const pair = async (name: Role): Promise<Pair> => ({
    plain: await make(name),
    withCronJobs: await make(name, 'minutehand-cron-jobs'),
  });
  const config = await writeConfig(server, 'administrator', ['minutehand-cron-jobs']);
  return {
    administrator: { user: 'admin', kubeconfig: server.kubeconfig, config },
    read: await make('minutehand-read'),
    plan: await pair('minutehand-plan'),
    reconcile: await pair('minutehand-reconcile'),
  };
}
