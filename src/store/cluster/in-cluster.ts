import { readFileSync } from 'node:fs';
import { type Connection, ConnectionError } from './connection.ts';
import { bearer } from './header-text.ts';

/** Where the kubelet puts what a pod needs to speak to the API server. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

type Environment = Readonly<Record<string, string | undefined>>;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const fix = 'a pod needs a service account whose token is mounted (automountServiceAccountToken: true)';
    throw new ConnectionError(`the service account cannot be read: ${cause}; ${fix}`);
  }
}

/** Whether this process runs in a pod. */
export function isInCluster(env: Environment): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT']);
}

/** The connection of a pod's service account. The kubelet replaces its token while the pod runs. */
export function inClusterConnection(env: Environment, folder = FOLDER): Connection {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`;
  if (!URL.canParse(server)) {
    throw new ConnectionError(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which the kubelet sets, are no host and port',
    );
  }
  const authorization = (): string => bearer(read(`${folder}/token`).trim(), "the service account's token");
  let header = authorization();
  return {
    description: `cluster ${server}`,
    server,
    tls: { ca: read(`${folder}/ca.crt`) },
    credentials: async (renew) => {
      if (renew) header = authorization();
      return { Authorization: header };
    },
  };
}
