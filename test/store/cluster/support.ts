import {
  type ClusterOptions,
  type ClusterStore,
  openClusterStore,
} from '#store/cluster/open-cluster-store.ts';

/** A store on a server that speaks plain HTTP; whoever asks is let in. */
export function openOn(url: string, options: Partial<ClusterOptions> = {}): ClusterStore {
  return openClusterStore({
    connection: { description: url, server: url, tls: {}, credentials: async () => ({}) },
    clock: Date.now,
    ...options,
  });
}
