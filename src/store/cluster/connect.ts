import { type Connection, ConnectionError } from './connection.ts';
import { inClusterConnection, isInCluster } from './in-cluster.ts';
import type { KubeconfigRequest } from './kubeconfig.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NOTHING =
  'no cluster to read: name a kubeconfig with --kubeconfig or KUBECONFIG, or give manifests with -f';

/**
 * The cluster that is meant: the one that flags or a kubeconfig name, else the one that this process runs in. What
 * reads kubeconfigs is loaded only where there is one: a pod does without.
 * @throws ConnectionError
 */
export async function connect(request: KubeconfigRequest, env: Environment): Promise<Connection> {
  const isNamed = Object.values(request).some((value) => value !== undefined) || Boolean(env['KUBECONFIG']);
  if (!isNamed && isInCluster(env)) return inClusterConnection(env);
  const { hasKubeconfig, kubeconfigConnection } = await import('./kubeconfig.ts');
  if (!hasKubeconfig(request, env)) throw new ConnectionError(NOTHING);
  return kubeconfigConnection(request, env);
}
