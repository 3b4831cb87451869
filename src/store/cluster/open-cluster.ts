import { connect } from './connect.ts';
import { ConnectionError } from './connection.ts';
import type { KubeconfigRequest } from './kubeconfig-files.ts';
import type { Reach } from './list-type.ts';
import { type ClusterOptions, type ClusterStore, openClusterStore } from './open-cluster-store.ts';

/** Which cluster, what of it, and how patiently. */
export interface ClusterWish extends KubeconfigRequest, Reach {
  readonly timeoutMs?: number | undefined;
  readonly retryBudgetMs?: number | undefined;
  readonly dryRun: boolean;
}

interface Surroundings extends Pick<ClusterOptions, 'clock' | 'stop'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type OpenedCluster =
  | { readonly ok: true; readonly store: ClusterStore }
  /** No kubeconfig, or one that cannot be used: what is wrong and what to do. */
  | { readonly ok: false; readonly message: string };

/** Finds the cluster that is meant and opens it; nothing is asked of it yet. */
export async function openCluster(
  wish: ClusterWish,
  { env, ...surroundings }: Surroundings,
): Promise<OpenedCluster> {
  const { namespaces, fallback, timeoutMs, retryBudgetMs, dryRun, ...wanted } = wish;
  try {
    const connection = await connect(wanted, env);
    const store = openClusterStore({
      connection,
      reach: { namespaces, fallback },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(retryBudgetMs === undefined ? {} : { retryBudgetMs }),
      dryRun,
      ...surroundings,
    });
    return { ok: true, store };
  } catch (error) {
    if (error instanceof ConnectionError) return { ok: false, message: error.message };
    throw error;
  }
}
