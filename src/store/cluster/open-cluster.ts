import { connect } from './connect.ts';
import { ConnectionError } from './connection.ts';
import type { KubeconfigRequest } from './kubeconfig-files.ts';
import type { Reach } from './list-type.ts';
import {
  type ClusterOptions,
  type ClusterStore,
  openClusterStore,
  TIMEOUT_MS,
} from './open-cluster-store.ts';

/** Which cluster, what of it, and how patiently. */
export interface ClusterWish extends KubeconfigRequest, Reach {
  readonly timeoutMs?: number | undefined;
  readonly retryBudgetMs?: number | undefined;
  readonly dryRun: boolean;
  readonly onUnanswered?: ClusterOptions['onUnanswered'];
}

interface Surroundings extends Pick<ClusterOptions, 'clock' | 'stop' | 'onLargeList'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type OpenedCluster =
  | { readonly ok: true; readonly store: ClusterStore }
  /** No kubeconfig, or one that cannot be used: what is wrong and what to do. */
  | {
      readonly ok: false;
      readonly message: string;
      /** It was this process that was told to end; nothing is wrong with the credentials. */
      readonly stopped: boolean;
    };

/** Finds the cluster that is meant and opens it; nothing is asked of it yet. */
export async function openCluster(
  wish: ClusterWish,
  { env, clock, stop = new AbortController().signal, onLargeList }: Surroundings,
): Promise<OpenedCluster> {
  const {
    namespaces,
    fallback,
    timeoutMs = TIMEOUT_MS,
    retryBudgetMs,
    dryRun,
    onUnanswered,
    ...wanted
  } = wish;
  try {
    const connection = await connect(wanted, { env, timeoutMs, clock, stop });
    const store = openClusterStore({
      connection,
      reach: { namespaces, fallback },
      timeoutMs,
      ...(retryBudgetMs === undefined ? {} : { retryBudgetMs }),
      dryRun,
      onUnanswered,
      clock,
      stop,
      ...(onLargeList === undefined ? {} : { onLargeList }),
    });
    return { ok: true, store };
  } catch (error) {
    if (error instanceof ConnectionError) {
      return { ok: false, message: error.message, stopped: stop.aborted };
    }
    throw error;
  }
}
