import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { ConnectionError } from './connection.ts';
import { type Cluster, type Context, Kubeconfig, kubeconfigFault, type User } from './kubeconfig-schema.ts';
import { parseKubeconfig } from './kubeconfig-yaml.ts';

/** An entry of a kubeconfig's lists. */
export interface Entry<T> {
  readonly name: string;
  readonly value: T;
}

/** The lists of one kubeconfig, or of several merged; every path is one from the working directory. */
export interface KubeconfigEntries {
  readonly clusters: readonly Entry<Cluster>[];
  readonly users: readonly Entry<User>[];
  readonly contexts: readonly Entry<Context>[];
  readonly currentContext: string;
}

/** Paths in a kubeconfig start at its folder. */
function resolved(folder: string, path: string | null | undefined): string | undefined {
  if (!path) return undefined;
  return isAbsolute(path) ? path : join(folder, path);
}

function clusterAt(folder: string, cluster: Cluster): Cluster {
  return { ...cluster, 'certificate-authority': resolved(folder, cluster['certificate-authority']) };
}

function userAt(folder: string, user: User): User {
  const { exec } = user;
  // A command without a folder is looked up in PATH.
  const command = exec?.command?.includes(sep) ? resolved(folder, exec.command) : exec?.command;
  return {
    ...user,
    tokenFile: user.tokenFile && resolved(folder, user.tokenFile),
    'client-certificate': user['client-certificate'] && resolved(folder, user['client-certificate']),
    'client-key': user['client-key'] && resolved(folder, user['client-key']),
    ...(exec ? { exec: { ...exec, command } } : {}),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ConnectionError(`the kubeconfig ${file} cannot be read: ${cause}`);
  }
}

/**
 * One file, checked as a whole. No message shows any of its values but names.
 * @throws ConnectionError
 */
export function readKubeconfig(file: string): KubeconfigEntries {
  const parsed = parseKubeconfig(textOf(file));
  if (!parsed.ok)
    throw new ConnectionError(`the kubeconfig ${file}${parsed.place} cannot be read: ${parsed.reason}`);
  const checked = Kubeconfig.safeParse(parsed.value ?? {});
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const fault = issue === undefined ? 'it is none' : kubeconfigFault(issue);
    throw new ConnectionError(`the kubeconfig ${file} cannot be used: ${fault}`);
  }
  const { clusters, users, contexts, 'current-context': currentContext } = checked.data;
  const folder = dirname(file);
  return {
    clusters: (clusters ?? []).map(({ name, cluster }) => ({
      name,
      value: clusterAt(folder, cluster ?? {}),
    })),
    users: (users ?? []).map(({ name, user }) => ({ name, value: userAt(folder, user ?? {}) })),
    contexts: (contexts ?? []).map(({ name, context }) => ({ name, value: context ?? {} })),
    currentContext: currentContext ?? '',
  };
}
