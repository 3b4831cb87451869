import type { Environment } from './kubeconfig-files.ts';

/** What finding a cluster needs of the process. */
export interface ConnectContext {
  readonly env: Environment;
  /** Milliseconds that whoever is asked for credentials may take. */
  readonly timeoutMs: number;
  /** Ends the wait for them. */
  readonly stop: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}
