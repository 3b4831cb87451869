import type { ConnectContext } from './connect-context.ts';
import { type Connection, ConnectionError } from './connection.ts';
import { inClusterConnection, isInCluster } from './in-cluster.ts';
import { type KubeconfigRequest, kubeconfigFiles } from './kubeconfig-files.ts';

const NOTHING =
  'no cluster to read: name a kubeconfig with --kubeconfig or KUBECONFIG, or give manifests with -f';

/**
 * The cluster that is meant: the one that flags or a kubeconfig name, else the one that this process runs in, in the
 * order of kubectl. What reads kubeconfigs is loaded only where there is one: a pod does without.
 * @throws ConnectionError
 */
export async function connect(request: KubeconfigRequest, context: ConnectContext): Promise<Connection> {
  const { env } = context;
  if (kubeconfigFiles(request, env).length > 0) {
    const { kubeconfigConnection } = await import('./kubeconfig.ts');
    return kubeconfigConnection(request, context);
  }
  const isNamed = Object.values(request).some((value) => value !== undefined);
  if (isNamed || !isInCluster(env)) throw new ConnectionError(NOTHING);
  return inClusterConnection(env);
}
