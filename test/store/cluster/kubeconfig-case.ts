import { join } from 'node:path';
import { connect } from '#store/cluster/connect.ts';
import type { ConnectContext } from '#store/cluster/connect-context.ts';
import { type Connection, ConnectionError } from '#store/cluster/connection.ts';
import type { KubeconfigRequest } from '#store/cluster/kubeconfig-files.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** One cluster `stage` and one user `ann`, chosen by the current context. */
export function kubeconfigOf(user: unknown, cluster: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'stage', cluster: { server: 'https://stage.example:6443', ...cluster } }],
    users: [{ name: 'ann', user }],
    contexts: [{ name: 'stage', context: { cluster: 'stage', user: 'ann' } }],
    'current-context': 'stage',
  });
}

export interface Case extends Partial<ConnectContext> {
  readonly files?: Readonly<Record<string, string>>;
  readonly request?: KubeconfigRequest;
}

/** Connects by a kubeconfig in a folder of its own, with these files beside it. */
export async function connectBy(config: string, more: Case = {}): Promise<Connection> {
  const { files = {}, request = {}, ...context } = more;
  const folder = await temporaryFolder({ ...files, config });
  return connect(
    { kubeconfig: join(folder, 'config'), ...request },
    {
      env: {},
      timeoutMs: 10_000,
      stop: new AbortController().signal,
      clock: Date.now,
      ...context,
    },
  );
}

/** What a person is told; any other fault than one of the connection is one of the program. */
export async function faultOf(connecting: Promise<unknown>): Promise<string> {
  try {
    await connecting;
  } catch (error) {
    if (error instanceof ConnectionError) return error.message;
    throw error;
  }
  throw new Error('it connected');
}

export async function authorizationOf(connection: Connection): Promise<string | undefined> {
  return (await connection.credentials(false))['Authorization'];
}

export const V1 = 'client.authentication.k8s.io/v1';

/** A plugin that is a script of this Node. */
export function plugin(script: string, more: object = {}): object {
  return {
    exec: {
      apiVersion: V1,
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
      ...more,
    },
  };
}

/** Prints what is given. */
export function printing(output: unknown, more: object = {}): object {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return plugin(`process.stdout.write(${JSON.stringify(text)})`, more);
}

export function credentialOf(status: unknown, apiVersion: string = V1): object {
  return { apiVersion, kind: 'ExecCredential', status };
}
